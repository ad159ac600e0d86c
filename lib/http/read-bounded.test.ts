import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { BODY_DEADLINE_MS, readBounded } from './read-bounded.ts'

/** A request whose body `pull` writes; `isCanceled` says whether reading stopped early. */
function requestWith(pull: UnderlyingDefaultSource<Uint8Array>['pull']) {
  const seen = { isCanceled: false }
  const body = new ReadableStream<Uint8Array>({
    pull,
    cancel: () => {
      seen.isCanceled = true
    },
  })
  const init: RequestInit & { duplex: 'half' } = { method: 'POST', body, duplex: 'half' }
  return { request: new Request('http://localhost:3000/', init), seen }
}

const bytes = (text: string) => new Uint8Array(Buffer.from(text))

test('reads a body byte for byte, and a missing one as empty', async () => {
  const parts = ['{"a"', ':"ä', '"}']
  const { request } = requestWith((controller) => {
    const part = parts.shift()
    if (part === undefined) controller.close()
    else controller.enqueue(bytes(part))
  })
  expect((await readBounded(request, 100)) as { bytes?: Buffer }).toMatchObject({ bytes: Buffer.from('{"a":"ä"}') })
  const empty = new Request('http://localhost:3000/', { method: 'POST' })
  expect(await readBounded(empty, 100)).toEqual({ kind: 'read', bytes: Buffer.alloc(0) })
})

test('refuses a body with one byte too many, and stops reading', async () => {
  let pulled = 0
  const { request, seen } = requestWith((controller) => {
    pulled += 1
    controller.enqueue(bytes('x'.repeat(10)))
  })
  expect(await readBounded(request, 99)).toMatchObject({ kind: 'refused', status: 413 })
  expect(seen.isCanceled).toBe(true)
  expect(pulled).toBeLessThanOrEqual(12)
})

test.each([
  ['drips', 10],
  ['stops', 600_000],
])('refuses a body that %s at its deadline, and stops reading', async (_, pauseMs) => {
  const { request, seen } = requestWith(async (controller) => {
    controller.enqueue(bytes('x'))
    await delay(pauseMs, undefined, { ref: false })
  })
  const begin = performance.now()
  expect(await readBounded(request, 1_000_000, 200)).toMatchObject({ kind: 'refused', status: 408 })
  expect(performance.now() - begin).toBeLessThan(5_000)
  expect(seen.isCanceled).toBe(true)
})

test('refuses a body that breaks off', async () => {
  const { request } = requestWith((controller) => controller.error(new Error('aborted')))
  expect(await readBounded(request, 100)).toMatchObject({ kind: 'refused', status: 400 })
})

test('gives a body half a minute', () => {
  expect(BODY_DEADLINE_MS).toBe(30_000)
})
