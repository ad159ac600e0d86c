/** How long something did not come: what an outage is to whoever waits. */

/** What answers and commits came to around one blow. */
export type Gap = { seconds: number; usual: number }

/**
 * The longest time between two moments that follow each other, in seconds: of those after the blow
 * (`seconds`, which begins before it) and of those before it (`usual`). Moments are milliseconds in
 * any order; those before `from` and after `to` do not count.
 */
export function findGap(
  moments: readonly number[],
  { from, blow, to }: { from: number; blow: number; to: number },
): Gap {
  const sorted = moments.filter((at) => at >= from && at <= to).sort((a, b) => a - b)
  const gap: Gap = { seconds: 0, usual: 0 }
  for (const [at, moment] of sorted.entries()) {
    const seconds = (moment - (sorted[at - 1] ?? moment)) / 1000
    const kind = moment > blow ? 'seconds' : 'usual'
    gap[kind] = Math.max(gap[kind], seconds)
  }
  // nothing came after the blow
  const last = sorted.at(-1)
  if (last === undefined || last <= blow) gap.seconds = (to - (last ?? from)) / 1000
  return gap
}
