'use client'

import './globals.css'
import type { FailedPageProps } from '#components/states/failed-page.client.tsx'

/**
 * The last resort, outside of the desk too: the frame or the root layout failed, because the
 * session or the counts could not be read. It brings its own page, and as every page carries it,
 * only what is needed of one.
 */
export default function GlobalError({ error, retry }: FailedPageProps) {
  const reference = (error as { digest?: string } | null)?.digest
  return (
    <html lang="en-US">
      <body className="page-alone">
        <title>Tieout</title>
        <main className="failed-page" role="alert">
          <h1>This page could not be loaded</h1>
          <p>Nothing was changed. Trying again often helps; if it does not, tell your operator.</p>
          {reference && <p>Reference {reference}</p>}
          <div>
            <button type="button" onClick={retry} className="button button-primary button-normal">
              Try again
            </button>
          </div>
        </main>
      </body>
    </html>
  )
}
