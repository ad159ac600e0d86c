/**
 * What a digest asks and what its links open: one query for both, so that a figure is the one of
 * its page. Pure.
 */
import { DEFAULT_LINE_QUERY, type LineQuery, writeLineQuery } from '#lib/ledger/query/line-query.ts'
import { REVIEW_QUERY, type ReviewQuery, toReviewedLines, writeReviewQuery } from '#lib/ledger/query/review-query.ts'
import { toSeenFilter } from '#lib/ledger/query/seen-filter.ts'
import { UNDECIDED } from '#lib/reconcile/review/review-state.ts'
import type { Subject } from '#lib/talk/model.ts'
import type { Span } from './model.ts'

/** Of one currency, or of all. */
type Of = { currency?: string }

function toMoments({ since, until }: Span): string[] {
  return [toSeenFilter('since', since), toSeenFilter('before', until)]
}

/** Lines that came in the span: what nothing explains, and nobody has decided. */
export function toNewMoneyQuery(span: Span, { currency }: Of = {}): LineQuery {
  return {
    ...DEFAULT_LINE_QUERY,
    currencies: currency === undefined ? [] : [currency],
    outcomes: ['unexplained'],
    reviews: [...UNDECIDED],
    seen: toMoments(span),
    sort: { key: 'difference', descending: true },
  }
}

/** Lines whose decision fell in the span; of those that the platform has, or of the others. */
function toFallsReview(span: Span, { currency, goneOnly }: Of & { goneOnly: boolean }): ReviewQuery {
  const currencies = currency === undefined ? [] : [currency]
  return { ...REVIEW_QUERY.empty, tab: 'suspended', currencies, fell: toMoments(span), goneOnly }
}

/** The same as a query of lines. */
export function toFallsQuery(span: Span, of: Of & { goneOnly: boolean }): LineQuery {
  return toReviewedLines(toFallsReview(span, of), '')
}

/** The path of the page that shows the lines. */
export function toNewMoneyPath(span: Span, of: Of = {}): string {
  return toPath('/lines', writeLineQuery(toNewMoneyQuery(span, of)))
}

export function toFallsPath(span: Span, of: Of & { goneOnly: boolean }): string {
  return toPath('/review', writeReviewQuery(toFallsReview(span, of)))
}

/** The path of a line's panel. */
export function toLinePath(connectionId: string, id: string, isGone = false): string {
  const query = new URLSearchParams({ ...(isGone && { gone: '1' }), line: `${connectionId}~${id}` })
  return toPath('/lines', query.toString())
}

/** The path of the page on which what is talked of is seen, and what was said. */
export function toSubjectPath({ kind, connectionId, key }: Subject): string {
  switch (kind) {
    case 'line':
      return toLinePath(connectionId ?? '', key)
    case 'invoice':
      return `/invoices/${encodeURIComponent(connectionId ?? '')}/${encodeURIComponent(key)}`
    case 'trip':
      return `/trips/${encodeURIComponent(key)}`
    case 'group': {
      const at = key.indexOf('=')
      return toPath('/lines', new URLSearchParams({ [key.slice(0, at)]: key.slice(at + 1) }).toString())
    }
    case 'period': {
      const [month = '', profile] = key.split(/~(.*)/s)
      const of = { connection: connectionId ?? '', month_issued: month, ...(profile !== undefined && { profile }) }
      return toPath('/lines', new URLSearchParams(of).toString())
    }
  }
}

function toPath(path: string, search: string): string {
  return search === '' ? path : `${path}?${search}`
}
