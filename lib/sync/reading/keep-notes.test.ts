import { afterAll, beforeAll, expect, test } from 'vitest'
import { QUICK_TIMING, type SyncWorld, seedSyncWorld, syncNow } from '../test-support/seed.ts'
import { keepNotes } from './keep-notes.ts'

let world: SyncWorld

beforeAll(async () => {
  world = await seedSyncWorld({ size: { kind: 'huge', lines: 12_000 }, pageSize: 500 })
})
afterAll(() => world.close())

/** After how many written records notes were made, for groups of so many. */
async function listMoments(count: number, size: number, isAnybodyHere: (at: number) => boolean): Promise<number[]> {
  const moments: number[] = []
  let written = 0
  const note = keepNotes(
    async () => moments.push(written),
    () => undefined,
  )
  for (let at = 0; at < count; at++) {
    written += size
    await note({ written: size, isAnybodyHere: isAnybodyHere(at) })
  }
  return moments
}

test('invoices are noted after each ten thousand records, later after each tenth, while somebody is here', async () => {
  expect(await listMoments(16, 2000, () => true)).toEqual([10_000, 20_000, 30_000])
  expect(await listMoments(7, 100_000, () => true)).toEqual([1, 2, 3, 4, 5, 6, 7].map((nth) => nth * 100_000))
  expect((await listMoments(100, 10_000, () => true)).length).toBeLessThan(40)
  expect(await listMoments(10, 2000, () => false)).toEqual([])
  // what came while nobody was here is noted when somebody comes
  expect(await listMoments(10, 2000, (at) => at >= 7)).toEqual([16_000])
})

test('a sync goes on without notes that could not be made', async () => {
  const failures: unknown[] = []
  const note = keepNotes(
    async () => Promise.reject(new Error('no room')),
    (thrown) => failures.push(thrown),
  )
  await note({ written: 10_000, isAnybodyHere: true })
  expect(String(failures)).toContain('no room')
})

test.each([
  ['somebody is here, most invoices are noted before it ends', true],
  ['nobody is here, none is noted before it ends', false],
])('while a first backfill runs and %s', async (_, isAnybodyHere) => {
  const { connectionId } = await world.connect('nordlicht')
  let noted: Promise<{ words: number; plain: number }[]> = Promise.resolve([])
  const { outcome } = await syncNow(world, connectionId, {
    timing: { ...QUICK_TIMING, groupPages: 4, pagesAhead: 4, windowRecords: 100_000 },
    giveWay: async () => isAnybodyHere,
    failpoint: (name) => {
      if (name === 'before-finish')
        noted = world.database.query(
          `select (select count(*)::int from invoice_words where connection_id = $1) as words,
                  (select count(*)::int from plain_invoice where connection_id = $1) as plain`,
          [connectionId],
        )
    },
  })
  expect(outcome).toBe('succeeded')
  const [{ words = 0, plain = 0 } = {}] = await noted
  expect([words > 150, plain > 150]).toEqual([isAnybodyHere, isAnybodyHere])
  if (!isAnybodyHere) expect([words, plain]).toEqual([0, 0])
})
