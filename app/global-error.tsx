'use client'

import './globals.css'
import { FailedPage, type FailedPageProps } from '#components/states/failed-page.client.tsx'

/** The last resort: the root layout itself failed, so this page brings its own. */
export default function GlobalError(props: FailedPageProps) {
  return (
    <html lang="en-US">
      <body>
        <title>Tieout</title>
        <main className="page-alone">
          <FailedPage {...props} />
        </main>
      </body>
    </html>
  )
}
