import { expect, test } from 'vitest'
import { LINE, toRaw } from '#lib/partner/test-support/test-records.ts'
import { createWalk } from '../windows/walk.ts'
import { groupPages, ofPart } from './group-pages.ts'
import { type Page, toPage } from './page.ts'
import { readRecordsHere } from './read-records.ts'
import { toRecordKey } from './record-key.ts'

const line = (id: string, change: object = {}) => toRaw(LINE, { id, ...change })
const page = (offset: number, ...records: string[]) =>
  toPage(offset, { total: 10, offset, records, bytes: 0, bodyHash: `page at ${offset}` }, null)
const alone = { list: 'lines', pass: 1, findKnown: async () => null, readRecords: readRecordsHere } as const
const group = (...pages: Page[]) => groupPages({ ...alone, walk: createWalk() }, pages)

test('pages without a record in common form one group', async () => {
  const groups = await group(page(0, line('a'), line('b')), page(2, line('c')))
  expect(groups.map(({ pages }) => pages.map(({ offset }) => offset))).toEqual([[0, 2]])
  expect(groups[0]?.parts.map(ofPart)).toEqual([
    { page: 0, isRepeat: false },
    { page: 0, isRepeat: false },
    { page: 1, isRepeat: false },
  ])
})

test('F21: a page that repeats an earlier page’s record begins a new group, so its text is written last', async () => {
  const groups = await group(
    page(0, line('a'), line('b')),
    page(2, line('b', { description: 'as it is now' }), line('c')),
    page(4, line('d')),
  )
  expect(groups.map(({ pages }) => pages.map(({ offset }) => offset))).toEqual([[0], [2, 4]])
  expect(groups[1]?.parts.map(ofPart)).toEqual([
    { page: 0, isRepeat: true },
    { page: 0, isRepeat: false },
    { page: 1, isRepeat: false },
  ])
})

test('applies a record that comes several times on a page once, and counts the others as duplicates', async () => {
  const [only] = await group(
    // the third says the same in another order of its members
    page(0, line('a'), line('a'), JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(line('a'))).reverse()))),
  )
  expect(only?.parts.map(ofPart)).toEqual([{ page: 0, isRepeat: false }])
  expect(only?.pages[0]?.counts).toMatchObject({ received: 3, duplicate: 2, rejected: 0 })
  expect(only?.rejections).toEqual([])
})

test('sets the second of two different lines of one id aside with its money, and once for the same text', async () => {
  const second = line('a', { total_amount: '7.00' })
  const [only] = await group(page(0, line('a', { total_amount: '5.00' }), second, second))
  expect(only?.parts.map(ofPart)).toEqual([{ page: 0, isRepeat: false }])
  expect(only?.pages[0]?.counts).toMatchObject({ received: 3, duplicate: 1, rejected: 1 })
  expect(new Set(only?.pages[0]?.keys).size).toBe(2)
  expect(only?.rejections).toEqual([
    {
      raw: second,
      recordId: null,
      reason: 'Another line has the same id, and other content',
      path: 'id',
      invoiceSerialNumber: LINE.invoice_serial_number,
      statedTotal: { amount: '7.00', currency: LINE.currency },
    },
  ])
})

test('an unreadable line does not set aside the readable one of its id on the same page, in either order', async () => {
  const unreadable = line('a', { quantity: 'a lot' })
  for (const records of [
    [unreadable, line('a')],
    [line('a'), unreadable],
  ]) {
    const [only] = await group(page(0, ...records))
    expect(only?.parts.map(ofPart)).toEqual([{ page: 0, isRepeat: false }])
    expect(only?.rejections).toMatchObject([{ raw: unreadable, recordId: null }])
  }
})

test('F24: keeps deviations from the interface with the first group, wherever they were seen', async () => {
  const groups = await group(page(0, line('a')), page(1, line('a', { brand_new: 1 })))
  expect(groups.map(({ drift }) => drift.size > 0)).toEqual([true, false])
})

const AS_OF = { snapshot: '1:1:', touchOrder: '1' }
/** A recognized page with lines of these ids. */
const known = (offset: number, ...ids: string[]) =>
  toPage(offset, null, { offset, bodyHash: '', total: 10, keys: ids.map(toRecordKey), asOf: AS_OF })
const offsetsOf = (groups: Awaited<ReturnType<typeof group>>) =>
  groups.map(({ pages }) => pages.map(({ offset }) => offset))

test('a known page and a page that changes one of its lines form two groups, in either order', async () => {
  expect(offsetsOf(await group(known(0, 'a'), page(1, line('b')), known(2, 'c')))).toEqual([[0, 1, 2]])
  expect(offsetsOf(await group(known(0, 'a'), page(1, line('a'))))).toEqual([[0], [1]])
  expect(offsetsOf(await group(page(0, line('a')), known(1, 'a')))).toEqual([[0], [1]])
  // a rejected record also sets aside what was read of it before
  const unreadable = line('a', { total_amount: 'a lot' })
  expect(offsetsOf(await group(known(0, 'a'), page(1, unreadable)))).toEqual([[0], [1]])
  expect(offsetsOf(await group(page(0, unreadable), known(1, 'a')))).toEqual([[0], [1]])
})

test('counts a line of a known page that the run has met before as a duplicate', async () => {
  const [first] = await group(known(0, 'a', 'b'), known(2, 'b', 'c'))
  expect(first?.pages.map(({ counts }) => counts)).toEqual([
    expect.objectContaining({ received: 2, unchanged: 2, duplicate: 0 }),
    expect.objectContaining({ received: 2, unchanged: 1, duplicate: 1 }),
  ])
})
