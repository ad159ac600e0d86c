import { GROUP_QUERY } from '#lib/ledger/query/group-query.ts'
import { INVOICE_QUERY } from '#lib/ledger/query/invoice-query.ts'
import { LINE_QUERY } from '#lib/ledger/query/line-query.ts'
import { REVIEW_QUERY } from '#lib/ledger/query/review-query.ts'

export type ListPage = {
  query: unknown
  label: string
}

/** The lists that have a page with a filter bar, each at `/<name>`, in the sidebar's order. */
export const LISTS = {
  review: { query: REVIEW_QUERY, label: 'Review' },
  invoices: { query: INVOICE_QUERY, label: 'Invoices' },
  lines: { query: LINE_QUERY, label: 'Lines' },
  groups: { query: GROUP_QUERY, label: 'Groups' },
} satisfies Record<string, ListPage>

export type ListName = keyof typeof LISTS

export type ParametersOfLists = (typeof LISTS)[ListName]['query']['parameters']
