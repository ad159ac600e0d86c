import type { RunId } from '#lib/ids.ts'
import type { BadAnswer } from '#lib/sync/model.ts'

/** Groups answers by sync and keeps their order. */
export function groupByRun(answers: readonly BadAnswer[]): { runId: RunId; answers: BadAnswer[] }[] {
  const groups = new Map<string, BadAnswer[]>()
  for (const answer of answers) groups.set(answer.runId, [...(groups.get(answer.runId) ?? []), answer])
  return [...groups].map(([runId, ofRun]) => ({ runId, answers: ofRun }))
}

/** Answers that only say the same again, one after the other, as one; the first of them stands. */
export function foldRepeats(answers: readonly BadAnswer[]): { answer: BadAnswer; count: number }[] {
  const folded: { answer: BadAnswer; count: number }[] = []
  for (const answer of answers) {
    const last = folded.at(-1)
    if (last !== undefined && toSaid(last.answer) === toSaid(answer)) last.count += 1
    else folded.push({ answer, count: 1 })
  }
  return folded
}

function toSaid({ kind, httpStatus, list, offset, reason, beginning }: BadAnswer): string {
  return JSON.stringify([kind, httpStatus, list, offset, reason, beginning])
}
