import type { RunId } from '#lib/ids.ts'
import type { SyncTrigger } from '#lib/reconcile/sync-run.ts'

/** What started a run, where the run itself is named. */
const RUN_NAMES: Record<SyncTrigger, string> = {
  connect: 'the first sync',
  manual: 'a manual sync',
  schedule: 'a scheduled sync',
  webhook: 'a sync after a notice from the platform',
}

/** `startedBy`: who asked for the run, if somebody did. */
type NamedRun = { runId: RunId | null; trigger: SyncTrigger | null; startedBy: string | null }

/** The run that found a change, in words; the reference finds it in the logs. */
export function describeRun({ runId, trigger, startedBy }: NamedRun): string {
  if (runId === null) return 'found outside a sync'
  const by = startedBy === null ? '' : ` by ${startedBy}`
  return `found by ${trigger === null ? 'a sync' : RUN_NAMES[trigger]}${by} (ref ${runId.slice(0, 8)})`
}
