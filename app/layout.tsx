import '@fontsource-variable/inter/wght.css'
import './globals.css'
import type { Metadata, Viewport } from 'next'
import { cookies } from 'next/headers'
import type { ReactNode } from 'react'
import { preload } from 'react-dom'
import { isTheme, THEME_COOKIE } from '#components/frame/preferences.ts'

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
  const theme = (await cookies()).get(THEME_COOKIE)?.value
  preload(LATIN.toString(), { as: 'font', type: 'font/woff2', crossOrigin: 'anonymous' })
  return (
    <html lang="en-US" data-theme={isTheme(theme) ? theme : undefined} suppressHydrationWarning>
      <body>{children}</body>
    </html>
  )
}
