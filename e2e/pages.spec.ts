import pg from 'pg'
import { openReady } from './desk-pages.ts'
import { expect, KEPT_ALIVE, test } from './fixtures.ts'
import { pressUntilFocused } from './screen.ts'
import type { App } from './start-app.ts'

test.describe.configure({ mode: 'serial' })

test('tells an organization without accounts on every page what to do next', async ({ page, signIn }) => {
  await signIn(page)
  for (const address of ['/', '/lines', '/groups', '/invoices', '/connections']) {
    await openReady(page, address)
    await expect(page.getByRole('main'), address).toContainText(/connect/i)
  }
})

/** Nobody reads the records until `act` is done: the pages' answers wait. */
async function whileRecordsAreHeld(app: App, act: () => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: app.databaseUrl })
  await client.connect()
  try {
    await client.query('begin')
    await client.query('lock table line, line_rollup, invoice, invoice_rollup in access exclusive mode')
    await act()
  } finally {
    await client.end()
  }
}

test('a loading list shows its name and what it was asked for', async ({ page, signIn, app }) => {
  await signIn(page)
  const loading = page.locator('[aria-busy] h1')
  for (const name of ['Lines', 'Groups', 'Invoices']) {
    await openReady(page, '/changes')
    await whileRecordsAreHeld(app, async () => {
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name }).click()
      await expect(loading).toHaveText(name)
      await expect(page).toHaveTitle(`${name} · Tieout`)
    })
    await expect(page.locator('.skeleton-page')).toHaveCount(0)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
  }
})

test('an address opened in an empty window shows the frame, the title and this page’s skeleton first', async ({
  page,
  signIn,
  app,
}) => {
  await signIn(page)
  for (const [address, name] of [
    ['/lines', 'Lines'],
    ['/groups', 'Groups'],
    ['/', 'Overview'],
  ] as const) {
    await whileRecordsAreHeld(app, async () => {
      await page.goto(address, { waitUntil: 'commit' })
      await expect(page.getByRole('link', { name: 'Connections' })).toBeVisible()
      await expect(page).toHaveTitle(`${name} · Tieout`)
      await expect(page.locator('[aria-busy] h1')).toHaveText(name)
      await expect(page.locator('.skeleton-page .skeleton').last()).toHaveCSS('opacity', '1')
    })
    await expect(page.locator('.skeleton-page')).toHaveCount(0)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
  }
})

test('a quick answer comes without a skeleton, in place before any script runs', async ({ page, signIn }) => {
  await signIn(page)
  await expect(async () => {
    const html = await (await page.request.get('/lines', KEPT_ALIVE)).text()
    const shown = html.slice(0, html.indexOf('</main>'))
    expect(shown).toContain('No lines yet')
    expect(shown).not.toContain('aria-busy')
  }).toPass()
})

test('without scripts a page that comes late takes its skeleton’s room, and says before how to go on', async ({
  page,
  signIn,
  app,
  browser,
}) => {
  await signIn(page)
  const storageState = await page.context().storageState()
  const context = await browser.newContext({ baseURL: app.appUrl, javaScriptEnabled: false, storageState })
  const plain = await context.newPage()
  const title = plain.getByRole('heading', { level: 1 })
  for (const width of [1440, 390]) {
    await plain.setViewportSize({ width, height: 900 })
    for (const [address, name] of [
      ['/', 'Overview'],
      ['/lines', 'Lines'],
      ['/groups', 'Groups'],
      ['/invoices', 'Invoices'],
    ] as const) {
      await whileRecordsAreHeld(app, async () => {
        await plain.goto(address, { waitUntil: 'commit' })
        await expect(plain.locator('main noscript p')).toBeVisible()
        await expect(plain.locator('main noscript p')).toContainText('if it does not, load it again')
        await expect(plain.getByRole('main').getByRole('heading')).toHaveText(name)
      })
      await expect(plain.locator('.skeleton-page').first()).toBeHidden()
      await expect(title).toHaveText(name)
      const at = await title.boundingBox()
      const frame = await plain.getByRole('navigation', { name: 'Main' }).boundingBox()
      if (at === null || frame === null) throw new Error(`${name} at ${width} is not seen`)
      // beside the navigation at a desk, above it on a phone
      expect(width > 700 ? at.x - frame.width : frame.y - at.y, `${address} at ${width}`).toBeGreaterThan(0)
      expect(at.y, `${address} at ${width}`).toBeLessThan(120)
      expect(await plain.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(900)
    }
  }
  await context.close()
})

test('the old page stays until the new one is there, and nothing is asked for ahead', async ({ page, signIn }) => {
  const ahead: string[] = []
  page.on('request', (request) => {
    if ('next-router-prefetch' in request.headers()) ahead.push(request.url())
  })
  await signIn(page)
  await openReady(page, '/lines')
  let answer = () => {}
  const isAnswered = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route('**/groups?*', async (route) => {
    await isAnswered
    await route.continue()
  })
  const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Groups' })
  await link.hover()
  await link.click()
  await expect(page.locator('html')).toHaveAttribute('data-pending', 'page')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Lines')
  await expect(page.getByRole('main')).toContainText('No lines yet')
  answer()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Groups')
  await expect(page.locator('html')).not.toHaveAttribute('data-pending')
  expect(ahead).toEqual([])
})

test('who wants no motion sees another theme at once, to the deepest text', async ({ page, readAccount }) => {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await readAccount(page)
  await page.goto('/lines')
  await page.emulateMedia({ colorScheme: 'dark' })
  const moving = await page.evaluate(() => {
    const isDark = matchMedia('(prefers-color-scheme: dark)').matches
    return { isDark, texts: document.getAnimations().length }
  })
  expect(moving).toEqual({ isDark: true, texts: 0 })
})

test('a filter without matches offers a reset instead of an empty table', async ({ page, signIn }) => {
  await signIn(page)
  await openReady(page, '/lines?q=nothing-has-this-name')
  await expect(page.getByRole('main')).toContainText('No lines match these filters')
  await page.getByRole('link', { name: 'Show all lines' }).click()
  await expect(page).toHaveURL(/\/lines\?period=all$/)
  await expect(page.locator('tbody tr[data-row]').first()).toBeVisible()
})

test('the keyboard alone is enough to work through the lines', async ({ page, signIn }) => {
  await signIn(page)
  await openReady(page, '/lines?findings=1')
  const rows = page.locator('tbody tr[data-row]')
  await pressUntilFocused(page, 'j', rows.first())
  await page.keyboard.press('j')
  await expect(rows.nth(1)).toBeFocused()
  await page.keyboard.press('Enter')
  const panel = page.getByRole('complementary', { name: 'Line' })
  await expect(panel).toContainText('difference')
  await expect(page).toHaveURL(/line=/)
  const first = await panel.getByRole('heading').first().textContent()
  await page.keyboard.press('j')
  await expect(panel.getByRole('heading').first()).not.toHaveText(first ?? '')
  await page.keyboard.press('Escape')
  await expect(panel).toHaveCount(0)
  await page.keyboard.press('/')
  await page.keyboard.type('99.99999998')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/q=99.99999998/)
  await expect(rows).toHaveCount(1)
})

test('a pasted link shows the same rows and the same open line', async ({ page, signIn, context }) => {
  await signIn(page)
  await openReady(page, '/lines?findings=1&currency=JPY&sort=total_amount')
  await page.locator('tbody tr[data-row]').first().click()
  const heading = page.getByRole('complementary', { name: 'Line' }).getByRole('heading').first()
  await expect(heading).toBeVisible()
  const other = await context.newPage()
  await other.goto(page.url())
  await expect(other.getByRole('complementary', { name: 'Line' }).getByRole('heading').first()).toHaveText(
    (await heading.textContent()) ?? '',
  )
  await expect(other.locator('tbody tr[data-row]')).toHaveCount(await page.locator('tbody tr[data-row]').count())
})

test('a list that fails to load says so and can be retried', async ({ page, signIn, app }) => {
  await signIn(page)
  await app.query('alter table line rename to line_away')
  try {
    await page.goto('/lines')
    await expect(page.getByRole('main')).toContainText(/could not|failed/i)
    await expect(page.getByRole('button', { name: /try again/i })).toBeVisible()
    await expect(page.getByRole('main')).not.toContainText(/relation|select/i)
  } finally {
    await app.query('alter table line_away rename to line')
  }
  await page.getByRole('button', { name: /try again/i }).click()
  await expect(page.locator('tbody tr[data-row]').first()).toBeVisible()
})

test('shows hostile text from the platform as text and runs nothing', async ({ page, signIn }) => {
  const dialogs: string[] = []
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message())
    void dialog.dismiss()
  })
  await signIn(page)
  await openReady(page, '/groups')
  await expect(page.getByRole('main')).toContainText('<script>alert(1)</script>')
  expect(dialogs).toEqual([])
})
