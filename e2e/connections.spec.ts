import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import pg from 'pg'
import { test as base, expect } from './fixtures.ts'
import { expectAccessible } from './look.ts'
import { openMenu, pressUntilFocused } from './screen.ts'
import type { App } from './start-app.ts'

const test = base.extend<{ seen: string[]; database: pg.Client }>({
  database: async ({ app }, use) => {
    const client = new pg.Client({ connectionString: app.databaseUrl, options: '-c tieout.scope=system' })
    await client.connect()
    await use(client)
    await client.end()
  },
  /** Every response of the app to this page: HTML, RSC payloads, JSON. */
  seen: async ({ page, app }, use) => {
    const bodies: Promise<string>[] = []
    page.on('response', (response) => {
      if (response.url().startsWith(app.appUrl) && !/\/_next\/static\//.test(response.url()))
        bodies.push(response.text().catch(() => ''))
    })
    const seen: string[] = []
    await use(seen)
    seen.push(...(await Promise.all(bodies)))
    const secrets = [...app.sandbox.state().oauth.everIssued(), app.sandbox.settings.clientSecret]
    for (const secret of secrets) {
      expect(
        seen.filter((body) => body.includes(secret)),
        'A16: no secret in what the browser gets',
      ).toEqual([])
      for (const file of Object.values(app.logFiles)) expect(readFileSync(file, 'utf8').includes(secret)).toBe(false)
    }
  },
})
test.describe.configure({ mode: 'serial' })

const TOKEN = '/accounts/oauth2/token/'
const REVOKE = '/accounts/oauth2/revoke_token/'
/** A state's words can appear several times on a page; the header says it first. */
const state = (page: Page) => page.locator('header').filter({ hasText: 'Connections ›' })

let connectionPath = ''

/**
 * Expires the access token on the platform, and loses the answer to the next refresh after it took
 * effect.
 */
function loseNextRenewal(app: App): void {
  app.sandbox.state().clock.advance(2 * 3600)
  app.sandbox.state().faults.add({
    match: { path: TOKEN, bodyIncludes: 'grant_type=refresh_token' },
    action: { type: 'drop_after_effect' },
  })
}

const countRenewals = (app: App) =>
  Object.values(app.sandbox.state().oauth.counters.tokenCalls.refresh_token ?? {}).reduce(
    (sum, calls) => sum + calls,
    0,
  )

async function countLines(database: pg.Client): Promise<number> {
  return Number((await database.query('select count(*) as lines from line')).rows[0].lines)
}

async function reconnect(page: Page, account: string): Promise<void> {
  await page.getByRole('button', { name: 'Reconnect' }).click()
  await page.getByLabel('Account').selectOption({ label: account })
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.waitForURL('**/connections/**')
}

/** Every page says it, except the connection's own, and no page once that was dismissed. */
async function expectTold(page: Page): Promise<void> {
  await page.goto('/lines')
  const told = page.getByText('needs to be reconnected')
  await expect(told).toBeVisible()
  await page.getByRole('link', { name: 'Show the connection' }).click()
  await expect(page).toHaveURL(new RegExp(connectionPath))
  await expect(told, 'the page that it leads to says it itself').toBeHidden()
  await page.goBack()
  await expect(told).toBeVisible()
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await expect(told).toBeHidden()
  await page.goto(connectionPath)
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Invoices' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Invoices')
  await expect(told, 'dismissed, it stays away').toHaveCount(0)
  await page.goBack()
  await expect(state(page)).toContainText('Needs reconnect')
}

test('A5: a visitor from the marketplace signs in, sees what will be connected, and starts with their own click', async ({
  page,
  app,
  seen,
}) => {
  expect(seen).toEqual([])
  const { sandbox } = app
  await page.goto('/connect?code=stolen&state=made-up&next=//evil.example&redirect_uri=https://evil.example&scope=all')
  const targets = await page.locator('a, form').evaluateAll((all) => all.map((each) => each.getAttribute('href')))
  expect(targets).toEqual(['/sign-in?next=/connect'])
  await expect(page.locator('main')).not.toContainText(/evil|stolen|made-up/)
  await page.getByRole('link', { name: 'Sign in to connect' }).click()
  await page.getByLabel('Email').fill(app.adminEmail)
  await page.getByLabel('Password').fill(app.adminPassword)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page).toHaveURL(`${app.appUrl}/connect`)
  await expect(page.getByText('read invoices, invoice lines and profiles')).toBeVisible()
  await expect(page.getByText('My company')).toBeVisible()
  expect(sandbox.state().oauth.counters.tokenCalls).toEqual({})
  const consent = page.waitForRequest((request) => request.url().startsWith(sandbox.authUrl))
  await page.getByRole('button', { name: 'Continue on the travel platform' }).click()
  const { searchParams } = new URL((await consent).url())
  expect(searchParams.get('state')).toMatch(/^[\w-]{43}$/)
  expect(searchParams.get('redirect_uri')).toBe(`${app.appUrl}/api/auth/callback/partner`)
  await page.getByLabel('Account').selectOption({ label: 'Meridian Works' })
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.waitForURL('**/connections**')
  await expect(page.getByText('Account connected')).toBeVisible()
  await expect(page.getByText('Active')).toBeVisible({ timeout: 60_000 })
  connectionPath = (await page.getByRole('link', { name: /^Meridian/ }).getAttribute('href')) ?? ''
})

test('A1: a callback that nobody started exchanges nothing and offers to start again', async ({
  page,
  app,
  signIn,
}) => {
  await signIn(page)
  const before = JSON.stringify(app.sandbox.state().oauth.counters.tokenCalls)
  await page.goto('/api/auth/callback/partner?code=attackers&state=attackers')
  await expect(page.getByText('this browser did not ask for it')).toBeVisible()
  expect(JSON.stringify(app.sandbox.state().oauth.counters.tokenCalls)).toBe(before)
  await page.getByRole('button', { name: 'Start again' }).click()
  await expect(page).toHaveURL((url) => url.origin === new URL(app.sandbox.authUrl).origin)
  await page.getByRole('button', { name: 'Decline' }).click()
  await expect(page.getByText('Not connected: access was declined')).toBeVisible()
})

test('F2: with a grace period, a connection survives an answer lost after the token was used, without the user', async ({
  page,
  app,
  signIn,
  seen,
}) => {
  expect(seen).toEqual([])
  await signIn(page)
  app.sandbox.state().oauth.setGrace('same-pair', 120)
  loseNextRenewal(app)
  await page.goto(connectionPath)
  await page.getByRole('button', { name: /Sync now/ }).click()
  await expect(page.locator('[aria-labelledby=syncs] li')).toHaveCount(2)
  await expect(page.locator('[aria-labelledby=syncs] li').first()).toContainText('Succeeded', { timeout: 60_000 })
  await expect(state(page)).toContainText('Active')
  await expect(page.getByText('Needs reconnect')).toHaveCount(0)
  expect(app.sandbox.state().oauth.counters.graceReplays).toBe(1)
})

for (const [id, grace, most] of [
  ['F3', 'refuse', 4],
  ['F4', 'revoke-family', 4],
] as const)
  test(`${id}: the same with ${grace === 'refuse' ? 'no grace' : 'a revoked family'}: the page says so within 60 s, and a reconnect repairs it`, async ({
    page,
    app,
    database,
    signIn,
    seen,
  }) => {
    test.setTimeout(240_000)
    expect(seen).toEqual([])
    await signIn(page)
    app.sandbox.state().oauth.setGrace(grace, 0)
    const lines = await countLines(database)
    const before = countRenewals(app)
    loseNextRenewal(app)
    await page.goto(connectionPath)
    await page.getByRole('button', { name: /Sync now/ }).click()
    await expect(state(page)).toContainText('Needs reconnect: an answer was lost', { timeout: 60_000 })
    expect(countRenewals(app) - before).toBeLessThanOrEqual(most)
    expect(await countLines(database)).toBe(lines)
    await expect(page.locator('[aria-labelledby=history] li').first()).toContainText('an answer was lost')
    if (id === 'F3') await expectTold(page)
    const run = (await database.query('select id from sync_run order by requested_at desc limit 1')).rows[0].id
    await reconnect(page, 'Meridian Works')
    await expect(page).toHaveURL(new RegExp(connectionPath))
    await expect(state(page)).toContainText('Active', { timeout: 60_000 })
    await expect(page.locator('[aria-labelledby=syncs] li').first()).toContainText('Succeeded', { timeout: 60_000 })
    const [{ id: last, status }] = (
      await database.query('select id, status from sync_run order by requested_at desc limit 1')
    ).rows
    expect([last, status]).toEqual([run, 'succeeded'])
    expect(await countLines(database)).toBe(lines)
    await expect(page.locator('[aria-labelledby=history]')).toContainText('It is the same account')
  })

test('F16: disconnecting says what it does, waits for the platform’s word, and keeps the data as chosen', async ({
  page,
  app,
  database,
  signIn,
}) => {
  await signIn(page)
  app.sandbox.state().faults.add({ match: { path: REVOKE }, action: { type: 'status', status: 503, when: 'before' } })
  const lines = await countLines(database)
  await page.goto(connectionPath)
  // by keyboard alone
  await page.getByRole('button', { name: 'Disconnect…' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('alertdialog')
  await expect(dialog).toContainText('disables the customer’s integration')
  await expect(dialog).toContainText('Only the customer can enable it again, in the marketplace')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('button', { name: 'Disconnect…' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog.getByLabel(/Keep the data/)).toBeChecked()
  await dialog.getByRole('button', { name: 'Disconnect account' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText(/has not confirmed the end of the link: the platform asks to wait/)).toBeVisible()
  await expect(state(page)).toContainText('Disconnecting')
  await expect(state(page)).toContainText('Disconnected: its data is kept', { timeout: 60_000 })
  expect(app.sandbox.state().oauth.isEnabled('meridian')).toBe(false)
  expect(await countLines(database)).toBe(lines)
  expect((await database.query('select from connection_credential')).rowCount).toBe(0)
  await expect(page.locator('[aria-labelledby=history]')).toContainText('Tokens destroyed')
})

test('refuses a reconnect to another account, and keeps that account as a new connection', async ({
  page,
  database,
  signIn,
}) => {
  await signIn(page)
  await page.goto(connectionPath)
  await reconnect(page, 'Nordlicht Group')
  await expect(page.getByText('Access was granted for another account.', { exact: true })).toBeVisible({
    timeout: 20_000,
  })
  await expect(page.getByText('None of its profiles belongs to Meridian Works')).toBeVisible()
  const { rows } = await database.query(`select count(*) as profiles from profile where name ilike '%nordlicht%'`)
  expect(rows[0].profiles).toBe('0')
  await page.getByRole('button', { name: 'Keep it as a new connection' }).click()
  await expect(page).not.toHaveURL(new RegExp(connectionPath))
  await expect(state(page)).toContainText('Nordlicht', { timeout: 60_000 })
  await page.goto('/connect')
  await expect(page.getByRole('button', { name: 'Reconnect: Meridian Works B.V.' })).toBeVisible()
})

/** Accessible on a phone and on a screen, which is how it is left. */
async function expectGoodWidths(page: Page): Promise<void> {
  for (const [width, height] of [
    [390, 844],
    [1440, 900],
  ] as const) {
    await page.setViewportSize({ width, height })
    await expectAccessible(page, `${page.url()} at ${width}`)
  }
}

test('with 100 connections: lists what needs attention first, searches, pages, opens by keyboard, no accessibility finding', async ({
  page,
  database,
  signIn,
}) => {
  await database.query(`
    -- without tokens: a sync would change their state
    insert into connection (organization_id, name, state, state_cause, scopes_asked, scopes_granted, created_by, connected_at, next_sync_at)
    select organization_id, 'Customer ' || n, case when n = 77 then 'needs_reconnect' else 'active' end,
           case when n = 77 then 'revoked_or_reused' end, 'expenses:read trips:read',
           case when n = 50 then 'expenses:read' else 'expenses:read trips:read' end, created_by, now(), now() + interval '1 day'
    from connection, generate_series(1, 98) n where name like 'Nordlicht%'`)
  await signIn(page)
  await page.goto('/connections')
  const names = page.getByRole('row').locator('td:first-child a')
  await expect(names.first()).toHaveText('Customer 77')
  await expect(page.getByRole('row', { name: /Customer 50/ })).toContainText('scope not granted: trips:read')
  await expect(names).toHaveCount(50)
  await expectGoodWidths(page)
  // what is done with an account is on the screen of a laptop as well
  const size = page.viewportSize()
  for (const width of [1180, 1280, 1366]) {
    await page.setViewportSize({ width, height: 800 })
    await expect(page.getByRole('button', { name: /^More about/ }).first()).toBeInViewport({ ratio: 1 })
  }
  if (size !== null) await page.setViewportSize(size)
  await page.getByRole('link', { name: 'Next page' }).click()
  await expect(page).toHaveURL(/page=2/)
  await pressUntilFocused(page, '/', page.getByRole('search').getByRole('textbox'))
  await page.keyboard.type('customer 98')
  await expect(names).toHaveText(['Customer 98'])
  await expect(page).toHaveURL(/q=customer/)
  // the list that comes with the last letter takes an open menu away
  await openMenu(page, page.getByRole('button', { name: 'More about Customer 98' }))
  await expect(page.getByRole('menuitem', { name: 'Details and history' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Customer 98')
  for (const path of [connectionPath, '/connect']) {
    await page.goto(path)
    await expectGoodWidths(page)
  }
})

test('A16: no token in any table or job row', async ({ app, database }) => {
  const secrets = [...app.sandbox.state().oauth.everIssued(), app.sandbox.settings.clientSecret]
  expect(secrets.length).toBeGreaterThan(10)
  const { rows: tables } = await database.query<{ name: string }>(
    `select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.tables
     where table_schema = 'public'`,
  )
  expect(tables.length).toBeGreaterThan(20)
  for (const { name } of tables) {
    const dump = JSON.stringify((await database.query(`select t::text from ${name} t`)).rows)
    expect(
      secrets.filter((secret) => dump.includes(secret)),
      name,
    ).toEqual([])
  }
})
