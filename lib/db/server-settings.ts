/**
 * PostgreSQL's settings for a ledger of millions of lines. Its own defaults are for a machine of
 * 1996: they sort on disk and read again what memory could hold.
 */
import { availableParallelism, totalmem } from 'node:os'
import { withConnection } from './one-connection.ts'

export type Machine = { memoryBytes: number; processors: number }

const MEGABYTE = 1024 ** 2

/** This machine as PostgreSQL would find it. */
export function readMachine(): Machine {
  return { memoryBytes: totalmem(), processors: availableParallelism() }
}

/**
 * What the embedded server starts with (`name=value`). It shares the machine with web server and
 * worker, so it takes an eighth of the memory for its cache.
 */
export function toServerSettings({ memoryBytes, processors }: Machine): string[] {
  const share = (part: number, least: number, most: number) =>
    `${Math.round(Math.min(Math.max(memoryBytes * part, least * MEGABYTE), most * MEGABYTE) / MEGABYTE)}MB`
  return [
    `shared_buffers=${share(1 / 8, 128, 4096)}`,
    // a hint for the planner: what the operating system's cache can be expected to hold
    `effective_cache_size=${share(1 / 2, 512, 65_536)}`,
    // for each sort and hash of each query: few run at once
    `work_mem=${share(1 / 256, 8, 64)}`,
    `maintenance_work_mem=${share(1 / 32, 64, 512)}`,
    `max_parallel_workers=${processors}`,
    `max_parallel_workers_per_gather=${Math.min(processors, 4)}`,
    // compiling a query costs more than a page may take
    'jit=off',
    // a solid-state disk finds any page about as fast as the next one
    'random_page_cost=1.1',
    // a backfill writes gigabytes: fewer checkpoints, fewer whole pages in the log
    'max_wal_size=4GB',
    'checkpoint_timeout=15min',
  ]
}

/** What a server is set to; sizes in bytes. */
type ServerSettings = { sharedBuffers: number; workMem: number; randomPageCost: number; jit: boolean }

const SETTINGS_QUERY = `
  select pg_size_bytes(current_setting('shared_buffers'))::float8 as "sharedBuffers",
         pg_size_bytes(current_setting('work_mem'))::float8 as "workMem",
         current_setting('random_page_cost')::float8 as "randomPageCost",
         current_setting('jit')::boolean as jit`

/** `listFarOff` of the server at an address. @throws the driver's error when it does not answer. */
export async function readFarOff(databaseUrl: string): Promise<string[]> {
  const { rows } = await withConnection(databaseUrl, (client) => client.query<ServerSettings>(SETTINGS_QUERY))
  return rows.flatMap(listFarOff)
}

/**
 * @internal Says what of a server's settings is far from what a large ledger needs: clauses, to
 * follow "PostgreSQL's". The server's machine is not known here, so only settings that fit no
 * machine of today are named.
 */
export function listFarOff({ sharedBuffers, workMem, randomPageCost, jit }: ServerSettings): string[] {
  const found: string[] = []
  if (sharedBuffers < 256 * MEGABYTE)
    found.push(`shared_buffers is ${toMegabytes(sharedBuffers)}: a quarter of the machine's memory is usual`)
  if (workMem < 8 * MEGABYTE) found.push(`work_mem is ${toMegabytes(workMem)}: 32 MB lets groups be made in memory`)
  if (randomPageCost > 2) found.push(`random_page_cost is ${randomPageCost}: 1.1 fits a solid-state disk`)
  if (jit) found.push('jit is on: compiling a query takes longer than the query')
  return found
}

function toMegabytes(bytes: number): string {
  return `${Math.round(bytes / MEGABYTE)} MB`
}
