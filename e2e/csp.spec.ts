import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { APIRequestContext, Page } from '@playwright/test'
import { listDeskPages, OPEN_PAGES } from './desk-pages.ts'
import { expect, KEPT_ALIVE, test } from './fixtures.ts'
import type { App } from './start-app.ts'

test.describe.configure({ mode: 'serial', timeout: 180_000 })

/** Answers that look like pages, and lists under other conditions than at first. */
const MORE_PAGES = [
  '/lines?findings=1',
  '/lines?q=nothing-like-it',
  '/groups?by=cost_center,vertical&across=month',
  '/connect',
  '/nonexistent',
  '/_next/image?url=x',
  '/_global-error',
]

/** Connects an account unless one exists, and waits for its lines. */
async function haveAccount(page: Page, app: App, connectAccount: (page: Page) => Promise<void>): Promise<void> {
  if ((await app.query('select from connection')).length === 0) await connectAccount(page)
  const countDone = async () => (await app.query(`select from sync_run where status = 'succeeded'`)).length
  await expect.poll(countDone, { timeout: 60_000 }).toBe(1)
}

type Tag = { name: string; attributes: string }

/** The page's policy, and everything in its text that could run or style. */
async function readPage(request: APIRequestContext, path: string) {
  const reply = await request.get(path, KEPT_ALIVE)
  const html = await reply.text()
  const headers = reply.headers()
  const policy = headers['content-security-policy'] ?? ''
  const tags: Tag[] = [...html.matchAll(/<(script|style)\b([^>]*)>/gi)].map(([, name = '', attributes = '']) => ({
    name,
    attributes,
  }))
  const handlers = [...html.matchAll(/<[a-z][^>]*\s(on[a-z]+)=/gi)].map(([, name]) => name)
  return { status: reply.status(), html, headers, policy, tags, handlers, nonce: /'nonce-([^']+)'/.exec(policy)?.[1] }
}

async function expectGuarded(request: APIRequestContext, path: string): Promise<void> {
  const { html, headers, policy, tags, handlers, nonce } = await readPage(request, path)
  expect(html, path).toMatch(/^<!DOCTYPE html>/i)
  expect(nonce, path).toMatch(/^[A-Za-z0-9+/]{22}==$/)
  expect(policy, path).toContain(`script-src 'self' 'nonce-${nonce}' 'strict-dynamic';`)
  expect(tags.length, path).toBeGreaterThan(5)
  expect(
    tags.filter(({ attributes }) => !attributes.includes(`nonce="${nonce}"`)),
    `A12: scripts and styles of ${path} without the nonce`,
  ).toEqual([])
  expect(handlers, path).toEqual([])
  expect(headers['cache-control'], `A22: ${path}`).toMatch(/private.*no-store/)
  expect((await readPage(request, path)).nonce, path).not.toBe(nonce)
}

test('A12: every script and style carries its own reply’s nonce, on every page', async ({
  page,
  app,
  signIn,
  connectAccount,
}) => {
  for (const path of [...OPEN_PAGES, '/sign-in?error=credentials']) await expectGuarded(page.request, path)
  await signIn(page)
  await haveAccount(page, app, connectAccount)
  for (const path of [...(await listDeskPages(app)), ...MORE_PAGES]) await expectGuarded(page.request, path)
})

test('A12: so do the error pages, wherever the error happened', async ({ page, app, signIn }) => {
  await signIn(page)
  for (const table of ['line', 'user_session']) {
    await app.query(`alter table ${table} rename to away`)
    try {
      for (const path of ['/', '/lines', '/groups']) await expectGuarded(page.request, path)
      if (table === 'user_session') for (const path of ['/sign-in', '/connect']) await expectGuarded(page.request, path)
    } finally {
      await app.query(`alter table away rename to ${table}`)
    }
  }
})

/** What an injection could write into a page: a script, handler, address, style or base. */
const INJECTED = `<script>window.ran = [...(window.ran ?? []), 'script']</script>
  <img src="/none" onerror="window.ran = [...(window.ran ?? []), 'handler']">
  <a id="address" href="javascript:void(window.ran = [...(window.ran ?? []), 'address'])">x</a>
  <iframe srcdoc="<script>parent.ran = [...(parent.ran ?? []), 'frame']</script>"></iframe>
  <base href="https://evil.example/"><style>body { visibility: hidden !important }</style>`

type Ran = { ran?: string[] }

/** Opens the page with INJECTED at the end of its body; returns what ran. */
async function openInjected(page: Page, path: string, withPolicy: boolean): Promise<string[]> {
  await page.route(path, async (route) => {
    const reply = await route.fetch(KEPT_ALIVE)
    const headers = { ...reply.headers() }
    if (!withPolicy) delete headers['content-security-policy']
    await route.fulfill({
      response: reply,
      headers,
      body: (await reply.text()).replace('</body>', `${INJECTED}</body>`),
    })
  })
  await page.goto(path)
  await page.waitForLoadState('load')
  await page.evaluate(() => document.getElementById('address')?.click())
  await page.unroute(path)
  return page.evaluate(() => (window as Ran).ran ?? [])
}

test('A12: on every page an injected script, handler, address, frame and style do nothing', async ({
  page,
  app,
  signIn,
  connectAccount,
  violations,
}) => {
  expect((await openInjected(page, '/sign-in', false)).sort(), 'without the policy all of them run').toEqual([
    'address',
    'frame',
    'handler',
    'script',
  ])
  await expect(page.locator('body')).toHaveCSS('visibility', 'hidden')
  violations.splice(0)
  const look = async (path: string) => {
    expect(await openInjected(page, path, true), path).toEqual([])
    await expect(page.locator('body'), path).toHaveCSS('visibility', 'visible')
    expect(await page.evaluate(() => document.baseURI), path).not.toContain('evil')
    await page.goto('about:blank')
    const refused = violations.splice(0).join('\n')
    for (const directive of ['script-src-elem', 'script-src-attr', 'style-src-elem', 'base-uri'])
      expect(refused, path).toContain(`${directive} refuses`)
  }
  for (const path of [...OPEN_PAGES, '/sign-in?error=credentials']) await look(path)
  await signIn(page)
  await haveAccount(page, app, connectAccount)
  for (const path of [...(await listDeskPages(app)), ...MORE_PAGES]) await look(path)
})

test('A12: a form can be sent only to us, not even to the platform', async ({ page, signIn, violations, app }) => {
  await signIn(page)
  for (const target of ['http://127.0.0.1:9', new URL(app.sandbox.authUrl).origin]) {
    await page.goto('/connections')
    await page.evaluate((action) => {
      const form = Object.assign(document.createElement('form'), { method: 'post', action })
      document.body.append(form)
      form.submit()
    }, `${target}/steal`)
    await expect.poll(() => violations.splice(0).join()).toContain(`form-action refuses ${target}/steal`)
    expect(await page.evaluate(() => location.pathname)).toBe('/connections')
  }
})

test('connecting works through the platform, also when it first asks to sign in at another origin', async ({
  page,
  signIn,
  app,
}) => {
  const consentPath = new URL('/oauth2/authorize', app.sandbox.authUrl).pathname
  // the browser is sent on before we hear of its first request: the answer waits for that
  const consent = page.waitForRequest((request) => new URL(request.url()).pathname === consentPath, { timeout: 0 })
  const login = createServer(async (_, reply) => {
    const address = (await consent).url().replaceAll('&', '&amp;')
    reply.setHeader('content-type', 'text/html').end(`<a href="${address}">Sign in to the platform</a>`)
  })
  await new Promise<void>((resolve) => login.listen(0, '127.0.0.1', resolve))
  const { port } = login.address() as AddressInfo
  try {
    await signIn(page)
    await page.goto('/connections')
    app.sandbox.state().faults.add({
      match: { path: consentPath },
      action: { type: 'status', status: 302, headers: { location: `http://localhost:${port}/login` } },
    })
    await page.getByRole('button', { name: 'Connect account' }).first().click()
    await page.getByRole('link', { name: 'Sign in to the platform' }).click()
    await expect(page).toHaveURL(new RegExp(`^${app.sandbox.authUrl}/`))
    await page.getByRole('button', { name: 'Decline' }).click()
    await expect(page).toHaveURL(/\/connections\?connect=declined/)
  } finally {
    login.close()
    login.closeAllConnections()
  }
})

test('A12: the pages work under the policy: panel, filters, menus, dialogs, theme, downloads', async ({
  page,
  app,
  signIn,
  connectAccount,
}) => {
  await signIn(page)
  await haveAccount(page, app, connectAccount)
  // each page by itself is opened by frame.spec.ts, under the same policy
  await page.goto('/lines')
  await page.locator('tbody tr[data-row]').first().click()
  await expect(page.getByRole('complementary', { name: 'Line' })).toBeVisible()
  await page.keyboard.press('Escape')
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: /csv/i }).first().click()
  expect((await download).suggestedFilename()).toMatch(/^tieout-lines-.*\.csv$/)

  await page.goto('/connections')
  await page
    .getByRole('link', { name: /Nordlicht/ })
    .first()
    .click()
  await page.getByRole('button', { name: 'Disconnect…' }).click()
  await expect(page.getByRole('alertdialog')).toBeVisible()
  // what is behind the dialog does not scroll
  await expect(page.locator('body')).toHaveCSS('overflow', 'hidden')
  await page.keyboard.press('Escape')
})

test('every reply has a policy, and the same paths as ever redirect to sign-in', async ({ page }) => {
  const ask = async (path: string) => {
    const reply = await page.request.get(path, { ...KEPT_ALIVE, maxRedirects: 0 })
    return { status: reply.status(), policy: reply.headers()['content-security-policy'] ?? '' }
  }
  for (const path of ['/', '/lines', '/nonexistent', '/api', '/connect/x', '/connections', '/_nextx'])
    expect(await ask(path), path).toMatchObject({ status: 307, policy: expect.stringContaining("'nonce-") })
  for (const path of ['/sign-in', '/connect']) expect((await ask(path)).status, path).toBe(200)
  for (const path of ['/api/lines', '/api/nope', '/api/health', '/_next/static/x', '/api/export/lines'])
    expect((await ask(path)).policy, path).toBe("default-src 'none'; frame-ancestors 'none'")
  expect((await ask('/icon.svg')).policy).toContain("default-src 'none'")
})

test('A12: pages, files, redirects, refusals and errors are kept apart from other sites', async ({
  page,
  app,
  signIn,
}) => {
  const expectApart = async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
    const reply = await page.request.fetch(path, {
      ...KEPT_ALIVE,
      method,
      headers,
      maxRedirects: 0,
      failOnStatusCode: false,
    })
    expect(reply.headers(), `${method} ${path} ${reply.status()}`).toMatchObject({
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'origin-agent-cluster': '?1',
      'x-permitted-cross-domain-policies': 'none',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    })
    return reply.status()
  }
  const sheet =
    /\/_next\/static\/[^"]+\.css/.exec(await (await page.request.get('/sign-in', KEPT_ALIVE)).text())?.[0] ?? ''
  expect(await expectApart(sheet)).toBe(200)
  for (const path of ['/sign-in', '/connect', '/icon.svg', '/api/health']) expect(await expectApart(path)).toBe(200)
  expect(await expectApart('/lines')).toBe(307)
  expect(await expectApart('/api/lines')).toBe(401)
  expect(await expectApart('/%')).toBe(400)
  expect(await expectApart('/lines', {}, 'PROPFIND')).toBe(405)
  expect(await expectApart('/api/connections/connect', {}, 'POST')).toBe(403)
  await signIn(page)
  for (const path of ['/', '/lines', '/account', '/api/lines', '/api/export/lines'])
    expect(await expectApart(path)).toBe(200)
  expect(await expectApart('/nonexistent')).toBe(404)
  await app.query('alter table line rename to away')
  try {
    expect(await expectApart('/api/lines')).toBe(500)
  } finally {
    await app.query('alter table away rename to line')
  }
})
