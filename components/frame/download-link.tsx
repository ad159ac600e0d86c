import { buttonClass } from '#components/primitives/button.ts'
import { type ListQuery, toListAddress } from '#components/query/list-address.ts'
import type { CsvFileName } from '#lib/export/stream-csv.ts'
import { FIRST_PAGE } from '#lib/ledger/query/list-query.ts'
import { Download } from './frame-icons.tsx'

/** Downloads everything that the list's query selects: every page, not just the one on screen. */
export function DownloadLink({ target }: { target: Extract<ListQuery, { list: CsvFileName }> }) {
  const query = { ...target.query, ...FIRST_PAGE, view: null }
  return <FileLink address={toListAddress({ ...target, query } as ListQuery)} />
}

/** Downloads the file of an address below that of all files: `/matrix?by=trip`. */
export function FileLink({ address, look = 'primary' }: { address: string; look?: 'primary' | 'plain' }) {
  return (
    <a
      data-verb="Download CSV"
      href={`/api/export${address}${address.includes('?') ? '&' : '?'}format=csv`}
      download
      className={buttonClass({ look })}
    >
      <Download size={16} />
      <span className="max-[420px]:sr-only">Download CSV</span>
    </a>
  )
}
