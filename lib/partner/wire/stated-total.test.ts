import { expect, test } from 'vitest'
import { parseOrNull } from '#lib/reconcile/json/parse.ts'
import { readStatedTotal } from './stated-total.ts'

test.each<[list: string, raw: string, total: [string, string] | null]>([
  ['lines', '{"unit_price":"12,30","total_amount":"12.30","currency":"EUR"}', ['12.30', 'EUR']],
  ['lines', '{"total_amount":-0.50,"currency":"jpy","total":"9"}', ['-0.50', 'JPY']],
  ['invoices', '{"total":"7.00","total_amount":"9","currency":"EUR"}', ['7.00', 'EUR']],
  ['lines', '{"total_amount":"12,30","currency":"EUR"}', null],
  ['lines', '{"total_amount":"12.30"}', null],
  ['lines', '{"metadata":{"total_amount":"12.30"},"currency":"EUR"}', null],
  ['lines', '["total_amount","12.30"]', null],
  ['lines', '{"total_amount":', null],
  ['profiles', '{"total":"7.00","currency":"EUR"}', null],
])('of an unreadable record of the %s, %s, the total is %j', (list, raw, total) => {
  const stated = readStatedTotal(list, parseOrNull(raw))
  expect(stated && [stated.amount, stated.currency]).toEqual(total)
})
