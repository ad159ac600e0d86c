import { readFileSync } from 'node:fs'
import { type BrowserContext, test as base, expect, type Page } from '@playwright/test'
import { ALL_TIME, SCOPE_COOKIE, writeKept } from '#components/scope/scope.ts'
import { listenFirst, openWhole } from './listening.ts'
import { type App, type AppOptions, startApp } from './start-app.ts'

export { expect }

type TestFixtures = {
  /** Settings of the app, and data of its platform, that a file wants other than the usual ones. */
  appOptions: AppOptions
  /** The app, as new at the beginning of each file. */
  app: App
  /**
   * The content policy's refusals in this story's pages. A story that provokes one removes it; none
   * may be left at the end.
   */
  violations: string[]
  /**
   * Signs the page's browser in as the first admin, and opens nothing. The form itself is the
   * subject of sign-in.spec.ts and others: the session's cookie is put in place.
   */
  signIn: (page: Page) => Promise<void>
  /**
   * Connects a customer account by its name on the consent page (default: the first) and stops on
   * Connections. The page must be signed in.
   */
  connectAccount: (page: Page, options?: { account?: string }) => Promise<void>
  /**
   * Signs in, connects the first account, and waits until a sync has read it to the end; in a file
   * whose stories before have done so, once more beside theirs.
   */
  readAccount: (page: Page) => Promise<void>
}

/**
 * For a request without a page: the server may have closed the connection that was kept for it.
 */
export const KEPT_ALIVE = { maxRetries: 3 }

/** The apps of a Playwright worker. */
type AppKeeper = {
  /** An app with these options, as new when another file had it before. */
  provide: (options: AppOptions, file: string) => Promise<App>
  stop: () => Promise<void>
}

const toFile = (file: string, platform: Omit<AppOptions, 'settings'>) => `${file} ${JSON.stringify(platform)}`

/**
 * Starting an app takes seconds, making it new again a second: a worker's files use one app after
 * each other. Files whose processes need other settings share a second app, as long as these are
 * the same.
 */
function keepApps(): AppKeeper {
  const kept = new Map<string, { app: App; file: string }>()
  const stop = async (settings: string) => {
    const found = kept.get(settings)
    kept.delete(settings)
    await found?.app.stop()
  }
  return {
    provide: async ({ settings = {}, ...platform }, file) => {
      const key = JSON.stringify(settings)
      for (const other of [...kept.keys()].filter((each) => each !== key && each !== '{}')) await stop(other)
      const found = kept.get(key)
      if (found === undefined) {
        const app = await startApp({ settings, ...platform })
        kept.set(key, { app, file: toFile(file, platform) })
        return app
      }
      // two files may have their stories from a third one: their platforms tell them apart
      const of = toFile(file, platform)
      if (found.file !== of) await found.app.renew(platform)
      found.file = of
      return found.app
    },
    stop: async () => {
      for (const settings of [...kept.keys()]) await stop(settings)
    },
  }
}

/** A failing test keeps the last lines of its processes' logs. */
export const test = base.extend<TestFixtures & { attachLogs: undefined }, { appKeeper: AppKeeper }>({
  appOptions: [{}, { option: true }],
  appKeeper: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter's pattern
    async ({}, use) => {
      const keeper = keepApps()
      await use(keeper)
      await keeper.stop()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  app: [
    async ({ appKeeper, appOptions }, use, testInfo) => use(await appKeeper.provide(appOptions, testInfo.file)),
    { timeout: 120_000 },
  ],
  baseURL: async ({ app }, use) => use(app.appUrl),
  page: async ({ page, javaScriptEnabled }, use) =>
    use(javaScriptEnabled === false ? openWhole(page) : listenFirst(page)),
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
    await use((page) => takeSession(page, app, app.adminEmail))
  },
  connectAccount: async ({ app }, use) => {
    await use(async (page, { account } = {}) => {
      await grantAccess(page, app, account)
      await page.goto('/connections')
    })
  },
  readAccount: async ({ app, signIn }, use) => {
    await use(async (page) => {
      await signIn(page)
      // a story before this one may have stopped it
      app.startWorker()
      await grantAccess(page, app)
      const [connected] = await app.query('select id from connection order by created_at desc limit 1')
      const countDone = async () =>
        (
          await app.query(
            `select from sync_run where status = 'succeeded' and connection_id = '${connected?.id}' limit 1`,
          )
        ).length
      await expect.poll(countDone, { timeout: 60_000 }).toBe(1)
    })
  },
})

/**
 * Connects an account as the browser of a person who presses Connect and Allow does, request by
 * request. The pages are the subject of connect-to-csv.spec.ts and others.
 */
async function grantAccess(page: Page, app: App, account?: string): Promise<void> {
  const { authorize, requireAccount } = app.sandbox.state()
  const usual = authorize.behavior
  authorize.behavior = { ...usual, mode: 'allow', accountId: requireAccount(account).id }
  try {
    const headers = { origin: app.appUrl, 'sec-fetch-site': 'same-origin' }
    const left = await page.request.post(`${app.appUrl}/api/connections/connect`, { ...KEPT_ALIVE, headers, form: {} })
    const [, consent = ''] = (left.headers().refresh ?? '').split('url=')
    const reply = await page.request.get(consent, KEPT_ALIVE)
    expect(reply.url()).toMatch(/\/connections\?connect=connected/)
  } finally {
    authorize.behavior = usual
  }
}

/**
 * Signs a browser in without its form. All browsers of one person share a session as long as it
 * lives: a password takes a fifth of a second to check.
 */
export async function takeSession(page: Page, app: App, email: string): Promise<void> {
  await keepAllTime(page, app, email)
  const cookies = app.sessions.get(email)
  if (cookies !== undefined) {
    await page.context().addCookies(cookies)
    const reply = await page.request.get(`${app.appUrl}/api/connections/hosts`, KEPT_ALIVE)
    if (reply.ok()) return
  }
  await givePassword(page, app, email)
  app.sessions.set(email, await page.context().cookies(app.appUrl))
}

/** Most stories are about everything, whenever they run; one-scope.spec.ts begins as people do. */
async function keepAllTime(page: Page, app: App, email: string): Promise<void> {
  const [user] = await app.query(`select id from app_user where email = '${email}'`)
  const value = writeKept(String(user?.id), `period=${ALL_TIME}`)
  await page.context().addCookies([{ name: SCOPE_COOKIE, value, url: app.appUrl }])
}

async function givePassword(page: Page, app: App, email: string): Promise<void> {
  const reply = await page.request.post(`${app.appUrl}/api/sign-in`, {
    headers: { origin: app.appUrl },
    form: { email, password: app.adminPassword },
    maxRedirects: 0,
    ...KEPT_ALIVE,
  })
  expect(reply.status(), `${email} is signed in`).toBe(303)
  expect(reply.headers().location, `${email} is signed in`).not.toContain('/sign-in')
}

/** Signs in as the first admin as people do. */
export async function signInByForm(page: Page, app: App): Promise<void> {
  await page.goto('/sign-in')
  await page.getByLabel('Email').fill(app.adminEmail)
  await page.getByLabel('Password').fill(app.adminPassword)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('link', { name: 'Overview' })).toBeVisible()
}

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
