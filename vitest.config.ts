import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { listUnitTests } from './lib/cli/test/choose-tests.ts'
import { listSources, toSourceGraph } from './lib/cli/test/source-graph.ts'

const tests = listUnitTests(toSourceGraph(listSources()))

const shared = {
  env: { LOG_LEVEL: 'silent' },
  // for a machine at half the usual speed; what a test promises in time, it says itself
  testTimeout: 120_000,
  hookTimeout: 120_000,
}
const withServer = {
  ...shared,
  pool: 'forks' as const,
  // on a cluster, by `npm run soak -- citus`
  globalSetup: [
    `lib/db/test-support/test-${process.env.TEST_CLUSTER_URL ? 'citus-' : ''}cluster.ts`,
    'lib/connections/test-support/test-spools.ts',
  ],
  setupFiles: ['lib/connections/test-support/test-spool.ts'],
}

export default defineConfig({
  test: {
    // one waits for the database, a lease or a process while the others compute
    maxWorkers: availableParallelism() + 1,
    projects: [
      { test: { ...shared, name: 'pure', include: tests.pure, pool: 'threads', isolate: false } },
      { test: { ...withServer, name: 'database', include: tests.database, isolate: false } },
      { test: { ...withServer, name: 'process', include: tests.process } },
    ],
  },
})
