import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from '@playwright/test'
import { findMemoryFolder } from '#lib/cli/test/memory-folder.ts'
import { findBrowser } from '#lib/cli/test/test-browser.ts'

const results = fileURLToPath(new URL('../test-results', import.meta.url))

/** These measure time, or ask for more than the app gives: nothing may run beside them. */
const ALONE = /(flood|rude-clients|sign-in-throttle)\.spec\.ts$/

/**
 * Browser stories against the production build; each Playwright worker has an app of its own
 * (fixtures.ts).
 */
export default defineConfig({
  testDir: '.',
  outputDir: `${results}/browser`,
  // one story waits while the others compute; more than four apps only take memory
  workers: Math.min(4, availableParallelism() + 1),
  projects: [
    { name: 'stories', testIgnore: ALONE },
    { name: 'alone', testMatch: ALONE },
  ],
  retries: 0,
  // for a machine at half the usual speed; what a story promises in time, it says itself
  timeout: 150_000,
  expect: { timeout: 20_000 },
  forbidOnly: process.env.CI !== undefined,
  // the file's place is in PLAYWRIGHT_JSON_OUTPUT_FILE
  reporter: [['list'], ['json']],
  use: {
    locale: 'en-US',
    viewport: { width: 1360, height: 900 },
    // each frame of something that moves is drawn by the processor
    contextOptions: { reducedMotion: 'reduce' },
    video: 'off',
    screenshot: 'only-on-failure',
    // without pictures: filming every story takes more than the stories themselves
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: false, sources: false },
    launchOptions: {
      executablePath: findBrowser('headless') ?? undefined,
      // else the browser's processes share their memory through files on the disk
      ignoreDefaultArgs: findMemoryFolder(1_000_000_000) === null ? [] : ['--disable-dev-shm-usage'],
      args: [
        '--no-sandbox',
        // a page lives for seconds: its scripts end before faster code for them has paid
        '--js-flags=--no-maglev --no-turbofan',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
})
