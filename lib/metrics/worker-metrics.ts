import { Gauge, Registry } from 'prom-client'
import { withSystemSql } from '#lib/db/tenant.ts'
import { type MetricsAddress, type ServedMetrics, serveMetrics } from './metrics-server.ts'

type Figures = { metric: string; label: string; value: number }

/** Counts over all organizations, without a name or id of any. */
const FIGURES = `
  select 'connections' as metric, state as label, count(*)::float8 as value from connection group by state
  union all
  select 'runs', status, count(*)::float8 from sync_run where status in ('queued', 'running', 'paused') group by status
  union all
  select 'waiting', '', coalesce(extract(epoch from clock_timestamp() - min(requested_at)), 0)::float8
    from sync_run where status = 'queued'
  union all
  select 'overdue', '', coalesce(extract(epoch from clock_timestamp() - min(next_sync_at)), 0)::float8
    from connection where state = 'active' and next_sync_at < statement_timestamp()
  union all
  select 'notices', kind, count(*)::float8 from operator_notice where resolved_at is null group by kind
  union all
  select 'refreshes', '', count(*)::float8 from refresh_attempt where finished_at is null`

/** Serves what a worker knows: its process, its pool, and the work that waits for any worker. */
export function serveWorkerMetrics(address: MetricsAddress): Promise<ServedMetrics> {
  const registry = new Registry()
  const gauge = (name: string, help: string, label?: string) =>
    new Gauge({ name: `tieout_${name}`, help, labelNames: label === undefined ? [] : [label], registers: [registry] })
  const states = gauge('connections', 'Connected accounts by state.', 'state')
  const runs = gauge('sync_runs', 'Syncs that are not over, by status.', 'status')
  const waiting = gauge('sync_longest_wait_seconds', 'How long the oldest queued sync has waited.')
  const overdue = gauge('sync_overdue_seconds', 'How long the most overdue scheduled sync is due.')
  const notices = gauge('operator_notices', 'What an operator has to settle, by kind.', 'kind')
  const refreshes = gauge('token_refreshes_open', 'Attempts to renew tokens that have not ended.')
  const refresh = async () => {
    // what is gone since must not be shown again
    for (const each of [states, runs, waiting, overdue, notices, refreshes]) each.reset()
    for (const { metric, label, value } of await withSystemSql((sql) => sql<Figures>(FIGURES))) {
      if (metric === 'connections') states.set({ state: label }, value)
      if (metric === 'runs') runs.set({ status: label }, value)
      if (metric === 'notices') notices.set({ kind: label }, value)
      if (metric === 'waiting') waiting.set(value)
      if (metric === 'overdue') overdue.set(value)
      if (metric === 'refreshes') refreshes.set(value)
    }
  }
  return serveMetrics(address, registry, refresh)
}
