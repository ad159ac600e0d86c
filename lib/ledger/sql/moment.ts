/** A moment of the ledger, as a database snapshot. It does not include later touches of lines. */
export type LedgerMoment = { snapshot: string; touchOrder: string }

/**
 * SQL columns for the moment of a statement that reads a table of the organization. On a cluster it
 * is told by the node of the organization's lines, as are the touches that are compared with it.
 * Before a node's first touch, the number is the one before its first: its numbers say which node
 * it is. The sequence is looked up by its name there, where its id is another one.
 */
export const MOMENT_COLUMNS = `pg_current_snapshot()::text as snapshot,
  coalesce(pg_sequence_last_value('line_touch_order'),
           (pg_sequence_parameters(to_regclass('public.line_touch_order'))).minimum_value - 1)::text as "touchOrder"`
