import type { Metadata } from 'next'
import { MissingPage } from '#components/states/missing-page.tsx'

export const metadata: Metadata = { title: 'Not found' }

export default function NotFound() {
  return (
    <main className="page-alone">
      <MissingPage />
    </main>
  )
}
