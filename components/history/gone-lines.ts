import { toListAddress } from '#components/query/list-address.ts'
import { DEFAULT_LINE_QUERY } from '#lib/ledger/query/line-query.ts'

/** The lines that the platform no longer has. */
export const GONE_LINES = toListAddress({ list: 'lines', query: { ...DEFAULT_LINE_QUERY, goneOnly: true } })
