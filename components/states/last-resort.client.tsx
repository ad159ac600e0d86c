'use client'

/**
 * In place of the page of Next.js for when its own frame breaks, which brings three times as much
 * with every page. What breaks in the desk has app/global-error.tsx.
 */
export default function LastResort() {
  return (
    <html lang="en-US">
      <body>
        <h1>This page could not be loaded</h1>
        <p>Nothing was changed. Load it again; if that does not help, tell your operator.</p>
      </body>
    </html>
  )
}
