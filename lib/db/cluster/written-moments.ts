/**
 * SQL for times that a statement writes, in the forms that a cluster takes as well (decision 067):
 * it asks the clock once for all its nodes, which it refuses to do within CASE or COALESCE, and
 * lets a node reckon from a column only what depends on no setting. A time that is kept where there
 * is one is `least(kept, now())`.
 */

/** The time of the statement where the condition holds, else null. */
export function momentIf(condition: string, clock: 'now()' | 'statement_timestamp()' = 'now()'): string {
  return `${clock} + case when ${condition} then interval '0' end`
}

/** A time and an interval later, either of which may be a column's. Days are UTC. */
export function laterBy(moment: string, interval: string): string {
  return `((${moment} at time zone 'UTC' + ${interval}) at time zone 'UTC')`
}
