/** What is said of a COMMIT whose answer did not come. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { prepareSchema } from '#lib/cli/run/schema.ts'
import { isDatabaseTrouble } from './database-trouble.ts'
import { findAccount, reachableFolder } from './embedded-account.ts'
import { EMBEDDED_ROLES, type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'
import { withConnection } from './one-connection.ts'
import { endPool, switchPool } from './pool.ts'
import { withSystem, withSystemSql } from './tenant.ts'

let folder: string
let server: EmbeddedPostgres

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tieout-standby-'))
  chmodSync(folder, 0o711) // PostgreSQL may run as another account that must traverse it
  // a standby that is never there; only those who ask for it wait
  const options = ['fsync=off', 'synchronous_standby_names=nobody', 'synchronous_commit=local']
  server = await startEmbeddedPostgres(folder, 'tieout', options)
  await prepareSchema(server.url, EMBEDDED_ROLES)
  await switchPool(`${server.url}?options=${encodeURIComponent('-c synchronous_commit=on')}`)
}, 120_000)
afterAll(async () => {
  await endPool()
  await server.leave()
  rmSync(reachableFolder(folder, findAccount()), { recursive: true, force: true })
  rmSync(folder, { recursive: true, force: true })
})

const add = (name: string) => withSystemSql((sql) => sql('insert into organization (name) values ($1)', [name]))
const count = async (name: string) =>
  (await withSystemSql((sql) => sql('select from organization where name = $1', [name]))).length

test.each([
  ['SQL', () => add('SQL')],
  [
    'the typed models',
    () => withSystem((records) => records.organization.create({ data: { name: 'the typed models' } })),
  ],
])('F29: when the connection ends during COMMIT nobody says that nothing was changed: %s', async (name, change) => {
  const changing = change().then(
    () => null,
    (thrown: unknown) => thrown,
  )
  await endWaiting()
  const thrown = await changing
  expect(thrown).toMatchObject({
    code: 'commit-unknown',
    userText: expect.stringContaining('Look whether it is there'),
  })
  expect(isDatabaseTrouble(thrown)).toBe(true)
  expect(await count(name)).toBe(1)
})

test('F29: when it ends before COMMIT the change is known not to be there', async () => {
  const cut = withSystemSql(async (sql) => {
    await sql(`insert into organization (name) values ('before')`)
    const [row] = await sql<{ pid: number }>('select pg_backend_pid() as pid')
    await withConnection(server.url, (client) => client.query('select pg_terminate_backend($1)', [row?.pid]))
    await sql('select 1')
  })
  await expect(cut).rejects.not.toMatchObject({ code: 'commit-unknown' })
  expect(await count('before')).toBe(0)
})

/** Ends whoever waits for the standby, as a server does that stops. */
async function endWaiting(): Promise<void> {
  await withConnection(server.url, (client) =>
    expect
      .poll(
        async () =>
          (
            await client.query(
              `select pg_terminate_backend(pid) from pg_stat_activity where wait_event = 'SyncRep' and pid <> pg_backend_pid()`,
            )
          ).rowCount,
        { timeout: 10_000 },
      )
      .toBe(1),
  )
}
