/** PostgreSQL on a file system that really fills up during a sync, and then gets room. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { expect, test } from 'vitest'
import { prepareSchema } from '#lib/cli/run/schema.ts'
import { findAccount, reachableFolder } from '#lib/db/embedded-account.ts'
import { EMBEDDED_ROLES, type EmbeddedPostgres, startEmbeddedPostgres } from '#lib/db/embedded-postgres.ts'
import { endPool, switchPool } from '#lib/db/pool.ts'
import type { TestDatabase } from '#lib/db/test-support/test-database.ts'
import { canMountSmallDisk, mountSmallDisk, type SmallDisk } from '#lib/db/test-support/test-small-disk.ts'
import { seedSyncWorld } from '#lib/sync/test-support/seed.ts'
import { expectUpstream } from '#lib/sync/test-support/test-upstream.ts'
import { startWorkerProcess } from './test-support/test-worker-process.ts'

const MEGABYTE = 1024 * 1024
/** Little memory and few files: writes reach the disk at once, and little is there beforehand. */
const SERVER = [
  'fsync=off',
  'autovacuum=off',
  'shared_buffers=8MB',
  'max_connections=40',
  'min_wal_size=32MB',
  'max_wal_size=32MB',
]
const needsSmallDisk = canMountSmallDisk('F30 of PostgreSQL, on a disk that really fills up during a sync')

/** The database as tests use one; one session per query, since the server may have gone down. */
async function openDatabase({ url, urls }: EmbeddedPostgres): Promise<TestDatabase> {
  await prepareSchema(url, EMBEDDED_ROLES)
  await switchPool(url)
  return {
    url,
    urls: { ...urls, both: url },
    query: async (text, values) => {
      const client = new pg.Client({ connectionString: url, options: '-c tieout.scope=system' })
      await client.connect()
      try {
        return (await client.query(text, values)).rows
      } finally {
        await client.end()
      }
    },
    drop: endPool,
  }
}

test.skipIf(!needsSmallDisk)(
  'F30: a disk really full under PostgreSQL stops a sync cleanly; with room it ends equal to upstream',
  { timeout: 300_000 },
  async () => {
    const disk = mountSmallDisk(320 * MEGABYTE) as SmallDisk
    const folder = join(disk.folder, 'postgres')
    const start = () => startEmbeddedPostgres(folder, 'books', SERVER)
    const servers: EmbeddedPostgres[] = [await start()]
    const [server] = servers as [EmbeddedPostgres]
    const database = await openDatabase(server)
    const world = await seedSyncWorld({ database, size: { kind: 'huge', lines: 8000 }, pageSize: 200 })
    const { connectionId, runId } = await world.connect('nordlicht')
    const readRun = async () => {
      const [run] = await database.query('select * from sync_run where id = $1', [runId])
      return run as Record<string, unknown>
    }
    const worker = startWorkerProcess(world, ['--lease-seconds=2', '--group-pages=1', '--sweep-ms=250'])
    try {
      await worker.ready
      disk.fill(4 * MEGABYTE)
      const log = join(reachableFolder(folder, findAccount()), 'server.log')
      await expect
        .poll(() => existsSync(log) && readFileSync(log, 'utf8'), { timeout: 120_000, interval: 200 })
        .toContain('No space left on device')
      const isOver = await Promise.race([worker.exited, new Promise((resolve) => setTimeout(resolve, 2000, 'alive'))])
      expect(isOver).toBe('alive')

      disk.makeRoom()
      // PostgreSQL recovers by itself, unless it could not even write its log; then restart it
      servers.push(await start())
      const before = await readRun()
      expect(before).toMatchObject({ status: 'running', kind: 'backfill' })
      expect(Number(before.lines_received)).toBeLessThan(8000)
      const settled = async () => {
        // ends the pause that the run got for its failure
        await database.query('update sync_run set lease_until = now() where error_code is not null and id = $1', [
          runId,
        ])
        return (await readRun()).status
      }
      await expect.poll(settled, { timeout: 120_000, interval: 500 }).toBe('succeeded')
      await expectUpstream(world, connectionId, 'nordlicht')
      // no page was stored by half or twice
      expect(await readRun()).toMatchObject({ duplicate: 0, updated: 0, unchanged: 0, rejected: 0 })
      // whichever filled up first, a table or PostgreSQL's own log
      expect(worker.output()).toMatch(/sync interrupted|database-unavailable/)
      worker.kill('SIGTERM')
      expect(await worker.exited).toBe(0)
    } finally {
      disk.makeRoom()
      worker.kill('SIGKILL')
      await worker.exited
      await world.close()
      for (const server of servers) await server.leave()
      disk.unmount()
    }
  },
)
