import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { identityOf, isAlive } from './process-identity.ts'
import { joinUsers } from './server-users.ts'
import { holdStartLock } from './start-lock.ts'

let folder: string
let file: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tieout-lock-'))
  file = join(folder, 'start.lock')
})
afterEach(() => rmSync(folder, { recursive: true }))

/** The identity of a process that has ended. */
function deadIdentity(): string {
  return `${spawnSync(process.execPath, ['-e', '']).pid}@1`
}

test('holds off a second holder until the first one frees the lock', async () => {
  const free = await holdStartLock(file)
  let isSecondIn = false
  const second = holdStartLock(file).then((freeSecond) => {
    isSecondIn = true
    return freeSecond
  })
  await holdStartLock(join(folder, 'other.lock')) // another lock does not block
  expect(isSecondIn).toBe(false)
  free()
  ;(await second)()
  expect(existsSync(file)).toBe(false)
})

test('lets exactly one of many take over the lock of a process that died', async () => {
  writeFileSync(file, `${deadIdentity()} some-id`)
  let inside = 0
  let most = 0
  const enter = async () => {
    const free = await holdStartLock(file)
    inside++
    most = Math.max(most, inside)
    await new Promise((resolve) => setImmediate(resolve))
    inside--
    free()
  }
  await Promise.all(Array.from({ length: 8 }, enter))
  expect(most).toBe(1)
  expect(readdirSync(folder)).toEqual([])
})

test('does not mistake a process with a reused id for the one that died', () => {
  expect(isAlive(identityOf(process.pid))).toBe(true)
  expect(isAlive(`${process.pid}@1`)).toBe(process.platform !== 'linux')
  expect(isAlive(deadIdentity())).toBe(false)
})

test('a server counts as unused only when its last living user leaves', () => {
  const users = join(folder, 'users')
  const leaveFirst = joinUsers(users)
  const leaveSecond = joinUsers(users)
  writeFileSync(join(users, `${deadIdentity()}.1`), '')
  expect(leaveFirst()).toBe(false)
  expect(leaveSecond()).toBe(true)
  expect(readdirSync(users)).toEqual([])
})

test('counts a living user of another process', async () => {
  const users = join(folder, 'users')
  const other = spawn(process.execPath, ['-e', 'process.stdin.resume()'])
  const leave = joinUsers(users)
  writeFileSync(join(users, `${identityOf(other.pid as number)}.1`), '')
  expect(leave()).toBe(false)
  other.stdin.end()
  await new Promise((resolve) => other.once('exit', resolve))
  expect(joinUsers(users)()).toBe(true)
})
