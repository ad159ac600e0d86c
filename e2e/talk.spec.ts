import type { Page } from '@playwright/test'
import type { Mine } from '#lib/talk/model.ts'
import { expect, KEPT_ALIVE, takeSession, test } from './fixtures.ts'
import { expectAccessible, expectContrast } from './look.ts'
import { openMenu } from './screen.ts'
import type { App } from './start-app.ts'

// one account, read once
test.describe.configure({ mode: 'serial' })

const ANA = { name: 'Ana Ruiz', email: 'ana.ruiz@example.com' }
const BEN = { name: 'Ben Okafor', email: 'ben.okafor@example.com' }

/** A person of the first admin's organization, by the same password. */
async function addPerson(app: App, { name, email }: typeof ANA, role: string): Promise<void> {
  await app.query(
    `insert into app_user (organization_id, email, name, role, password_hash)
     select organization_id, '${email}', '${name}', '${role}', password_hash from app_user where email = '${app.adminEmail}'
       and not exists (select from app_user where email = '${email}') returning id`,
  )
}

/** The address of a line's panel. */
async function toLineAddress(app: App): Promise<string> {
  const [line] = await app.query(
    `select connection_id as connection, id from line where id ~ '^[\\w-]+$' order by expense_date desc, id limit 1`,
  )
  return `/lines?line=${encodeURIComponent(`${line?.connection}~${line?.id}`)}`
}

const panel = (page: Page) => page.getByRole('complementary', { name: 'Line' })
const comments = (page: Page) => panel(page).getByRole('region', { name: /^Activity/ })
/** What people say, among all that happened. */
const said = (page: Page) => comments(page).locator('li[data-comment]')
const composer = (page: Page) => comments(page).getByRole('textbox', { name: 'Write a comment' })
const assigned = (page: Page) => panel(page).getByRole('group', { name: 'Assigned to' })
const people = (page: Page) => comments(page).getByRole('listbox', { name: 'People' })

const PDF = { name: 'bill.html', mimeType: 'text/html', buffer: Buffer.from('%PDF-1.7 <script>alert(1)</script>') }
const SVG = { name: 'photo.png', mimeType: 'image/png', buffer: Buffer.from('<svg onload="alert(1)"/>') }
/** A picture of one point. */
const PNG = {
  name: '../\u202eshot.png',
  mimeType: 'image/png',
  buffer: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
}
const FILE = 'input[type=file]'

test.beforeEach(async ({ app }) => {
  await app.query('delete from thread returning 1 as one')
})

test('a colleague named in a comment finds it, answers, and is given the line, by keys alone, which is clean on a screen and on a phone, in both themes', async ({
  page,
  browser,
  app,
  readAccount,
}) => {
  test.setTimeout(90_000)
  await readAccount(page)
  await addPerson(app, ANA, 'finance')
  await addPerson(app, BEN, 'finance')
  const address = await toLineAddress(app)
  await page.context().clearCookies()
  await takeSession(page, app, ANA.email)
  await page.goto(address)

  await composer(page).focus()
  await page.keyboard.type('The hotel says 7%. @be')
  await expect(people(page).getByRole('option')).toHaveText([/Ben Okafor/])
  await page.keyboard.press('Escape')
  await expect(people(page)).toHaveCount(0)
  await expect(panel(page)).toBeVisible()
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Backspace')
  await page.keyboard.type('o')
  await expect(people(page).getByRole('option')).toHaveText([/Ben Okafor/])
  await page.keyboard.press('Backspace')
  await expect(people(page).getByRole('option', { selected: true })).toHaveText(/Ana Ruiz|Ada|admin/i)
  await page.keyboard.type('ok')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await expect(composer(page)).toHaveValue('The hotel says 7%. @Ben Okafor ')
  await page.keyboard.type('can you ask?')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(comments(page).getByRole('button', { name: 'Attach…' })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(comments(page).getByRole('checkbox')).toBeFocused()
  await page.keyboard.press('Space')
  await composer(page).focus()
  await page.keyboard.press('Control+Enter')
  await expect(said(page)).toHaveCount(1)
  await expect(said(page)).toContainText('The hotel says 7%. @Ben Okafor can you ask?')
  await expect(composer(page)).toHaveValue('')
  await expect(composer(page)).toBeFocused()

  const other = await browser.newPage({ baseURL: app.appUrl })
  await takeSession(other, app, BEN.email)
  const mine = async () => (await (await other.request.get(`${app.appUrl}/api/talk/mine`)).json()) as Mine
  expect((await mine()).mentions).toMatchObject([{ byName: ANA.name, subject: { kind: 'line' } }])
  await other.goto(address)
  await expect(said(other)).toContainText('can you ask?')
  await expect.poll(async () => (await mine()).mentions.length).toBe(0)
  await composer(other).focus()
  await other.keyboard.type('Asked this morning.')
  await other.keyboard.press('Control+Enter')
  await expect(said(other)).toHaveCount(2)

  await page.reload()
  await expect(said(page).first()).toContainText('Asked this morning.')
  await openMenu(page, assigned(page).getByRole('button', { name: 'Assign…' }))
  await expect(page.getByRole('menuitem').first()).toHaveText('Me')
  await page.keyboard.type('ben')
  await page.keyboard.press('Enter')
  await expect(assigned(page)).toContainText('Ben Okafor')
  expect((await mine()).assignments).toHaveLength(1)
  await other.close()

  await comments(page).locator(FILE).setInputFiles([PDF, PNG])
  await composer(page).pressSequentially('Ask @')
  await expect(people(page)).toBeVisible()
  for (const [width, height] of [
    [1440, 900],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height })
    await composer(page).scrollIntoViewIfNeeded()
    await expectAccessible(page, `comments at ${width} px`)
    await page.emulateMedia({ colorScheme: 'dark' })
    await expectContrast(page, `comments at ${width} px in the dark`)
    await page.emulateMedia({ colorScheme: 'light' })
  }
})

test('an answer that does not come loses no words, neither does leaving the line, and who comes back sees what is said about each', async ({
  page,
  signIn,
}) => {
  await signIn(page)
  await page.goto('/lines')
  const rows = page.locator('table[aria-label="Lines"] tr[data-row]')
  const look = async (at: number, words: string[], unsent = '') => {
    await rows.nth(at).click()
    await expect(composer(page)).toHaveValue(unsent)
    await expect(said(page)).toHaveText(words.map((each) => new RegExp(each)))
  }
  await look(0, [])
  await page.route('**/api/talk', (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()))
  await composer(page).fill('Of the first line')
  await composer(page).press('Control+Enter')
  await expect(comments(page).getByRole('alert')).toContainText('try again')
  await expect(composer(page)).toHaveValue('Of the first line')
  await look(1, [])
  await page.unroute('**/api/talk')
  await look(0, [], 'Of the first line')
  await page.reload()
  await expect(composer(page)).toHaveValue('Of the first line')
  await composer(page).press('Control+Enter')
  await expect(said(page)).toHaveCount(1)
  await look(1, [])
  await composer(page).fill('Of the second line')
  await composer(page).press('Control+Enter')
  await expect(said(page)).toHaveCount(1)
  // both have been seen: neither's panel is empty in between
  for (const [at, words] of [
    [0, 'Of the first line'],
    [1, 'Of the second line'],
    [2, null],
    [0, 'Of the first line'],
  ] as const)
    await look(at, words === null ? [] : [words])
})

test('a comment is a text whatever it says, and its author edits it with the former words kept', async ({
  page,
  app,
  signIn,
}) => {
  await signIn(page)
  await page.goto(await toLineAddress(app))
  const hostile = '<img src=x onerror=alert(1)> https://evil.example \u202eesrever'
  await composer(page).fill(hostile)
  await composer(page).press('Control+Enter')
  const comment = said(page).first()
  await expect(comment).toContainText(hostile)
  expect(await comment.locator('img, a').count()).toBe(0)
  await comment.getByRole('button', { name: /^Edit/ }).focus()
  await page.keyboard.press('Enter')
  const field = comment.getByRole('textbox', { name: 'Your comment' })
  await expect(field).toBeFocused()
  await field.fill('Something else')
  await field.press('Escape')
  await expect(comment).toContainText(hostile)
  await expect(comment.getByRole('button', { name: /^Edit/ })).toBeFocused()
  await page.keyboard.press('Enter')
  await field.fill('Something else')
  await field.press('Control+Enter')
  await expect(comment).toContainText('Something else')
  await expect(comment.getByText(hostile)).toBeHidden()
  await comment.getByText(/^edited/).click()
  await expect(comment.getByText(hostile)).toBeVisible()
})

/** Lets files fall on the field, or pastes them into it. */
async function give(page: Page, how: 'drop' | 'paste', { name, mimeType, buffer }: typeof PNG): Promise<void> {
  const transfer = await page.evaluateHandle(
    ([name, type, bytes]) => {
      const made = new DataTransfer()
      made.items.add(new File([Uint8Array.from(atob(bytes), (each) => each.charCodeAt(0))], name, { type }))
      return made
    },
    [name, mimeType, buffer.toString('base64')] as const,
  )
  if (how === 'drop') await composer(page).dispatchEvent('drop', { dataTransfer: transfer })
  else
    await composer(page).evaluate((field, clipboardData) => {
      field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    }, transfer)
}

test('files are chosen, dropped and pasted, sent with a comment, opened by a colleague and removed for good', async ({
  page,
  browser,
  app,
  signIn,
}) => {
  await signIn(page)
  await addPerson(app, ANA, 'finance')
  await addPerson(app, BEN, 'finance')
  const address = await toLineAddress(app)
  await page.context().clearCookies()
  await takeSession(page, app, ANA.email)
  await page.goto(address)
  const chosen = comments(page).getByRole('list', { name: 'Files of the comment' }).getByRole('listitem')

  await expect(composer(page)).toBeVisible()
  await comments(page).locator(FILE).setInputFiles([SVG, PDF])
  await expect(comments(page).getByRole('alert')).toContainText('neither a PDF nor a picture')
  await expect(chosen).toHaveText([/^bill\.html/])
  await give(page, 'drop', PNG)
  await give(page, 'paste', PNG)
  await expect(chosen).toHaveText([/^bill\.html/, /^shot\.png/, /^shot\.png/])
  await chosen
    .last()
    .getByRole('button', { name: /^Take out/ })
    .click()
  await expect(chosen).toHaveCount(2)
  expect(await app.query('select count(*)::int as count from attachment')).toEqual([{ count: 0 }])

  await page.route('**/api/talk/files', (route) => route.abort())
  await composer(page).press('Control+Enter')
  await expect(comments(page).getByRole('alert')).toContainText('try again')
  await expect(chosen).toHaveCount(2)
  await page.unroute('**/api/talk/files')
  await composer(page).press('Control+Enter')
  await expect(chosen).toHaveCount(0)
  await expect(said(page).getByRole('link')).toHaveText(['bill.html', 'shot.png'])

  const other = await browser.newPage({ baseURL: app.appUrl })
  await takeSession(other, app, BEN.email)
  await other.goto(address)
  await said(other).locator('img').scrollIntoViewIfNeeded()
  await expect(said(other).locator('img')).toHaveJSProperty('naturalWidth', 1)
  const downloading = other.waitForEvent('download')
  await said(other).getByRole('link', { name: 'bill.html' }).click()
  expect((await downloading).suggestedFilename()).toBe('bill.html.pdf')
  await expect(said(other).getByRole('button', { name: /^Remove/ })).toHaveCount(0)
  const opened = await said(other).getByRole('link', { name: 'shot.png' }).getAttribute('href')

  await said(page)
    .getByRole('button', { name: /^Remove shot/ })
    .click()
  const asking = said(page).getByRole('group', { name: 'Remove the file for good?' })
  await expect(asking.getByRole('button', { name: 'Keep' })).toBeFocused()
  await asking.getByRole('button', { name: 'Remove' }).click()
  await expect(said(page)).toContainText('Ana Ruiz removed shot.png')
  await expect(said(page).getByRole('link')).toHaveText(['bill.html'])
  expect((await other.request.get(`${app.appUrl}${opened}`)).status()).toBe(404)
  await other.close()
})

test('one list of a line has who has seen it, what people said and decided, and what the platform changed', async ({
  page,
  browser,
  app,
  signIn,
}) => {
  await signIn(page)
  await addPerson(app, ANA, 'finance')
  await addPerson(app, BEN, 'finance')
  await app.query('delete from line_seen returning 1 as one')
  const address = await toLineAddress(app)
  const other = await browser.newPage({ baseURL: app.appUrl })
  await takeSession(other, app, BEN.email)
  await other.goto(address)
  await expect(comments(other).getByText('Seen by you')).toBeVisible()
  await composer(other).fill('Asked the hotel')
  await composer(other).press('Control+Enter')
  await expect(said(other)).toHaveCount(1)
  await other.close()

  await page.context().clearCookies()
  await takeSession(page, app, ANA.email)
  await page.goto(address)
  await expect(comments(page).getByText('Seen by Ben Okafor and you')).toBeVisible()
  await comments(page).getByText('Seen by Ben Okafor and you').click()
  await expect(comments(page).getByRole('list', { name: 'Seen by' }).getByRole('listitem')).toHaveText([
    /you.*\d/,
    /Ben Okafor.*\d/,
  ])
  await panel(page)
    .getByRole('button', { name: /^Accept/ })
    .click()
  await expect(comments(page).locator('> ol > li')).toHaveText([/Ana Ruiz accepted/, /Asked the hotel/, /first seen/])
})

/** A page as the server sends it, before any script. */
const readServed = async (page: Page, address: string) => (await page.request.get(address, KEPT_ALIVE)).text()

test('a trip, a group and a month of an account are talked of on their own pages', async ({ page, app, signIn }) => {
  await signIn(page)
  const [line] = await app.query(
    `select l.trip_id as trip, l.cost_center as "costCenter", to_char(i.issuing_date, 'YYYY-MM') as month, l.connection_id as connection
     from line l join invoice i on i.organization_id = l.organization_id and i.connection_id = l.connection_id
       and i.serial_number = l.invoice_serial_number
     where l.trip_id is not null and l.cost_center ~ '^[\\w-]+$' and i.issuing_date is not null order by l.id limit 1`,
  )
  for (const [kind, address] of [
    ['trip', `/trips/${encodeURIComponent(String(line?.trip))}`],
    ['group', `/lines?period=all&cost_center=${line?.costCenter}`],
    ['period', `/?period=${line?.month}&date=issued&connection=${line?.connection}`],
  ] as const) {
    await page.goto(address)
    const fold = page.locator('.talk-fold')
    await expect(fold.locator('> summary')).toContainText('No comments yet')
    await fold.locator('> summary').click()
    const ofPage = fold.getByRole('region', { name: /^Comments/ })
    await ofPage.getByRole('textbox', { name: 'Write a comment' }).fill(`Of the ${kind}`)
    await ofPage.getByRole('button', { name: 'Send' }).click()
    await expect(ofPage.getByRole('listitem')).toContainText(`Of the ${kind}`)
    expect(await app.query(`select kind from thread where kind = '${kind}'`)).toHaveLength(1)
    const again = await readServed(page, address)
    expect(again).toMatch(/class="talk-fold".*?1(<!-- -->)? comment/s)
    expect(again).not.toContain('<textarea')
  }
  const lines = await readServed(page, '/lines?period=all')
  expect(lines).toContain('data-row')
  expect(lines).not.toContain('talk-fold')
})

test('a viewer reads what is said and has no field, and an invoice has comments of its own', async ({
  page,
  app,
  signIn,
}) => {
  await signIn(page)
  const [invoice] = await app.query('select connection_id as connection, serial_number as serial from invoice limit 1')
  const address = `/invoices/${invoice?.connection}/${encodeURIComponent(String(invoice?.serial))}`
  await page.goto(address)
  const ofInvoice = page.getByRole('region', { name: /^Comments/ })
  await ofInvoice.getByRole('textbox', { name: 'Write a comment' }).fill('Of the whole invoice')
  await ofInvoice.getByRole('button', { name: 'Send' }).click()
  await expect(ofInvoice.locator('li[data-comment]')).toContainText('Of the whole invoice')
  await addPerson(app, { name: 'Vera Viewer', email: 'vera.viewer@example.com' }, 'viewer')
  await page.context().clearCookies()
  await takeSession(page, app, 'vera.viewer@example.com')
  await page.goto(address)
  await expect(ofInvoice.locator('li[data-comment]')).toContainText('Of the whole invoice')
  await expect(ofInvoice.getByRole('textbox')).toHaveCount(0)
  await expect(page.getByRole('group', { name: 'Assigned to' })).toContainText('nobody')
  await expect(page.getByRole('group', { name: 'Assigned to' }).getByRole('button')).toHaveCount(0)
})
