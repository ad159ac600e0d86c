import { expect, test } from 'vitest'
import type { ConnectionId } from '#lib/ids.ts'
import { toInvoicesAddress, toLinesAddress } from './coverage-addresses.ts'
import { toMonthDays } from './coverage-words.ts'
import { toMonthAddress } from './pack-calendar.ts'

const spot = { connectionId: 'c1' as ConnectionId, profileId: 'a&from=b' }
const ADDRESSES: [name: string, toAddress: (month: string) => string][] = [
  ['invoices', (month) => toInvoicesAddress({ ...spot, month })],
  ['invoices with gaps', (month) => toInvoicesAddress({ ...spot, month }, ['unexplained', 'not_imported'])],
  ['lines', (month) => toLinesAddress({ ...spot, month })],
]

test.each(ADDRESSES)('the address of %s of a month is put together of two parts and its days', (_, toAddress) => {
  const parts = toMonthAddress(toAddress)
  for (const month of ['2024-02', '2026-02', '2026-11', '2026-12'])
    expect(parts.join(toMonthDays(month))).toBe(toAddress(month))
})
