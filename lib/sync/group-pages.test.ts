import { expect, test } from 'vitest'
import { LINE, toRaw } from '../partner/test-records.ts'
import { groupPages, ofPart } from './page-group.ts'
import { type PageRead, toPageRead } from './page-read.ts'
import { createWalk } from './walk.ts'

const line = (id: string, change: object = {}) => toRaw(LINE, { id, ...change })
const page = (offset: number, ...records: string[]) =>
  toPageRead(offset, { total: 10, offset, records, bytes: 0, bodyHash: `page at ${offset}` }, null)
const group = (...pages: PageRead[]) => groupPages('lines', pages, createWalk(), 1, async () => null)

test('pages without a record in common are one group', async () => {
  const groups = await group(page(0, line('a'), line('b')), page(2, line('c')))
  expect(groups.map(({ pages }) => pages.map(({ offset }) => offset))).toEqual([[0, 2]])
  expect(groups[0]?.parts.map(ofPart)).toEqual([
    { page: 0, isRepeat: false },
    { page: 0, isRepeat: false },
    { page: 1, isRepeat: false },
  ])
})

test('F21: a page with a record of an earlier page begins the next group, so that the later text is written last', async () => {
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

test('of a record that comes several times on a page one is applied and the others are duplicates', async () => {
  const [only] = await group(
    page(0, line('a'), line('a', { description: 'second' }), line('a', { description: 'third' })),
  )
  expect(only?.parts.map(ofPart)).toEqual([{ page: 0, isRepeat: false }])
  expect(only?.pages[0]?.counts).toMatchObject({ received: 3, duplicate: 2, rejected: 0 })
})

test('F24: what deviates from the interface is kept with the first group, wherever it was seen', async () => {
  const groups = await group(page(0, line('a')), page(1, line('a', { brand_new: 1 })))
  expect(groups.map(({ drift }) => drift.size > 0)).toEqual([true, false])
})
