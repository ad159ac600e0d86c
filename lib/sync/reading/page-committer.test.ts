import { expect, test } from 'vitest'
import { toPage } from '../pages/page.ts'
import { readRecordsHere } from '../pages/read-records.ts'
import type { SyncTiming } from '../runs/timing.ts'
import { QUICK_TIMING } from '../test-support/seed.ts'
import { createWalk } from '../windows/walk.ts'
import { wholeList } from '../windows/window-store.ts'
import { createCommitter } from './page-committer.ts'

const WINDOW = { ...wholeList('lines'), number: 1, maySplit: false, pass: 1, cursorOffset: 0 }
const toAnswer = (offset: number) => ({ total: null, offset, records: [String(offset)], bytes: 2, bodyHash: '' })

/** Groups are written when the test says so. */
function open(timing: Partial<SyncTiming>) {
  const prepared: number[] = []
  const sent: number[] = []
  const committed: number[] = []
  const ends: ((error?: Error) => void)[] = []
  const write = async (_window: unknown, _pass: number, _group: unknown, before: Promise<void>) => {
    const number = sent.push(sent.length) - 1
    const written = new Promise<void>((resolve, reject) => {
      ends.push((error) => (error === undefined ? resolve() : reject(error)))
    })
    // it may fail before anybody waits for it
    written.catch(() => undefined)
    await before
    await written
    committed.push(number)
  }
  const committer = createCommitter({
    list: 'lines',
    pass: 1,
    walk: createWalk(),
    findKnown: async () => null,
    readRecords: (list, records) => {
      prepared.push(...records.map(({ raw }) => Number(raw)))
      return readRecordsHere(list, records)
    },
    window: WINDOW,
    writer: { write, settle: async () => undefined },
    timing: { ...QUICK_TIMING, ...timing },
  })
  const add = (offset: number) => committer.add(toPage(offset, toAnswer(offset), null))
  const end = (at: number, error?: Error) => ends[at]?.(error)
  return { prepared, sent, committed, committer, add, end }
}

/** Reads `count` pages, each a group of its own. */
function readPages(count: number) {
  const { committer, add, ...rest } = open({ groupPages: 1 })
  const reading = (async () => {
    for (let offset = 0; offset < count; offset++) await add(offset)
    await committer.flush()
  })()
  reading.catch(() => undefined)
  return { ...rest, reading }
}

test('while a group is committed the next is sent and one more is prepared, and no other', async () => {
  const { prepared, sent, committed, reading, end } = readPages(9)
  await expect.poll(() => prepared).toEqual([0, 1, 2])
  expect(sent).toEqual([0, 1])
  expect(committed).toEqual([])
  end(0)
  await expect.poll(() => prepared).toEqual([0, 1, 2, 3])
  expect(sent).toEqual([0, 1, 2])
  expect(committed).toEqual([0])
  for (let at = 1; at < 9; at++) {
    await expect.poll(() => sent.length).toBeGreaterThan(at)
    end(at)
  }
  await reading
})

test('groups are committed in reading order, whichever is ready first', async () => {
  const { sent, committed, reading, end } = readPages(3)
  await expect.poll(() => sent).toEqual([0, 1])
  end(1)
  end(0)
  await expect.poll(() => sent).toEqual([0, 1, 2])
  end(2)
  await reading
  expect(committed).toEqual([0, 1, 2])
})

test('after a group fails no later one is committed or sent, and reading fails with the first error', async () => {
  const { sent, committed, reading, end } = readPages(9)
  await expect.poll(() => sent).toEqual([0, 1])
  end(1, new Error('the second group'))
  end(0)
  await expect(reading).rejects.toThrow('the second group')
  expect(committed).toEqual([0])
  expect(sent.length).toBeLessThan(4)
})

test('F29: reading a slow platform fails with the page after a group that failed, not at the end of the list', async () => {
  const { sent, add, end } = open({ groupPages: 1000, groupMs: 1 })
  await add(0)
  await expect.poll(() => sent).toEqual([0])
  end(0, new Error('the first group'))
  let offset = 1
  await expect
    .poll(() =>
      add(offset++).then(
        () => 'went on',
        (thrown: Error) => thrown.message,
      ),
    )
    .toBe('the first group')
})
