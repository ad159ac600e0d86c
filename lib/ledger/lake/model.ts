/** What the lake has of a ledger (docs/lake.md): tables, each in a file for every month. */

export const LAKE_KINDS = ['lines', 'invoices', 'findings', 'reviews'] as const
export type LakeKind = (typeof LAKE_KINDS)[number]

/** The month of invoices whose day of issue nobody knows. */
export const UNDATED = 'undated'

/** A month of one kind: `2026-09`, or `UNDATED`. Its mark changes as soon as a value in it does. */
export type MarkedMonth = { month: string; mark: string }

/** One row by the names of its fields. Every value is text; null means unknown. */
export type LakeRow = Record<string, string | null>
