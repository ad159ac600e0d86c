import { DownloadLink } from '#components/frame/download-link.tsx'
import type { LineQuery } from '#lib/ledger/query/line-query.ts'
import { LineColumnsButton } from './line-columns-button.client.tsx'

/** What can be done with a list of lines: its columns, and its file. */
export function LineActions({ query }: { query: LineQuery }) {
  return (
    <>
      <LineColumnsButton chosen={query.columns} density={query.density} />
      <DownloadLink target={{ list: 'lines', query }} />
    </>
  )
}
