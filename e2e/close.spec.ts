import type { Page } from '@playwright/test'
import { downloadCsv } from './csv.ts'
import { expect, takeSession, test } from './fixtures.ts'
import { expectAccessible, expectContrast } from './look.ts'
import { decideByScript, findKeys } from './review-steps.ts'
import type { App } from './start-app.ts'
import { readAgain } from './sync-screen.ts'

// one account, read once
test.describe.configure({ mode: 'serial', timeout: 240_000 })

const ANA = { name: 'Ana Ruiz', email: 'ana.ruiz@example.com' }
const BEN = { name: 'Ben Okafor', email: 'ben.okafor@example.com' }

/** A person of the first admin's organization, by the same password. */
async function addApprover(app: App, { name, email }: typeof ANA): Promise<void> {
  await app.query(
    `insert into app_user (organization_id, email, name, role, password_hash)
     select organization_id, '${email}', '${name}', 'approver', password_hash from app_user where email = '${app.adminEmail}'
       and not exists (select from app_user where email = '${email}') returning id`,
  )
}

type Month = { connection: string; profile: string; month: string; line: string; total: string }

/** A month of a profile with something undecided, and a line of it that adds up. */
async function findMonth(app: App): Promise<Month> {
  const [found] = await app.query(
    `select l.connection_id as connection, l.profile_id as profile, to_char(l.issuing_date, 'YYYY-MM') as month,
       (array_agg(l.id order by l.id) filter (where l.finding_count = 0 and l.quantity = 1 and l.total_amount > 50))[1] as line
     from line l where l.profile_id is not null and l.missing_since is null and l.issuing_date < date_trunc('month', current_date) - interval '1 month'
       and l.issuing_date > current_date - interval '10 months' and l.id ~ '^[\\w-]+$'
     group by 1, 2, 3 having count(*) filter (where l.finding_count > 0) > 0
       and count(*) filter (where l.finding_count = 0 and l.quantity = 1 and l.total_amount > 50) > 0 order by 3, 2 limit 1`,
  )
  const [line] = await app.query(`select total_amount::text as total from line where id = '${found?.line}'`)
  return { ...found, total: line?.total } as Month
}

const toAddress = ({ connection, profile, month }: Month) =>
  `/close?${new URLSearchParams({ period: month, profile: `${connection}~${profile}` })}`

/** The platform's total of the month's line: what it was, and so much more. */
async function changeLine(page: Page, app: App, month: Month, more: number): Promise<void> {
  const { mutations, requireAccount } = app.sandbox.state()
  const total = (Number(month.total) + more).toFixed(2)
  mutations.updateLine(requireAccount('nordlicht'), month.line, { total_amount: total })
  await readAgain(page, app, month.connection)
}

const panel = (page: Page) => page.getByRole('complementary', { name: 'Chosen month' })
const chosen = (page: Page) => page.locator('td > a[aria-current]')
const dialog = (page: Page) => page.getByRole('dialog')

/** Opens the dialog of a verb from the keyboard; keys before hydration are lost. */
async function open(page: Page, verb: string): Promise<void> {
  await expect(async () => {
    if (await dialog(page).isVisible()) return
    await panel(page).getByRole('button', { name: verb, exact: true }).focus()
    await page.keyboard.press('Enter')
    await expect(dialog(page)).toBeVisible({ timeout: 3000 })
  }).toPass()
}

/** Signs what the dialog shows: a reason for each residual, then Enter. */
async function sign(page: Page, verb: 'Prepare…' | 'Approve…' | 'Lock…'): Promise<void> {
  await open(page, verb)
  await expect(dialog(page).getByText('Nothing is written yet')).toBeVisible()
  const reasons = dialog(page).getByRole('textbox')
  for (let at = 0; at < (await reasons.count()); at++) {
    if (at > 0) await page.keyboard.press('Tab')
    await page.keyboard.type('Booked by hand')
  }
  await page.keyboard.press('Enter')
  await expect(dialog(page)).toHaveCount(0)
}

let month: Month

test('one person prepares by keyboard, another approves, and the first is refused at page and route', async ({
  page,
  browser,
  app,
  readAccount,
}) => {
  await readAccount(page)
  const listRuns = () => app.query(`select from sync_run where status in ('queued', 'running', 'paused')`)
  await expect.poll(listRuns, { timeout: 60_000 }).toEqual([])
  for (const person of [ANA, BEN]) await addApprover(app, person)
  month = await findMonth(app)
  await page.context().clearCookies()
  await takeSession(page, app, ANA.email)
  await page.goto('/close')
  // arrow keys walk the table, Enter chooses
  const cells = page.locator('td > a')
  await expect(async () => {
    await cells.first().focus()
    await page.keyboard.press('ArrowRight')
    await expect(cells.first()).not.toBeFocused({ timeout: 500 })
  }).toPass()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/period=\d{4}-\d{2}&profile=/)
  await page.goto(toAddress(month))
  await expect(chosen(page)).toHaveAttribute('data-stand', 'open')
  await expect(panel(page)).toContainText('Ties out')
  await open(page, 'Prepare…')
  await expectAccessible(page, 'the dialog that prepares')
  await sign(page, 'Prepare…')
  await expect(chosen(page)).toContainText('prepared by Ana Ruiz')
  await expect(panel(page)).toContainText('Accepted as residual')
  await expect(panel(page)).toContainText('not you, you prepared it')
  await expect(panel(page).getByRole('button', { name: 'Approve…' })).toHaveCount(0)
  // the same person, at the route
  const scope = { kind: 'profile_month', connectionId: month.connection, profileId: month.profile, month: month.month }
  const headers = { origin: app.appUrl }
  const preview = await page.request.post('/api/close/preview', { headers, data: { scope, step: 'approved' } })
  const { sealHex } = await preview.json()
  const refused = await page.request.post('/api/close/approve', { headers, data: { scope, sealHex } })
  expect(refused.status()).toBe(409)
  expect(await refused.json()).toMatchObject({ error: { code: 'four-eyes' } })

  const other = await browser.newPage({ baseURL: app.appUrl })
  await takeSession(other, app, BEN.email)
  await other.goto(toAddress(month))
  await sign(other, 'Approve…')
  await expect(chosen(other)).toContainText('approved by Ben Okafor')
  await expect(panel(other)).toContainText('not who prepared it')
  await other.close()
})

test('a signature falls when the platform changes a line, and says by how much', async ({ page, app }) => {
  await takeSession(page, app, BEN.email)
  await changeLine(page, app, month, 12.4)
  await page.goto(toAddress(month))
  await expect(chosen(page)).toHaveAttribute('data-stand', 'open')
  await expect(chosen(page)).toContainText('+12.40')
  await expect(panel(page)).toContainText(/approved by Ben Okafor on .*, then changed by \+12\.40/)
  const row = (await downloadCsv(page)).find((each) => each.month === month.month && each.profile_id === month.profile)
  expect(row).toMatchObject({
    state: 'open',
    changed_by: expect.stringMatching(/^12\.40*$/),
    approved_by: 'Ben Okafor',
  })
  await expectContrast(page, 'a month that changed')
})

test('a locked month refuses decisions, lists what changes later, and the next open month has it', async ({
  page,
  browser,
  app,
}) => {
  await takeSession(page, app, ANA.email)
  await page.goto(toAddress(month))
  await sign(page, 'Prepare…')
  const other = await browser.newPage({ baseURL: app.appUrl })
  await takeSession(other, app, BEN.email)
  await other.goto(toAddress(month))
  await sign(other, 'Approve…')
  await expect(chosen(other)).toContainText('approved by Ben Okafor')
  await sign(other, 'Lock…')
  await expect(chosen(other)).toHaveAttribute('data-stand', 'locked')
  const asked = { kind: 'accept', search: '', only: [`${month.connection}~${month.line}`] }
  const refused = await decideByScript(other, app, asked, 'agreed')
  expect(refused.status()).toBe(409)
  expect(await refused.json()).toMatchObject({ error: { code: 'period-locked' } })
  await changeLine(other, app, month, 2.4)
  await other.goto(toAddress(month))
  await expect(chosen(other)).toContainText('locked, then changed')
  await expect(chosen(other)).toContainText('−10.00')
  const drift = panel(other).getByRole('region', { name: /After sign-off/ })
  await expect(drift).toContainText('the lock holds')
  await expect(drift).toContainText('−10.00')
  const [{ booked } = {}] = await app.query(`select to_char(booked_in, 'YYYY-MM') as booked from drift limit 1`)
  await other.goto(toAddress({ ...month, month: String(booked) }))
  await expect(panel(other)).toContainText(/late changes? of earlier months/)
  await other.close()
})

test('an exception lets one person in and lists what they did; reopening keeps what was signed', async ({
  page,
  app,
}) => {
  await takeSession(page, app, BEN.email)
  await page.goto(toAddress(month))
  await open(page, 'Exception…')
  await page.keyboard.type('Ana')
  await dialog(page).getByLabel('Reason').focus()
  await page.keyboard.type('A credit that came late')
  await page.keyboard.press('Enter')
  await expect(dialog(page)).toHaveCount(0)
  const exceptions = panel(page).getByRole('region', { name: /Exceptions/ })
  await expect(exceptions).toContainText('A credit that came late')
  await expect(exceptions).toContainText('Nothing was decided meanwhile')
  const ana = await page.context().browser()?.newPage({ baseURL: app.appUrl })
  if (ana === undefined) throw new Error('there is no browser')
  await takeSession(ana, app, ANA.email)
  const asked = { kind: 'accept', search: '', only: [`${month.connection}~${month.line}`] }
  expect((await decideByScript(ana, app, asked, 'agreed')).ok()).toBe(true)
  await ana.close()
  await page.reload()
  await expect(exceptions).toContainText(/Decision \d+: 1 record accepted/)
  await expectAccessible(page, 'a locked month with an exception')
  await open(page, 'Reopen…')
  await page.keyboard.type('The credit is booked here')
  await page.keyboard.press('Enter')
  await expect(dialog(page)).toHaveCount(0)
  await expect(chosen(page)).not.toHaveAttribute('data-stand', /locked|changed/)
  const earlier = panel(page).getByText(/^Earlier/)
  await earlier.focus()
  await page.keyboard.press('Enter')
  await expect(panel(page)).toContainText('opened again by Ben Okafor')
})

test('an invoice has its own sign-off, and the overview of the month shows how far it is', async ({ page, app }) => {
  await takeSession(page, app, ANA.email)
  const [key = ''] = await findKeys(app, 1)
  const [invoice] = await app.query(
    `select invoice_serial_number as serial from line where id = '${key.split('~')[1]}' limit 1`,
  )
  await page.goto(`/invoices/${month.connection}/${encodeURIComponent(String(invoice?.serial))}`)
  const box = page.getByRole('region', { name: 'Sign-off of the invoice' })
  await expect(async () => {
    if (await dialog(page).isVisible()) return
    await box.getByRole('button', { name: 'Prepare…' }).focus()
    await page.keyboard.press('Enter')
    await expect(dialog(page)).toBeVisible({ timeout: 3000 })
  }).toPass()
  const reasons = dialog(page).getByRole('textbox')
  for (let at = 0; at < (await reasons.count()); at++) {
    if (at > 0) await page.keyboard.press('Tab')
    await page.keyboard.type('Booked by hand')
  }
  await page.keyboard.press('Enter')
  await expect(dialog(page)).toHaveCount(0)
  await expect(box).toContainText('prepared by Ana Ruiz')
  await page.goto(`/?period=${month.month}`)
  await expect(page.getByRole('link', { name: /^Close of/ })).toBeVisible()
})
