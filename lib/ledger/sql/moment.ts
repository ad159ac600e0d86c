/** A moment of the ledger, as a database snapshot. It does not include later touches of lines. */
export type LedgerMoment = { snapshot: string; touchOrder: string }

/** SQL columns for the moment of their statement. */
export const MOMENT_COLUMNS = `pg_current_snapshot()::text as snapshot,
  (select last_value from line_touch_order)::text as "touchOrder"`
