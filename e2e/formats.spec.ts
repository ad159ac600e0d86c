/** One's own numbers: every page as people of other countries read it. */
import type { Browser, Page } from '@playwright/test'
import { listDeskPages, OPEN_PAGES } from './desk-pages.ts'
import { expect, KEPT_ALIVE, takeSession, test } from './fixtures.ts'
import type { App } from './start-app.ts'

test.describe.configure({ timeout: 600_000 })

type Reader = { locale: string; timezoneId: string; formats: string }

const AMERICAN: Reader = { locale: 'en-US', timezoneId: 'UTC', formats: 'comma-point month-first UTC' }
// Chromium calls India's zone by its older name
const READERS: Reader[] = [
  { locale: 'de-DE', timezoneId: 'Europe/Berlin', formats: 'point-comma points Europe/Berlin' },
  { locale: 'ar-EG', timezoneId: 'Africa/Cairo', formats: 'comma-point day-first Africa/Cairo' },
  { locale: 'hi-IN', timezoneId: 'Asia/Kolkata', formats: 'indian day-first Asia/Calcutta' },
  { locale: 'ja-JP', timezoneId: 'Asia/Tokyo', formats: 'comma-point year-first Asia/Tokyo' },
]

/** Pages whose lists, charts and dates scripts write on. */
const WRITTEN_BY_SCRIPTS = ['/', '/lines', '/invoices', '/groups', '/review', '/close', '/audit', '/connections']

/**
 * A browser of that country in which the admin is signed in, who has chosen nothing, and what goes
 * wrong in it.
 */
async function open(browser: Browser, app: App, { locale, timezoneId }: Reader) {
  await app.query(`update app_user set number_format = null, date_format = null, time_zone = null returning id`)
  const context = await browser.newContext({ baseURL: app.appUrl, locale, timezoneId })
  const page = await context.newPage()
  const problems: string[] = []
  // React tells of a page that does not fit the server's by an error of the page
  page.on('pageerror', (error) => problems.push(`${page.url()}: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`${message.location().url}: ${message.text()}`)
  })
  await page.goto('/sign-in')
  await expect.poll(async () => (await context.cookies()).map(({ name }) => name)).toContain('tieout_zone')
  await takeSession(page, app, app.adminEmail)
  return { context, page, problems }
}

/** What nobody reads, moments, which differ by zone, and invisible digits that align figures. */
const LEFT_OUT = 'script, style, template, option, time, .on-paper, i[aria-hidden]'

/**
 * Everything that the page says in digits: what people see, or, of a text of HTML, what the server
 * said, of which scripts will show some parts only. A slow answer says some of it twice, at first
 * in place of what is not there yet: each text is there once, in no order.
 */
async function readPlain(page: Page, html: string | null = null): Promise<string[]> {
  const texts = await page.evaluate(
    ({ html, leftOut }) => {
      const read = html === null ? document : new DOMParser().parseFromString(html, 'text/html')
      const walker = read.createTreeWalker(read.body, NodeFilter.SHOW_TEXT)
      const texts: string[] = []
      while (walker.nextNode()) {
        const { parentElement, textContent } = walker.currentNode
        if (!parentElement?.closest(leftOut) && /\d/.test(textContent ?? '')) texts.push(textContent ?? '')
      }
      return texts
    },
    { html, leftOut: html === null ? `${LEFT_OUT}, [hidden]` : LEFT_OUT },
  )
  return html === null ? texts.map(toPlain) : [...new Set(texts.map(toPlain))].sort()
}

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')
const NAME = `(${MONTHS.join('|')})`
const toIso = (year: string, month: string, day: string) =>
  `${year}-${(MONTHS.includes(month) ? String(MONTHS.indexOf(month) + 1) : month).padStart(2, '0')}-${day.padStart(2, '0')}`

/** The digits and days of a text, however they are written. */
function toPlain(text: string): string {
  return text
    .replace(
      new RegExp(`${NAME} (\\d+) to (?=${NAME} \\d+, (\\d{4}))`, 'g'),
      (_, m, d, _m, y) => `${toIso(y, m, d)} to `,
    )
    .replace(
      new RegExp(`(\\d+) ${NAME} to (?=\\d+ ${NAME} (\\d{4}))`, 'g'),
      (_, d, m, _m, y) => `${toIso(y, m, d)} to `,
    )
    .replace(/(\d\d)\.(\d\d)\. to (?=\d\d\.\d\d\.(\d{4}))/g, (_, d, m, y) => `${toIso(y, m, d)} to `)
    .replace(new RegExp(`${NAME} (\\d{1,2}), (\\d{4})`, 'g'), (_, m, d, y) => toIso(y, m, d))
    .replace(new RegExp(`(\\d{1,2}) ${NAME} (\\d{4})`, 'g'), (_, d, m, y) => toIso(y, m, d))
    .replace(/(\d\d)\.(\d\d)\.(\d{4})/g, (_, d, m, y) => toIso(y, m, d))
    .replace(/(?<=\d)[.,\u202f\u2019](?=\d)/g, '')
}

/** The server's own answer, as this country's browser asks for it. */
async function ask(page: Page, address: string, { locale }: Reader): Promise<string> {
  const headers = { 'accept-language': locale }
  return (await page.request.get(address, { ...KEPT_ALIVE, headers })).text()
}

/** Until nothing of a page is on its way: a template stands where the server sends more later. */
async function waitForAll(page: Page): Promise<void> {
  await expect(page.locator('.skeleton-page, template[id^="B:"]')).toHaveCount(0)
}

/** What one page says and another does not, and the other way round. */
async function compare(page: Page, other: Page): Promise<{ missing: string[]; added: string[] }> {
  const [texts, others] = [await readPlain(page), await readPlain(other)]
  return {
    missing: texts.filter((text) => !others.includes(text)),
    added: others.filter((text) => !texts.includes(text)),
  }
}

test('every page says the same digits and days in five countries, from the server’s first answer on, without an error', async ({
  app,
  browser,
  page,
  readAccount,
}) => {
  await readAccount(page)
  await app.killWorker()
  const home = await open(browser, app, AMERICAN)
  const guests = []
  for (const reader of READERS) guests.push({ ...reader, ...(await open(browser, app, reader)) })
  let textCount = 0
  for (const address of [...(await listDeskPages(app)), ...OPEN_PAGES]) {
    const html = await readPlain(home.page, await ask(home.page, address, AMERICAN))
    await home.page.goto(address)
    await waitForAll(home.page)
    textCount += (await readPlain(home.page)).length
    for (const guest of guests) {
      const answer = await ask(guest.page, address, guest)
      const name = `${guest.locale} ${address}`
      expect(answer, name).toContain(`data-formats="${guest.formats}"`)
      expect(await readPlain(guest.page, answer), name).toEqual(html)
      // what scripts write is written by one module: one country sees it on every page
      if (guest !== guests[0] && !WRITTEN_BY_SCRIPTS.includes(address)) continue
      await guest.page.goto(address)
      await waitForAll(guest.page)
      // a long list draws fewer rows once its script is there, on either page at its own time
      await expect.poll(() => compare(home.page, guest.page), { message: name }).toEqual({ missing: [], added: [] })
    }
  }
  expect(textCount).toBeGreaterThan(500)
  for (const { context, problems, locale } of [...guests, { ...home, ...AMERICAN }]) {
    expect(problems, locale).toEqual([])
    await context.close()
  }
})

async function choose(page: Page, address: string, choices: Record<string, string>): Promise<void> {
  await page.goto(address)
  const section = page.getByRole('region', { name: 'Numbers and dates' })
  for (const [label, choice] of Object.entries(choices)) await section.getByLabel(label).selectOption(choice)
  await section.getByRole('button', { name: 'Save' }).click()
  await expect(section).toContainText('Pages are written like this from now on.')
}

const readFormats = (page: Page) => page.locator('html').getAttribute('data-formats')

test('a person’s choice holds over the browser, and that of the organization where they say so', async ({
  app,
  browser,
}) => {
  const { context, page } = await open(browser, app, AMERICAN)
  await choose(page, '/settings', { Numbers: 'point-comma', Dates: 'year-first', 'Time zone': 'Asia/Tokyo' })
  expect(await readFormats(page)).toBe(AMERICAN.formats)
  await choose(page, '/account', { Numbers: 'organization', Dates: 'day-first', 'Time zone': 'organization' })
  expect(await readFormats(page)).toBe('point-comma day-first Asia/Tokyo')
  await page.goto('/audit')
  const entry = page.getByRole('listitem').filter({ hasText: 'chose how figures, days and times are written' }).first()
  await expect(entry.locator('time').first()).toHaveText(/^\d{1,2} \w{3} \d{4}, \d\d:\d\d:\d\d UTC\+9$/)
  await context.close()
})

test('a page that a script opens is written like the first one', async ({ app, browser, page: other, readAccount }) => {
  await readAccount(other)
  const [german] = READERS as [Reader]
  const { context, page, problems } = await open(browser, app, german)
  await page.goto('/account')
  await page.getByRole('link', { name: 'Lines', exact: true }).first().click()
  await expect(page).toHaveURL(/\/lines/)
  await expect(
    page
      .locator('main')
      .getByText(/^−?\d{1,3}(\.\d{3})*,\d\d$/)
      .first(),
  ).toBeVisible()
  expect(problems).toEqual([])
  await context.close()
})
