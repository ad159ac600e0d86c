import { mkdirSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { canMountSmallDisk, mountSmallDisk, type SmallDisk } from '#lib/db/test-support/test-small-disk.ts'
import { settings } from '#lib/env.ts'
import type { ConnectionId } from '#lib/ids.ts'
import { type RefreshWorld, startRefreshWorld, TOKEN_ENDPOINT } from '../test-support/test-refresh-world.ts'
import { sealAnswer } from './refresh-answer.ts'
import {
  LARGEST_ANSWER_BYTES,
  listSpooled,
  RESERVED_BYTES,
  readSpooled,
  reserveSpool,
  spoolDirectory,
} from './spool.ts'
import { replaySpool } from './spool-replay.ts'

const CONNECTION = '00000000-0000-4000-8000-000000000001' as ConnectionId
let world: RefreshWorld

beforeAll(async () => {
  world = await startRefreshWorld()
})
afterAll(() => world.close())
beforeEach(() => rmSync(spoolDirectory(), { recursive: true, force: true }))

test('an answer is listed from the moment it is kept until it is removed', async () => {
  const slot = await reserveSpool(CONNECTION, 3)
  expect(await listSpooled()).toEqual([])
  await slot.keep('sealed')
  const [kept] = await listSpooled(CONNECTION)
  expect(kept).toMatchObject({ connectionId: CONNECTION, generation: 3 })
  expect(kept && (await readSpooled(kept))).toBe('sealed')
  expect(await listSpooled('00000000-0000-4000-8000-000000000002' as ConnectionId)).toEqual([])
  await slot.remove()
  expect(readdirSync(spoolDirectory())).toEqual([])
  expect(kept && (await readSpooled(kept))).toBe(null)
})

test('removes room reserved by a dead process after ten minutes, and not before', async () => {
  const slot = await reserveSpool(CONNECTION, 1)
  await listSpooled()
  const [name = ''] = readdirSync(spoolDirectory())
  expect(name).toMatch(/\.reserved$/)
  const longAgo = Date.now() / 1000 - 601
  utimesSync(join(spoolDirectory(), name), longAgo, longAgo)
  await listSpooled()
  expect(readdirSync(spoolDirectory())).toEqual([])
  await slot.remove()
})

test('F30: without room for the answer nothing is sent, and the same token is used once there is room', async () => {
  await world.renew()
  await world.age()
  const { spoolDir } = settings()
  writeFileSync(`${spoolDir}-full`, '')
  settings().spoolDir = join(`${spoolDir}-full`, 'spool')
  await expect(world.getToken()).rejects.toMatchObject({ code: 'spool-unavailable', retryable: true })
  expect(world.refreshes()).toEqual({})
  expect(await world.readRow()).toMatchObject({ state: 'active', lease_owner: null, generation: 1 })
  settings().spoolDir = spoolDir
  rmSync(`${spoolDir}-full`)
  expect((await world.getToken()).generation).toBe(2)
})

test('F30: the reserved room holds the largest answer that is read, sealed', async () => {
  const answer = {
    organizationId: 'f'.repeat(CONNECTION.length),
    connectionId: CONNECTION,
    attemptId: CONNECTION,
    owner: CONNECTION,
    generation: 2_000_000_000,
    startedAt: new Date(),
    receivedAt: new Date(),
    status: 200,
    // as much as a server can send in one answer
    headers: { 'content-type': '\u0080'.repeat(8_000), 'retry-after': '"'.repeat(8_000), date: 'x'.repeat(8_000) },
    body: Buffer.alloc(LARGEST_ANSWER_BYTES, 'x'),
  }
  const { sealed } = await sealAnswer(answer)
  expect(Buffer.byteLength(sealed)).toBeLessThanOrEqual(RESERVED_BYTES)
})

test('F30: the largest answer is kept and used, and reading a larger one stops at that size', async () => {
  const answerWith = (bytes: number) =>
    world.sandbox.state().faults.add({ ...TOKEN_ENDPOINT, action: { type: 'pad', bytes } })
  await world.renew()
  await world.age()
  answerWith(LARGEST_ANSWER_BYTES)
  expect((await world.getToken()).generation).toBe(2)
  expect((await world.readRow()).outcomes).toEqual(['renewed'])
  await world.age()
  answerWith(LARGEST_ANSWER_BYTES + 1)
  // the platform has acted, and this one has no grace period
  await expect(world.getToken()).rejects.toMatchObject({ code: 'connection-needs-reconnect' })
  expect((await world.readRow()).outcomes).toEqual(['renewed', 'in_doubt', 'invalid_grant'])
})

/** Records forced writes: files by their name at the time, folders by their contents. */
async function watchForcedWrites(): Promise<string[]> {
  const forced: string[] = []
  const probe = await open(spoolDirectory(), 'r')
  const prototype = Object.getPrototypeOf(probe) as FileHandle
  await probe.close()
  const { sync } = prototype
  vi.spyOn(prototype, 'sync').mockImplementation(async function (this: FileHandle) {
    await sync.call(this)
    const { ino, size } = await this.stat()
    const names = readdirSync(spoolDirectory())
    if (statSync(spoolDirectory()).ino === ino)
      forced.push(`folder with ${names.map((name) => name.split('.').at(-1)).join()}`)
    const name = names.find((each) => statSync(join(spoolDirectory(), each)).ino === ino)
    if (name !== undefined) forced.push(`${name.split('.').at(-1)} ${size >= RESERVED_BYTES ? 'of full size' : 'cut'}`)
  })
  return forced
}
afterEach(() => vi.restoreAllMocks())

test('F5 F7: forces the room to disk before the request, and the answer and its name before storing it', async () => {
  await world.renew()
  await world.age()
  mkdirSync(spoolDirectory(), { recursive: true })
  const forced = await watchForcedWrites()
  const places: Record<string, string[]> = {}
  const { generation } = await world.getToken({
    failpoint: (place) => {
      places[place] = forced.splice(0)
    },
  })
  expect(generation).toBe(2)
  expect(places).toEqual({
    'before-intent': [],
    'after-intent': [],
    'after-send': ['reserved of full size'],
    'after-receive': [],
    'after-spool': ['reserved cut', 'folder with answer'],
    'after-commit': [],
  })
})

const needsSmallDisk = canMountSmallDisk('F30 of the spool, on a disk that is really full')

test.skipIf(!needsSmallDisk)(
  'F30: on a truly full disk nothing is sent; one that fills up meanwhile still takes the answer',
  async () => {
    const { spoolDir } = settings()
    const disk = mountSmallDisk(2 * 1024 * 1024) as SmallDisk
    try {
      await world.renew()
      await world.age()
      settings().spoolDir = join(disk.folder, 'spool')
      mkdirSync(settings().spoolDir)
      // a full disk: nothing is sent
      disk.fill()
      await expect(world.getToken()).rejects.toMatchObject({ code: 'spool-unavailable' })
      expect([world.refreshes(), readdirSync(settings().spoolDir)]).toEqual([{}, []])
      expect(await world.readRow()).toMatchObject({ state: 'active', generation: 1 })
      // it fills up while the token is on its way: the answer has its room, however large it is
      disk.makeRoom()
      await world.passPause()
      world.sandbox.state().faults.add({ ...TOKEN_ENDPOINT, action: { type: 'pad', bytes: LARGEST_ANSWER_BYTES } })
      const seen: unknown[] = []
      const renewed = await world.getToken({
        failpoint: async (place) => {
          if (place === 'after-send') seen.push(disk.fill() > 0)
          if (place === 'after-spool') seen.push((await listSpooled()).length)
        },
      })
      expect([seen, renewed.generation]).toEqual([[true, 1], 2])
      expect(world.isLive(renewed.accessToken)).toBe(true)
    } finally {
      settings().spoolDir = spoolDir
      disk.unmount()
    }
  },
)

test.skipIf(!needsSmallDisk)('F30: a disk with room for part of the largest answer counts as full', async () => {
  const { spoolDir } = settings()
  const disk = mountSmallDisk(RESERVED_BYTES / 2) as SmallDisk
  try {
    settings().spoolDir = join(disk.folder, 'spool')
    await expect(reserveSpool(CONNECTION, 1)).rejects.toMatchObject({ code: 'spool-unavailable' })
    expect(readdirSync(settings().spoolDir)).toEqual([])
  } finally {
    settings().spoolDir = spoolDir
    disk.unmount()
  }
})

test('F18: a spooled answer that cannot be opened stays, and keeps no worker from starting', async () => {
  mkdirSync(spoolDirectory(), { recursive: true })
  const slot = await reserveSpool(CONNECTION, 1)
  await slot.keep('damaged')
  expect(await replaySpool()).toBe(0)
  expect(await listSpooled()).toHaveLength(1)
})
