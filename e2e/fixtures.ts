import { readFileSync } from 'node:fs'
import { type BrowserContext, test as base, expect, type Page } from '@playwright/test'
import { type App, type AppOptions, startApp } from './start-app.ts'

export { expect }

type TestFixtures = {
  /**
   * The content policy's refusals in this story's pages. A story that provokes one removes it; none
   * may be left at the end.
   */
  violations: string[]
  /** Signs the page in as the first admin and stops on the overview. */
  signIn: (page: Page) => Promise<void>
  /**
   * Connects a customer account by its name on the consent page (default: the first) and stops on
   * Connections. The page must be signed in.
   */
  connectAccount: (page: Page, options?: { account?: string }) => Promise<void>
  /** Signs in, connects the first account, and waits until a sync has read it to the end. */
  readAccount: (page: Page) => Promise<void>
}

/**
 * `app` starts once per Playwright worker; a failing test keeps the last lines of its processes'
 * logs.
 */
export const test = base.extend<TestFixtures & { attachLogs: undefined }, { app: App; appOptions: AppOptions }>({
  // a file with options gets its own app with an empty database
  appOptions: [{}, { option: true, scope: 'worker' }],
  app: [
    async ({ appOptions }, use) => {
      const app = await startApp(appOptions)
      await use(app)
      await app.stop()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  baseURL: async ({ app }, use) => use(app.appUrl),
  attachLogs: [
    async ({ app }, use, testInfo) => {
      await use(undefined)
      if (testInfo.status === testInfo.expectedStatus) return
      for (const [name, file] of Object.entries(app.logFiles)) {
        const body = readFileSync(file, 'utf8').split('\n').slice(-200).join('\n')
        await testInfo.attach(`${name}.log`, { body, contentType: 'text/plain' })
      }
    },
    { auto: true },
  ],
  violations: [
    async ({ context }, use) => {
      const violations: string[] = []
      await recordViolations(context, violations)
      await use(violations)
      expect(violations, 'A12: the content policy refuses nothing of our own').toEqual([])
    },
    { auto: true },
  ],
  signIn: async ({ app }, use) => {
    await use(async (page) => {
      await page.goto('/sign-in')
      await page.getByLabel('Email').fill(app.adminEmail)
      await page.getByLabel('Password').fill(app.adminPassword)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await expect(page.getByRole('link', { name: 'Overview' })).toBeVisible()
    })
  },
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter's pattern
  connectAccount: async ({}, use) => {
    await use(async (page, { account } = {}) => {
      await page.goto('/connections')
      await page.getByRole('button', { name: 'Connect account' }).first().click()
      if (account) await page.getByLabel('Account').selectOption({ label: account })
      await page.getByRole('button', { name: 'Allow' }).click()
      await page.waitForURL('**/connections**')
    })
  },
  readAccount: async ({ app, signIn, connectAccount }, use) => {
    await use(async (page) => {
      await signIn(page)
      await connectAccount(page)
      const countDone = async () => (await app.query(`select from sync_run where status = 'succeeded'`)).length
      await expect.poll(countDone, { timeout: 60_000 }).toBeGreaterThan(0)
    })
  },
})

/** Records every refusal of the content policy, in every page of the context. */
async function recordViolations(context: BrowserContext, violations: string[]): Promise<void> {
  await context.exposeFunction('noteViolation', (text: string) => violations.push(text))
  await context.addInitScript(() => {
    const { noteViolation } = window as unknown as { noteViolation: (text: string) => void }
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, documentURI, sample }) =>
      noteViolation(`${effectiveDirective} refuses ${blockedURI} ${sample} on ${documentURI}`),
    )
  })
}
