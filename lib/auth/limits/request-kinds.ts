/**
 * What each kind of request may cost: how many a person may send, and how long the database works
 * on one statement. docs/operations.md repeats the table; a test compares.
 */

/** `burst` at once, from then on `perMinute`. A null budget is counted elsewhere, or not at all. */
type Budget = { burst: number; perMinute: number }

type Kind = { label: string; budget: Budget | null; statementMs: number }

/**
 * Generous for a person, who clicks once a second and scrolls through some pages of rows. A burst
 * is no more than the server answers in a few seconds: it keeps nobody else waiting for longer.
 * The slowest page of a million lines takes about a second (docs/benchmarks/desk.md).
 */
export const REQUEST_KINDS = {
  page: { label: 'a page', budget: { burst: 40, perMinute: 120 }, statementMs: 15_000 },
  rows: { label: 'rows of a list, a line', budget: { burst: 60, perMinute: 300 }, statementMs: 15_000 },
  search: { label: 'search while typing', budget: { burst: 40, perMinute: 180 }, statementMs: 5_000 },
  summary: {
    label: 'lists with totals, groups, summaries',
    budget: { burst: 30, perMinute: 60 },
    statementMs: 15_000,
  },
  export: { label: 'a file', budget: { burst: 10, perMinute: 20 }, statementMs: 120_000 },
  document: { label: 'an original document', budget: { burst: 10, perMinute: 20 }, statementMs: 15_000 },
  upload: { label: 'sending a file', budget: { burst: 12, perMinute: 30 }, statementMs: 30_000 },
  read: { label: 'other reading', budget: { burst: 60, perMinute: 300 }, statementMs: 15_000 },
  write: { label: 'a change', budget: { burst: 30, perMinute: 60 }, statementMs: 30_000 },
  'sign-in': { label: 'signing in', budget: null, statementMs: 5_000 },
  open: { label: 'what needs no session', budget: null, statementMs: 15_000 },
} as const satisfies Record<string, Kind>

export type RequestKind = keyof typeof REQUEST_KINDS

/** The kinds of a signed-in person's requests. */
export type CountedKind = Exclude<RequestKind, 'sign-in' | 'open'>

/** A network, in which many people may sit, gets so many times the budget of one person. */
export const PEOPLE_OF_A_NETWORK = 10
