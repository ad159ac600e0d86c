import { fileURLToPath } from 'node:url'
import { defineConfig } from '@playwright/test'
import { findBrowser } from '#lib/cli/test/test-browser.ts'

const results = fileURLToPath(new URL('../test-results', import.meta.url))

/**
 * Browser stories against the production build; each Playwright worker starts its own app
 * (fixtures.ts).
 */
export default defineConfig({
  testDir: '.',
  outputDir: `${results}/browser`,
  workers: 1,
  retries: 0,
  // for a machine at half the usual speed; what a story promises in time, it says itself
  timeout: 150_000,
  expect: { timeout: 20_000 },
  forbidOnly: process.env.CI !== undefined,
  reporter: [['list'], ['json', { outputFile: `${results}/browser.json` }]],
  use: {
    locale: 'en-US',
    viewport: { width: 1360, height: 900 },
    video: 'off',
    screenshot: 'only-on-failure',
    trace: 'retain-on-failure',
    launchOptions: {
      executablePath: findBrowser() ?? undefined,
      args: [
        '--no-sandbox',
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
