import { expect, test } from 'vitest'
import { sortByReason } from './soak-citus.ts'

test('what fails on a cluster is told by its reason, and what no reason explains is told by itself', () => {
  const copied = 'lib/a.test.ts › keeps a line\n    error: COPY FROM not supported with row-level security'
  const other = 'lib/a.test.ts › counts\n    AssertionError: expected 1 to be 2'
  const sorted = sortByReason([copied, other, copied])
  expect(sorted.map(({ failures }) => failures)).toEqual([[copied, copied], [other]])
  expect(sorted.map(({ why }) => why)).toEqual([expect.stringMatching(/^rows in bulk/), null])
})
