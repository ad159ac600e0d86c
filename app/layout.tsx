import '@fontsource-variable/inter/wght.css'
import './globals.css'
import type { Metadata, Viewport } from 'next'
import { cookies } from 'next/headers'
import type { ReactNode } from 'react'
import { preload } from 'react-dom'
import { NoteTimeZone } from '#components/frame/note-time-zone.client.tsx'
import { isTheme, THEME_COOKIE } from '#components/frame/preferences.ts'
import { readBrowserFormats, readSession } from '#lib/auth/doors/page-session.ts'
import { currentFormats, toFormatsText } from '#lib/reconcile/formats.ts'

export const metadata: Metadata = {
  title: { default: 'Tieout', template: '%s · Tieout' },
  description: 'The reconciliation desk for business-travel invoices.',
  icons: { icon: { url: '/icon.svg', type: 'image/svg+xml' } },
  robots: { index: false, follow: false },
}

export const viewport: Viewport = {
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#ffffff' },
    { media: '(prefers-color-scheme: dark)', color: '#131517' },
  ],
  viewportFit: 'cover',
}

const LATIN = new URL('../node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2', import.meta.url)

export default async function RootLayout({ children }: { children: ReactNode }) {
  // first: told after the session is read, it came when the page was painted with another font
  preload(LATIN.toString(), { as: 'font', type: 'font/woff2', crossOrigin: 'anonymous' })
  const theme = (await cookies()).get(THEME_COOKIE)?.value
  const { timeZone } = await readBrowserFormats()
  // settles the formats; a failure is shown by the page, which asks for the session too
  await readSession().catch(() => null)
  return (
    <html
      lang="en-US"
      data-theme={isTheme(theme) ? theme : undefined}
      data-formats={toFormatsText(currentFormats())}
      suppressHydrationWarning
    >
      <body>
        {children}
        <NoteTimeZone known={timeZone} />
      </body>
    </html>
  )
}
