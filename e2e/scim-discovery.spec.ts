import { readFileSync } from 'node:fs'
import pg from 'pg'
import { test as base, expect, KEPT_ALIVE } from './fixtures.ts'
import { expectAccessible } from './look.ts'

type ScimFixtures = {
  /** Runs SQL in the app's database, outside every organization. */
  query: (text: string, values?: unknown[]) => Promise<Record<string, string>[]>
  /** The discovery page of a connection made for this test and removed after it. */
  path: string
}

const test = base.extend<ScimFixtures>({
  query: async ({ app }, use) => {
    const client = new pg.Client({ connectionString: app.databaseUrl, options: '-c tieout.scope=system' })
    await client.connect()
    await use(async (text, values) => (await client.query(text, values)).rows)
    await client.end()
  },
  path: async ({ app, query }, use) => {
    const [connection] = await query(
      `insert into connection (organization_id, name, state, scopes_asked, created_by)
       select organization_id, 'Acme Europe', 'active', 'expenses:read', id from app_user where email = $1 returning id`,
      [app.adminEmail],
    )
    await use(`/connections/${connection?.id}/scim`)
    await query(`update app_user set role = 'admin' where email = $1`, [app.adminEmail])
    await query('delete from connection where id = $1', [connection?.id])
  },
})

test('an admin enters a SCIM key, sees what the platform supports, searches it, and sees what changed', async ({
  page,
  app,
  signIn,
  path,
}) => {
  const key = app.sandbox.settings.scimApiKey
  const received: string[] = []
  page.on('response', async (response) => {
    if (!response.url().includes('scim')) return
    received.push(JSON.stringify(await response.allHeaders()), await response.text().catch(() => ''))
  })
  await signIn(page)
  await page.goto(path)
  await expect(page.getByRole('heading', { name: /has not been checked/ })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Check now' })).toHaveCount(0)

  await page.getByLabel('SCIM API key').fill('not-the-key')
  await page.getByRole('button', { name: 'Save key' }).click()
  await expect(page.getByText('could not be read')).toHaveCount(3)
  await expect(page.getByText('The platform does not accept the API key.').first()).toBeVisible()
  await expect(page.getByText('HTTP 401').first()).toBeVisible()

  await page.getByText('Replace the key').click()
  await page.getByLabel('SCIM API key').fill(key)
  await page.getByRole('button', { name: 'Replace key' }).click()
  await expect(page.getByRole('heading', { name: 'Supported operations' })).toBeVisible()
  await expect(page.getByText('Extensions · 3')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Attributes of TravelUser' })).toContainText('invoiceProfiles')

  await page.getByLabel('Search attributes').fill('given')
  await expect(page).toHaveURL(`${app.appUrl}${path}?q=given`)
  await expect(page.getByRole('region', { name: /^Attributes of/ })).toHaveCount(1)
  await expect(page.getByRole('rowheader', { name: 'name.givenName' })).toBeVisible()

  await page.goto(path)
  app.sandbox.state().faults.add({
    match: { path: '/api/v2/scim/Schemas' },
    action: { type: 'rewrite', replace: [['"costCenter"', '"costUnit"']] },
  })
  await page.getByRole('button', { name: 'Check now' }).click()
  await expect(page.getByText(/removed attribute costCenter/)).toBeVisible()
  await expect(page.getByText(/added attribute costUnit/)).toBeVisible()

  await page.getByText('Remove the key').click()
  await page.getByRole('button', { name: 'Remove key' }).click()
  await expect(page.getByText(/The key was removed by/)).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Supported operations' })).toBeVisible()

  const logs = Object.values(app.logFiles).map((file) => readFileSync(file, 'utf8'))
  expect(received.length).toBeGreaterThan(6)
  for (const text of [...received, ...logs, await page.content()]) expect(text).not.toContain(key)
})

test('the discovery page has no accessibility findings and fits a phone, in light and dark', async ({
  page,
  app,
  signIn,
  path,
}) => {
  await signIn(page)
  await page.goto(path)
  for (const withKey of [false, true]) {
    if (withKey) {
      await page.getByLabel('SCIM API key').fill(app.sandbox.settings.scimApiKey)
      await page.getByRole('button', { name: 'Save key' }).click()
      await expect(page.getByRole('heading', { name: 'Supported operations' })).toBeVisible()
    }
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const width of [1440, 390]) {
        await page.emulateMedia({ colorScheme })
        await page.setViewportSize({ width, height: 900 })
        await expectAccessible(page, `${path} at ${width} in ${colorScheme}`)
      }
    }
  }
})

test('a user who is not an admin reads the discovery page and can change nothing', async ({
  page,
  app,
  signIn,
  path,
  query,
}) => {
  await signIn(page)
  await page.goto(path)
  await query(`update app_user set role = 'finance' where email = $1`, [app.adminEmail])
  await page.goto(path)
  await expect(page.getByText('Ask an admin of your organization')).toBeVisible()
  await expect(page.getByLabel('SCIM API key')).toHaveCount(0)
  const headers = { origin: app.appUrl, 'sec-fetch-site': 'same-origin' }
  for (const action of ['key', 'key/remove', 'check']) {
    const reply = await page.request.post(`/api${path}/${action}`, {
      headers,
      form: { apiKey: 'another-key' },
      maxRedirects: 0,
    })
    expect([action, reply.status()]).toEqual([action, 403])
  }
  const cross = await page.request.post(`/api${path}/key`, {
    headers: { origin: 'https://evil.example' },
    form: { apiKey: 'x' },
  })
  expect(cross.status()).toBe(403)
  expect(
    (await page.request.get(`/api/connections/00000000-0000-4000-8000-000000000000/scim`, KEPT_ALIVE)).status(),
  ).toBe(404)
  expect((await page.request.get(`/api/connections/nonsense/scim`, KEPT_ALIVE)).status()).toBe(404)
})
