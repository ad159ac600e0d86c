import type { RunId } from '#lib/ids.ts'
import type { BadAnswer } from '#lib/sync/model.ts'

/** Groups answers by sync and keeps their order. */
export function groupByRun(answers: readonly BadAnswer[]): { runId: RunId; answers: BadAnswer[] }[] {
  const groups = new Map<string, BadAnswer[]>()
  for (const answer of answers) groups.set(answer.runId, [...(groups.get(answer.runId) ?? []), answer])
  return [...groups].map(([runId, ofRun]) => ({ runId, answers: ofRun }))
}
