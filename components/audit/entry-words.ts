import { listChips } from '#components/filters/filter-chips.ts'
import type { FilterOptions } from '#components/filters/filter-fields.ts'
import type { ListQuery } from '#components/query/list-address.ts'
import { LISTS, type ListName } from '#components/query/lists.ts'
import { toLossCounts } from '#components/sync/loss-words.ts'
import { plural } from '#components/text/plural.ts'
import { type AuditEntry, toActionWords } from '#lib/audit/model.ts'
import { toSearchParams } from '#lib/ledger/query/search-params.ts'
import { formatAmount } from '#lib/reconcile/format.ts'
import { parseDecimal } from '#lib/reconcile/money.ts'
import { readMembers } from './audit-changes.ts'

/** No names of accounts, profiles and trips: what was asked for stands as it was asked for. */
const NO_OPTIONS = new Proxy({} as FilterOptions, { get: () => [] })

/**
 * What was done, with its numbers where the entry has them; `subject` follows unless it is said.
 */
export function describeEntry(entry: AuditEntry): { words: string; subject: string | null } {
  const after = readMembers(entry.after)
  const plain = { words: toActionWords(entry.action), subject: entry.subjectName }
  switch (entry.action) {
    case 'export.started':
    case 'export.ended': {
      const list = entry.subjectName
      if (list === null || !isList(list)) return plain
      const asked = describeFilters(list, after.get('filters'))
      if (entry.action === 'export.started') return { words: `began to export ${list}${asked}`, subject: null }
      const rows = toCount(after.get('rows'))
      const whole = after.get('outcome') === 'complete' ? 'complete' : 'broken off, not complete'
      return { words: `exported ${rows === null ? list : toRows(list, rows)}${asked}: ${whole}`, subject: null }
    }
    case 'loss.accepted':
    case 'loss.taken-back': {
      const isBack = entry.action === 'loss.taken-back'
      const lines = toCount(after.get(isBack ? 'linesBack' : 'linesMarked'))
      const invoices = toCount(after.get(isBack ? 'invoicesBack' : 'invoicesMarked'))
      if (lines === null || invoices === null) return plain
      const sums = toSums(after.get('totals'))
      const what = `the removal of ${toLossCounts(lines, invoices)}${sums}`
      return { words: isBack ? `took back ${what}` : `accepted ${what}`, subject: entry.subjectName }
    }
    default:
      return plain
  }
}

function toRows(list: ListName, rows: number): string {
  if (list === 'groups') return plural(rows, 'row of groups', 'rows of groups')
  return plural(rows, list === 'lines' ? 'line' : 'invoice')
}

function isList(name: string): name is ListName {
  return Object.hasOwn(LISTS, name)
}

/** The filters of a file in the words of the filter bar: ` (Issued Sep 2026, Currency EUR)`. */
function describeFilters(list: ListName, filters: string | undefined): string {
  const raw = toSearchParams(new URLSearchParams(filters ?? ''))
  const target = { list, query: LISTS[list].query.parse(raw) } as ListQuery
  const chips = listChips(target, NO_OPTIONS).map(({ label, valueText }) => `${label} ${valueText}`.trim())
  const search = [raw.q].flat()[0]
  const parts = [...chips, ...(search ? [`search “${search}”`] : [])]
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`
}

/** `: EUR 31,148.86 · JPY 227,588` of what was marked; nothing for what is no such list. */
function toSums(text: string | undefined): string {
  const totals = readList(text)
  const sums = totals.flatMap(({ currency, totalAmount }) => {
    const amount = parseDecimal(String(totalAmount))
    return typeof currency === 'string' && amount !== null ? `${currency} ${formatAmount(amount, currency)}` : []
  })
  return sums.length === 0 ? '' : `: ${sums.join(' · ')}`
}

/** Somebody else may have written the entry: what is no list of objects is an empty one. */
function readList(text: string | undefined): Record<string, unknown>[] {
  try {
    const value: unknown = JSON.parse(text ?? '')
    return Array.isArray(value) ? value.filter((each) => typeof each === 'object' && each !== null) : []
  } catch {
    return []
  }
}

function toCount(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null
}
