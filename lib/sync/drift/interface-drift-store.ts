import { type Sql, withTenantSql } from '#lib/db/tenant.ts'
import type { ConnectionId, OrganizationId, RunId } from '#lib/ids.ts'
import type { ClaimedRun, InterfaceDrift, SyncList } from '../model.ts'
import type { DriftSighting, DriftSightings } from './interface-drift.ts'
import { INTERFACE_BASELINE } from './interface-drift-baseline.ts'

/** How long counts of known deviations may wait in memory. New deviations never wait. */
const WRITE_EVERY_MS = 5_000
/** How many runs' counts this process remembers; a worker holds only a few runs at a time. */
const MOST_RUNS = 32

/** What this process has written for a run, and what it has counted since. */
type RunState = { written: Set<string>; waiting: Map<string, WaitingSighting>; writtenAt: number }
type WaitingSighting = DriftSighting & { list: SyncList }
type DriftRun = Pick<ClaimedRun, 'organizationId' | 'id' | 'connectionId'>

const runs = new Map<string, RunState>()

/**
 * Keeps a page's deviations from the known interface, in the page's transaction. One that is new to
 * the run is written at once; the others are counted in memory and written every few seconds, so a
 * new key in every record does not cost a statement per page. Call the returned function after the
 * commit: until then nothing counts as written.
 */
export async function recordInterfaceDrift(
  sql: Sql,
  run: DriftRun,
  list: SyncList,
  sightings: DriftSightings,
  now = Date.now(),
): Promise<() => void> {
  const state = stateOf(run.id)
  const isNew = [...sightings.keys()].some((key) => !state.written.has(`${list} ${key}`))
  const isDue = state.waiting.size > 0 && now - state.writtenAt >= WRITE_EVERY_MS
  const all = merge(state.waiting, list, sightings)
  if (!isNew && !isDue)
    return () => {
      state.waiting = all
    }
  await writeSightings(sql, run, [...all.values()])
  return () => settle(state, all, now)
}

/** Writes the counts still in memory, in the transaction that ends the run. */
export async function flushInterfaceDrift(sql: Sql, run: DriftRun): Promise<void> {
  const state = runs.get(run.id)
  if (state !== undefined && state.waiting.size > 0) await writeSightings(sql, run, [...state.waiting.values()])
  runs.delete(run.id)
}

function stateOf(runId: RunId): RunState {
  const known = runs.get(runId)
  if (known !== undefined) return known
  const oldest = runs.keys().next()
  if (runs.size >= MOST_RUNS && !oldest.done) runs.delete(oldest.value)
  const state: RunState = { written: new Set(), waiting: new Map(), writtenAt: 0 }
  runs.set(runId, state)
  return state
}

function merge(waiting: Map<string, WaitingSighting>, list: SyncList, sightings: DriftSightings) {
  if (sightings.size === 0) return waiting
  const all = new Map(waiting)
  for (const [key, sighting] of sightings) {
    const before = all.get(`${list} ${key}`)?.records ?? 0
    all.set(`${list} ${key}`, { ...sighting, list, records: before + sighting.records })
  }
  return all
}

function settle(state: RunState, all: Map<string, WaitingSighting>, now: number): void {
  for (const key of all.keys()) state.written.add(key)
  state.waiting = new Map()
  state.writtenAt = now
}

async function writeSightings(sql: Sql, run: DriftRun, sightings: WaitingSighting[]): Promise<void> {
  await sql(
    `insert into interface_drift as stored (organization_id, connection_id, list, path, kind, detail, example,
       first_run_id, last_run_id, record_count)
     select $1::uuid, $2::uuid, s.list, s.path, s.kind, s.detail, s.example, $3::uuid, $3::uuid, s.records
     from json_to_recordset($4::json) as s (list text, path text, kind text, detail text, example text, records bigint)
     on conflict (organization_id, connection_id, list, path, kind, detail) do update
       set last_seen_at = excluded.last_seen_at, last_run_id = excluded.last_run_id,
           record_count = excluded.record_count
             + case when stored.last_run_id = excluded.last_run_id then stored.record_count else 0 end`,
    [run.organizationId, run.connectionId, run.id, JSON.stringify(dedupe(sightings))],
  )
}

/** Two keys cut to the same path share one row. */
function dedupe(sightings: WaitingSighting[]): WaitingSighting[] {
  return [...new Map(sightings.map((each) => [`${each.list} ${each.kind} ${each.path} ${each.detail}`, each])).values()]
}

/** Where a connection's records differ from the known interface, newest deviation first. */
export async function listInterfaceDrift(
  organizationId: OrganizationId,
  connectionId: ConnectionId,
): Promise<InterfaceDrift[]> {
  const rows = await withTenantSql(organizationId, (sql) =>
    sql<Omit<InterfaceDrift, 'firstSeenAt' | 'lastSeenAt'> & { firstSeenAt: Date; lastSeenAt: Date }>(
      `select list, path, kind, detail, example, first_seen_at as "firstSeenAt", last_seen_at as "lastSeenAt",
              record_count::int as "recordCount"
       from interface_drift where organization_id = $1 and connection_id = $2
       order by first_seen_at desc, list, path, kind, detail`,
      [organizationId, connectionId],
    ),
  )
  return rows.map((row) => ({
    ...row,
    firstSeenAt: row.firstSeenAt.toISOString(),
    lastSeenAt: row.lastSeenAt.toISOString(),
  }))
}

/** Whether another account already did the same: it breaks the contract but is not news. */
export function isRecordedBefore({ list, path, kind, detail }: InterfaceDrift): boolean {
  const known = INTERFACE_BASELINE[list].find((each) => each.path === path)
  return kind === 'type' && known !== undefined && known.seen.some((seen) => seen === detail)
}
