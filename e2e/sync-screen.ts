import type { Browser, Locator, Page } from '@playwright/test'
import { toUnits } from './csv.ts'
import { expect, KEPT_ALIVE, takeSession } from './fixtures.ts'
import { expectAccessible, expectContrast } from './look.ts'
import { readTotalsStrip } from './screen.ts'
import type { App } from './start-app.ts'

/** Both widths in both themes. */
export const SCREENS = [1440, 390].flatMap((width) => (['light', 'dark'] as const).map((scheme) => ({ width, scheme })))

/** The panel of a connection's page that shows its newest sync. */
export const panel = (page: Page): Locator => page.getByRole('region', { name: 'Sync', exact: true })

/** A figure of the panel by its name. */
export const figure = (page: Page, name: string): Locator => panel(page).locator(`dt:text-is("${name}") + dd`)

/** The first number of a figure. */
export async function readFirst(figures: Locator): Promise<number> {
  return Number(/[\d,]+/.exec((await figures.textContent()) ?? '')?.[0].replaceAll(',', ''))
}

/** Opens the page of the only connection and returns its path. */
export async function openConnection(page: Page): Promise<string> {
  await page.goto('/connections')
  await page.locator('main table tbody a').first().click()
  await expect(page).toHaveURL(/connections\/[0-9a-f-]{36}$/)
  return new URL(page.url()).pathname
}

/** Reads the account once more, to its end, without its page. */
export async function readAgain(page: Page, app: App, connectionId: unknown): Promise<void> {
  const countDone = async () =>
    (await app.query(`select from sync_run where kind = 'verification' and status = 'succeeded'`)).length
  const before = await countDone()
  const reply = await page.request.post(`/api/connections/${connectionId}/sync/verify`, {
    headers: { origin: app.appUrl },
    ...KEPT_ALIVE,
  })
  expect(reply.ok()).toBe(true)
  await expect.poll(countDone, { timeout: 60_000 }).toBe(before + 1)
}

/**
 * Accessible and no wider than the screen, at both widths and in both themes. In the dark one its
 * contrast alone is looked at anew.
 */
export async function expectGoodLooks(page: Page, screens = SCREENS): Promise<void> {
  for (const { width, scheme } of screens) {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
    const where = `${page.url()} at ${width} in ${scheme}`
    await (scheme === 'light' ? expectAccessible : expectContrast)(page, where)
  }
  await page.setViewportSize({ width: 1360, height: 900 })
}

/** The lines page's totals equal the platform's per currency, to the last digit. */
export async function expectPlatformTotals(page: Page, app: App, account: string): Promise<void> {
  const { currencies, lineCount } = await app.sandbox.state().controlTotals(account)
  await page.goto('/lines')
  const strip = await readTotalsStrip(page)
  const shown = Object.entries(strip).map(([currency, { total }]) => [currency, total])
  expect(shown.sort()).toEqual(currencies.map(({ currency, totalAmount }) => [currency, toUnits(totalAmount)]).sort())
  const [held] = await app.query('select count(*)::int as lines from line where missing_since is null')
  expect(held?.lines).toBe(lineCount)
}

/** A page signed in as a user of that role. */
export async function signInAs(browser: Browser, app: App, role: string): Promise<Page> {
  const email = `${role}@example.com`
  await app.query(
    `insert into app_user (organization_id, email, name, role, password_hash)
     select organization_id, '${email}', 'Some ${role}', '${role}', password_hash from app_user where role = 'admin'
     on conflict do nothing`,
  )
  const page = await (await browser.newContext({ baseURL: app.appUrl, locale: 'en-US' })).newPage()
  await takeSession(page, app, email)
  return page
}
