import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { findAccount, reachableFolder } from './embedded-account.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'
import { readFarOff } from './server-settings.ts'

let folder: string
const running: EmbeddedPostgres[] = []
const occupied: Server[] = []

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tieout-embedded-'))
})
afterEach(async () => {
  for (const server of running.splice(0)) await server.leave()
  for (const server of occupied.splice(0)) server.close()
})
afterAll(() => {
  const elsewhere = reachableFolder(folder, findAccount())
  rmSync(elsewhere, { recursive: true, force: true })
  rmSync(folder, { recursive: true, force: true })
})

async function start(): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres(folder, 'books', ['fsync=off'])
  running.push(server)
  return server
}

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

test('starts a server without a superuser role, lets a second caller join, and stops after the last leaves', async () => {
  const [first, second] = await Promise.all([start(), start()])
  expect([first.startedHere, second.startedHere].sort()).toEqual([false, true])
  expect(second.url).toBe(first.url)
  const role = 'select current_database() as database, rolsuper from pg_roles where rolname = current_user'
  expect(await query(first.url, role)).toEqual([{ database: 'books', rolsuper: false }])
  await first.leave()
  await first.leave() // leaving twice counts once
  expect(await query(second.url, 'select 1 as one')).toEqual([{ one: 1 }])
  await second.leave()
  await expect(query(second.url, 'select 1')).rejects.toThrow('ECONNREFUSED')
})

test('the server starts with settings that fit the machine, and those of its caller win', async () => {
  const server = await startEmbeddedPostgres(folder, 'books', ['fsync=off', 'work_mem=9MB'])
  running.push(server)
  expect(await readFarOff(server.url)).toEqual([])
  expect(await query(server.url, 'show work_mem')).toEqual([{ work_mem: '9MB' }])
  await server.leave()
})

test('A9: web server and worker have roles that own nothing and no exemptions', async () => {
  const { url, urls, leave } = await start()
  await query(url, 'create table if not exists owned (id int)')
  const facts = `select rolname, rolsuper or rolbypassrls or rolcreaterole or rolcreatedb as "isMore" from pg_roles where rolname = current_user`
  for (const [process, its] of Object.entries(urls)) {
    expect(await query(its, facts)).toEqual([{ rolname: `tieout_${process}`, isMore: false }])
    await expect(query(its, 'select * from owned')).rejects.toThrow('permission denied')
  }
  await leave()
})

test('an earlier version’s server with one role gets the other two and keeps its data', async () => {
  const before = await start()
  await query(before.url, 'create table if not exists earlier (id int)')
  await before.leave()
  const secretsFile = join(folder, 'server.json')
  const { rolePasswords, ...earlier } = JSON.parse(readFileSync(secretsFile, 'utf8'))
  expect(Object.keys(rolePasswords)).toEqual(['web', 'worker'])
  writeFileSync(secretsFile, JSON.stringify(earlier))
  const after = await start()
  expect(await query(after.url, 'select count(*) from earlier')).toEqual([{ count: '0' }])
  for (const its of Object.values(after.urls)) expect(await query(its, 'select 1 as one')).toEqual([{ one: 1 }])
  expect(Object.values(after.urls)).not.toEqual(Object.values(before.urls))
})

test('keeps its data from start to start', async () => {
  const first = await start()
  await query(first.url, 'create table kept (id int)')
  await first.leave()
  const again = await start()
  expect(again.startedHere).toBe(true)
  expect(await query(again.url, 'select count(*) from kept')).toEqual([{ count: '0' }])
})

test('takes another port when its own is taken', async () => {
  const before = await start()
  await before.leave()
  const { port } = new URL(before.url)
  const other = createServer().listen(Number(port), '127.0.0.1')
  occupied.push(other)
  await new Promise((resolve) => other.once('listening', resolve))
  const after = await start()
  expect(new URL(after.url).port).not.toBe(port)
  expect(await query(after.url, 'select count(*) from kept')).toEqual([{ count: '0' }])
})

test('sets data aside whose password is lost, and never deletes it', async () => {
  const secretsFile = join(folder, 'server.json')
  const secrets = readFileSync(secretsFile, 'utf8')
  rmSync(secretsFile)
  const fresh = await start()
  expect(await query(fresh.url, `select to_regclass('kept') as kept`)).toEqual([{ kept: null }])
  await fresh.leave()
  const elsewhere = reachableFolder(folder, findAccount())
  const aside = readdirSync(elsewhere).filter((name) => name.startsWith('data-set-aside-'))
  expect(aside).toHaveLength(1)
  expect(existsSync(join(elsewhere, aside[0] as string, 'PG_VERSION'))).toBe(true)
  expect(secrets).not.toBe(readFileSync(secretsFile, 'utf8'))
})

test('starts over when the very first start was interrupted', async () => {
  const secretsFile = join(folder, 'server.json')
  const unfinished = { ...JSON.parse(readFileSync(secretsFile, 'utf8')), isInitialized: false }
  writeFileSync(secretsFile, JSON.stringify(unfinished))
  const server = await start()
  expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }])
})
