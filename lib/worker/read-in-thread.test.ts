import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { buildWorker } from '#lib/cli/builds/worker-build.ts'
import { INVOICE, LINE, toRaw } from '#lib/partner/test-support/test-records.ts'
import type { SyncList } from '#lib/sync/model.ts'
import { readRecordsHere } from '#lib/sync/pages/read-records.ts'
import { readInThread } from './read-in-thread.ts'

const { recordThread } = buildWorker()
const toRead = (...texts: string[]) => texts.map((raw) => ({ raw }))
const BATCHES: [SyncList, { raw: string }[]][] = [
  ['profiles', toRead('{"id": "a", "name": "Acme Travel"}')],
  ['invoices', toRead(toRaw(INVOICE, { serial_number: 'A-1' }), '{"serial_number": "A-2"}')],
  [
    'lines',
    toRead('not JSON', toRaw(LINE, { id: 'a', brand_new: 1 }), toRaw(LINE, { id: 'b', total_amount: '1.005' })),
  ],
  ['lines', []],
]

test('records read in a thread are byte for byte what they are when read here, whatever is asked at once', async () => {
  const read = readInThread(recordThread)
  const answers = await Promise.all(BATCHES.map(([list, records]) => read(list, records)))
  const expected = await Promise.all(BATCHES.map(([list, records]) => readRecordsHere(list, records)))
  expect(answers).toEqual(expected)
  expect(answers[2]?.rejections.size).toBe(1)
})

test('F20: a thread that dies fails what it was asked, and the next question starts another', {
  timeout: 10_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tieout-thread-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'thread.cjs')
  writeFileSync(
    path,
    `const { parentPort } = require('node:worker_threads')
     parentPort.on('message', ({ number, records }) => {
       if (records[0].raw === 'die') process.exit(3)
       parentPort.postMessage({ number, failure: 'it is alive' })
     })`,
  )
  const read = readInThread(path)
  const lost = await Promise.allSettled([read('lines', toRead('die')), read('lines', toRead('after it'))])
  expect(lost.map((each) => each.status === 'rejected' && each.reason.message)).toEqual([
    expect.stringContaining('exit code 3'),
    expect.stringContaining('exit code 3'),
  ])
  await expect(read('lines', toRead('again'))).rejects.toThrow('it is alive')
})
