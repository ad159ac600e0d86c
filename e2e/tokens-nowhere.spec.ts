import { readFileSync } from 'node:fs'
import { expect, KEPT_ALIVE, test } from './fixtures.ts'
import type { App } from './start-app.ts'

test.use({ appOptions: { settings: { LOG_LEVEL: 'trace' } } })

const PAGES = [
  '/',
  '/lines',
  '/lines?findings=1',
  '/groups?by=trip,vertical',
  '/invoices',
  '/connections',
  '/rejected',
  '/api/connections',
  '/api/lines',
  '/api/groups',
  '/api/export/lines?format=csv',
  '/api/export/invoices?format=csv',
]

test('A16: no token, code or secret of the platform is in a cookie, page, log, job row or dump', async ({
  page,
  app,
  signIn,
  connectAccount,
}) => {
  const sent: string[] = []
  page.on('response', async (response) => {
    if (response.url().startsWith(app.appUrl))
      sent.push(JSON.stringify(await response.allHeaders()), await response.text().catch(() => ''))
  })
  await signIn(page)
  await connectAccount(page)
  await expect(page.getByRole('row').filter({ hasText: 'Nordlicht' })).toContainText('476', { timeout: 60_000 })
  // the tokens of a refresh must not leak either
  app.sandbox.state().clock.advance(3_700)
  await page.getByRole('button', { name: 'Sync now' }).click()
  await expect
    .poll(() => app.sandbox.state().oauth.summary().tokenCalls.refresh_token, { timeout: 60_000 })
    .toBeDefined()
  await expect(page.getByRole('progressbar')).toHaveCount(0, { timeout: 60_000 })
  for (const address of PAGES) {
    const response = await page.request.get(address, KEPT_ALIVE)
    expect(response.status(), address).toBe(200)
    sent.push(await response.text())
  }
  const places = {
    'cookies and storage': JSON.stringify(await page.context().storageState()),
    'pages and replies': sent.join('\n'),
    'log of the web server': readFileSync(app.logFiles.web, 'utf8'),
    'log of the worker': readFileSync(app.logFiles.worker, 'utf8'),
    'every row of every table': await dumpDatabase(app),
  }
  const secrets = [
    ...app.sandbox.state().oauth.everIssued(),
    app.sandbox.settings.clientSecret,
    app.sandbox.settings.scimApiKey,
  ]
  expect(secrets.length).toBeGreaterThan(5)
  for (const [place, text] of Object.entries(places)) {
    expect(text.length, place).toBeGreaterThan(0)
    for (const secret of secrets)
      for (const form of writings(secret))
        expect(text.includes(form), `${place} holds ${secret.slice(0, 8)}…`).toBe(false)
  }
})

/** A secret in the forms it may hide in: plain, URL-encoded, base64, hexadecimal. */
function writings(secret: string): string[] {
  return [
    secret,
    encodeURIComponent(secret),
    Buffer.from(secret).toString('base64').replace(/=+$/, ''),
    Buffer.from(secret).toString('hex'),
  ]
}

/**
 * All rows of all schemas as text: what a stolen dump would contain (never a temporary table).
 */
async function dumpDatabase(app: App): Promise<string> {
  const tables = await app.query(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema') and schemaname not like 'pg_temp%'`,
  )
  const names = tables.map(({ name }) => String(name))
  expect(names.length).toBeGreaterThan(60)
  const rows = await Promise.all(names.map((name) => app.query(`select t::text as row from ${name} t`)))
  return rows
    .flat()
    .map(({ row }) => row)
    .join('\n')
}
