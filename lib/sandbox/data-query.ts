import { isRealDay } from './data/calendar.ts'
import type { ListFilter } from './data/model.ts'

export type ListQuery = {
  filter: ListFilter
  sort: 'issuing_date' | '-issuing_date' | null
  offset: number
  limit: number
}

const INVOICE_FILTERS: Readonly<Record<string, keyof ListFilter>> = {
  profile_id: 'profileId',
  serial_number: 'serialNumber',
  serial_number_contains: 'serialNumberContains',
  billing_period: 'billingPeriod',
  status: 'status',
  issuing_date_gte: 'issuingDateFrom',
  issuing_date_lte: 'issuingDateTo',
  due_date_gte: 'dueDateFrom',
  due_date_lte: 'dueDateTo',
}
const LINE_FILTERS: Readonly<Record<string, keyof ListFilter>> = {
  ...INVOICE_FILTERS,
  expense_date_gte: 'expenseDateFrom',
  expense_date_lte: 'expenseDateTo',
}
const MIN_LIMIT = 10
const MAX_LIMIT = 50
const DAY_PARAMETER = /_(gte|lte)$/

/**
 * Reads the query of a list (partner facts: filters, sort, offset, limit 10 to 50). Refuses an
 * unknown or repeated parameter: a client's spelling mistake must not silently return everything.
 */
export function parseListQuery(
  query: URLSearchParams,
  list: 'invoices' | 'lines' | 'profiles',
): ListQuery | { error: string } {
  const filters = list === 'lines' ? LINE_FILTERS : list === 'invoices' ? INVOICE_FILTERS : {}
  const result: ListQuery = { filter: {}, sort: null, offset: 0, limit: MIN_LIMIT }
  for (const [name, value] of query) {
    if (query.getAll(name).length > 1) return { error: `${name} is given twice` }
    const rule = filters[name]
    if (rule !== undefined) {
      if (DAY_PARAMETER.test(name) && !isRealDay(value)) return { error: `${name} must be a day, YYYY-MM-DD` }
      result.filter[rule] = value
    } else if (name === 'offset' || name === 'limit') {
      if (!/^\d{1,9}$/.test(value)) return { error: `${name} must be a whole number` }
      result[name] = Number(value)
    } else if (name === 'sort' && list === 'invoices') {
      if (value !== 'issuing_date' && value !== '-issuing_date')
        return { error: 'sort must be issuing_date or -issuing_date' }
      result.sort = value
    } else return { error: `unknown query parameter: ${name}` }
  }
  if (result.limit < MIN_LIMIT || result.limit > MAX_LIMIT)
    return { error: `limit must be from ${MIN_LIMIT} to ${MAX_LIMIT}` }
  return result
}
