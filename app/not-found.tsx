import type { Metadata } from 'next'
import { MissingPage } from '#components/states/missing-page.tsx'

export const metadata: Metadata = { title: 'Not found' }

export default function NotFound() {
  return (
    <main className="mx-auto flex min-h-dvh max-w-2xl flex-col justify-center">
      <MissingPage />
    </main>
  )
}
