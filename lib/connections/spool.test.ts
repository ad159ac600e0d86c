import { mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { settings } from '../env.ts'
import { listSpooled, readSpooled, reserveSpool, spoolDirectory } from './spool.ts'
import { replaySpool } from './spool-replay.ts'
import { type RefreshWorld, startRefreshWorld } from './test-refresh-world.ts'

const CONNECTION = '00000000-0000-4000-8000-000000000001'
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
  expect(await listSpooled('00000000-0000-4000-8000-000000000002')).toEqual([])
  await slot.remove()
  expect(readdirSync(spoolDirectory())).toEqual([])
  expect(kept && (await readSpooled(kept))).toBe(null)
})

test('room that a dead process had set aside is cleared away after ten minutes, and not before', async () => {
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

test('F30: without room for the answer nothing is sent, and the same token is used once there is', async () => {
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

test('F18: a spooled answer that cannot be opened stays where it is and keeps nobody from starting', async () => {
  mkdirSync(spoolDirectory(), { recursive: true })
  const slot = await reserveSpool(CONNECTION, 1)
  await slot.keep('damaged')
  expect(await replaySpool()).toBe(0)
  expect(await listSpooled()).toHaveLength(1)
})
