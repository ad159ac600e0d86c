/**
 * One place that a breakage changes. `before` is exact text that occurs in the file `count` times
 * (default 1).
 */
export type Edit = { file: string; before: string; after: string; count?: number }

type Common = {
  id: string
  /** The row of docs/reliability.md or docs/sync-faults.md whose promise it breaks: "F5", "A13". */
  row: string
  /** What holds while the code is whole, in one sentence. */
  promise: string
  /**
   * Test files, one of which must fail. Browser stories (`e2e/….spec.ts`) take a build each;
   * `types` means the type check.
   */
  tests: string[]
  /** A pattern for titles, to run only these of a large file. */
  title?: string
  /** What stands behind it, for a breakage that does no harm alone and may go unnoticed. */
  harmless?: string
}

/** A small code change that breaks a promise, and the tests that must notice it. */
export type Breakage = Common & (Edit | { edits: Edit[] })

export function editsOf(breakage: Breakage): Edit[] {
  return 'edits' in breakage ? breakage.edits : [breakage]
}
