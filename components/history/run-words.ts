const TRIGGERS: Record<string, string> = {
  connect: 'the first sync',
  manual: 'a sync started by hand',
  schedule: 'a scheduled sync',
  webhook: 'a sync after a hint of the platform',
}

/** Which run saw a change, in words; the reference finds it in the logs. */
export function describeRun({ runId, trigger }: { runId: string | null; trigger: string | null }): string {
  if (runId === null) return 'seen without a sync'
  const name = trigger !== null && Object.hasOwn(TRIGGERS, trigger) ? TRIGGERS[trigger] : 'a sync'
  return `seen by ${name}, reference ${runId.slice(0, 8)}`
}
