/** Two web servers of one installation: what one answered, counted or changed, the other knows. */
import { get } from 'node:http'
import type { APIResponse, Page } from '@playwright/test'
import { REQUEST_KINDS } from '#lib/auth/limits/request-kinds.ts'
import { test as base, expect, KEPT_ALIVE } from './fixtures.ts'

const test = base.extend<object, { servers: { other: string | null } }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter's pattern
  servers: [async ({}, use) => use({ other: null }), { scope: 'worker' }],
})

test.use({ appOptions: { settings: { REQUEST_BUDGET_FACTOR: '1' } } })
test.describe.configure({ mode: 'serial' })

const FILE = '/api/export/lines?format=csv'

let other: string

test.beforeEach(async ({ app, servers, signIn, page }) => {
  servers.other ??= await app.startAnotherWeb()
  other = servers.other
  await signIn(page)
})

/** The rows of all invoices, as one of the servers answers them. */
async function readRows(page: Page, server: string): Promise<string | undefined> {
  const reply = await page.request.get(`${server}/invoices`, KEPT_ALIVE)
  return /<tbody.*?<\/tbody>/s.exec(await reply.text())?.[0].replace(/<[^>]*>/g, ' ')
}

test('what one has answered before is not stale after a change through the other', async ({
  page,
  app,
  readAccount,
}) => {
  await readAccount(page)
  const servers = [app.appUrl, other]
  const both = () => Promise.all(servers.map((server) => readRows(page, server)))
  const [first, second] = await both()
  expect(first).toContain('refund has no original payment')
  expect(second).toBe(first)
  const change = (level: string) =>
    page.request.post(`${other}/api/checks`, {
      headers: { origin: app.appUrl },
      data: { code: 'invoice_refund_without_original', level, tolerance: '' },
    })
  expect((await change('off')).status()).toBe(200)
  const changed = await both()
  expect(changed[0]).not.toContain('refund has no original payment')
  expect(changed[1]).toBe(changed[0])
  expect((await change('finding')).status()).toBe(200)
  expect(await both()).toEqual([first, first])
})

test('A18: two files that one is sending are the person’s two in the other as well', async ({ page, app }) => {
  // larger than the buffers on the way to a client that does not read
  const [columns] = await app.query(
    `select string_agg(column_name, ', ') as names from information_schema.columns
     where table_name = 'line' and column_name not in ('id', 'finding_count')`,
  )
  await app.query(
    `insert into line (id, ${columns?.names}) select 'copy-' || n, ${columns?.names}
     from (select * from line order by id limit 1) one, generate_series(1, 60000) n`,
  )
  const cookie = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ')
  const slow = [1, 2].map(() => get(app.appUrl + FILE, { headers: { cookie } }).on('error', () => undefined))
  const statuses = slow.map(
    (request) => new Promise((resolve) => request.once('response', ({ statusCode }) => resolve(statusCode))),
  )
  expect(await Promise.all(statuses)).toEqual([200, 200])
  const refused = await page.request.get(other + FILE, KEPT_ALIVE)
  expect([refused.status(), (await refused.json()).error.code]).toEqual([429, 'export-busy'])
  for (const request of slow) request.destroy()
  await expect.poll(async () => (await page.request.head(other + FILE, KEPT_ALIVE)).status()).toBe(200)
})

test('A18: who has used up a budget at one waits at the other too', async ({ page, app }) => {
  const ask = (server: string) => page.request.get(`${server}/api/summaries?by=currency`, KEPT_ALIVE)
  const { burst } = REQUEST_KINDS.summary.budget
  let refused: APIResponse | null = null
  while (refused === null) {
    const replies = await Promise.all(Array.from({ length: burst }, () => ask(app.appUrl)))
    refused = replies.find((reply) => reply.status() === 429) ?? null
  }
  let allowed = 0
  await expect
    .poll(
      async () => {
        await Promise.all(Array.from({ length: 3 }, () => ask(app.appUrl)))
        const status = (await ask(other)).status()
        if (status === 200) allowed += 1
        return status
      },
      { intervals: [200] },
    )
    .toBe(429)
  // by its own count alone the other one would have let through a whole burst
  expect(allowed).toBeLessThan(burst / 2)
})

test('who is signed out by one is signed out of the other', async ({ page, app }) => {
  const ask = async (server: string) => (await page.request.get(`${server}/api/connections/hosts`, KEPT_ALIVE)).status()
  expect([await ask(app.appUrl), await ask(other)]).toEqual([200, 200])
  const cookie = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ')
  app.sessions.clear()
  await page.request.post(`${other}/api/sign-out`, { headers: { origin: app.appUrl, cookie }, maxRedirects: 0 })
  const after = (server: string) => fetch(`${server}/api/connections/hosts`, { headers: { cookie } })
  expect([(await after(app.appUrl)).status, (await after(other)).status]).toEqual([401, 401])
})
