import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['lib/**/*.test.ts', 'components/**/*.test.{ts,tsx}', 'app/**/*.test.{ts,tsx}'],
    globalSetup: ['lib/db/test-cluster.ts'],
    setupFiles: ['lib/connections/test-support/test-spool.ts'],
    env: { LOG_LEVEL: 'silent' },
    // for a machine at half the usual speed; what a test promises in time, it says itself
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: 'forks',
  },
})
