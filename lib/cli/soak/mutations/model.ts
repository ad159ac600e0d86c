/**
 * One place of a file that a breakage changes. `before` is exact text that occurs there `count`
 * times (1 unless told).
 */
export type Edit = { file: string; before: string; after: string; count?: number }

type Common = {
  id: string
  /** The row of docs/reliability.md or docs/sync-faults.md whose promise it breaks: "F5", "A13". */
  row: string
  /** What holds as long as the code is not broken, in one sentence. */
  promise: string
  /**
   * Test files, of which one has to fail. Stories in a browser (`e2e/….spec.ts`) take a build each;
   * the word `types` stands for the check of types.
   */
  tests: string[]
  /** A pattern for titles, where a file holds many other tests: nothing else runs. */
  title?: string
  /** What stands behind, for a breakage that may go unnoticed because it does no harm alone. */
  harmless?: string
}

/** A small change of the code that breaks a promise, and the tests that have to notice it. */
export type Breakage = Common & (Edit | { edits: Edit[] })

/** The places that a breakage changes. */
export function editsOf(breakage: Breakage): Edit[] {
  return 'edits' in breakage ? breakage.edits : [breakage]
}
