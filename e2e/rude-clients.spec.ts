/** Misbehaving clients, over real HTTP against the production web server. */
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import { endPool, switchPool } from '#lib/db/pool.ts'
import { makeLine, seedConnection, seedLines } from '#lib/ledger/test-support/seed.ts'
import { expect, KEPT_ALIVE, test } from './fixtures.ts'
import type { App } from './start-app.ts'

// an app of its own: what is promised of the log includes what the server says while it starts
test.use({ appOptions: { settings: { LOG_LEVEL: 'info' } } })
test.describe.configure({ mode: 'serial' })

const LINES = 2_000
const FILE = '/api/export/lines?format=csv'
const PATHS = ['/', '/lines', '/lines/', '/nonexistent', '/api/nope', '/_next/static/x', '/sign-in'].concat([
  '/connect',
  '/api/health',
  '/api/lines',
  '/api/sign-in',
  '/icon.svg',
  '/_next/image?url=x',
  '/api/auth/callback/partner',
])

/** Sends a request on a new connection; the socket stays open on this side. */
function send(app: App, path: string, headers: string[] = [], method = 'GET'): Socket {
  const { port } = new URL(app.appUrl)
  const socket = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true })
  socket.on('error', () => undefined)
  socket.write([`${method} ${path} HTTP/1.1`, `Host: localhost:${port}`, ...headers, '', ''].join('\r\n'))
  return socket
}

const firstLineOf = (socket: Socket) =>
  new Promise<string>((resolve) =>
    socket.once('data', (data) => resolve(data.toString('latin1').split('\r\n')[0] ?? '')),
  )

/** Resolves once the server has closed its side. */
const isEnded = (socket: Socket) =>
  new Promise<true>((resolve) => {
    socket.resume()
    if (socket.readableEnded || socket.destroyed) resolve(true)
    else socket.once('end', () => resolve(true))
  })

const upgrade = (app: App, path: string, protocol: string) =>
  send(app, path, ['Connection: Upgrade', `Upgrade: ${protocol}`])

test('A20: fourteen paths asked to upgrade, to two protocols, are answered within a second like any other request', async ({
  app,
}) => {
  for (const path of PATHS) await firstLineOf(send(app, path, ['Connection: close']))
  for (const path of PATHS) {
    const expected = await firstLineOf(send(app, path, ['Connection: close']))
    for (const protocol of ['websocket', 'h2c']) {
      const begin = performance.now()
      const socket = upgrade(app, path, protocol)
      expect(await firstLineOf(socket), `${path} ${protocol}`).toBe(expected)
      expect(performance.now() - begin, `${path} ${protocol}`).toBeLessThan(1_000)
      socket.destroy()
    }
  }
})

test('A20: three hundred upgrades leave no socket behind: the server closes its side of each', async ({ app }) => {
  const sockets = await Promise.all(
    Array.from({ length: 300 }, async (_, n) => {
      const socket = upgrade(app, PATHS[n % PATHS.length] as string, n % 2 === 0 ? 'websocket' : 'h2c')
      await firstLineOf(socket)
      socket.end()
      return socket
    }),
  )
  await Promise.all(sockets.map(isEnded))
  for (const socket of sockets) socket.destroy()
})

test('A25: refuses in our words what Next.js cannot read, and every line of the log is JSON', async ({ app }) => {
  for (const [path, method, status, headers] of [
    ['/lines', 'TRACE', 405, []],
    ['/api/connections/%ED%A0%80/sync', 'GET', 400, []],
    ['/lines', 'GET', 400, ['rsc: 1', 'next-router-state-tree: x']],
    ['/sign-in', 'POST', 400, ['next-action: x', 'content-length: 0']],
  ] as const)
    expect(
      await firstLineOf(send(app, path, ['Connection: close', ...headers], method)),
      `${method} ${path}`,
    ).toContain(` ${status} `)
  const lines = readFileSync(app.logFiles.web, 'utf8').trimEnd().split('\n')
  expect(lines.length).toBeGreaterThan(3)
  for (const line of lines) expect(JSON.parse(line)).toHaveProperty('level')
})

/** Gives the admin's organization lines without a sync; returns the session's Cookie header. */
async function signInWithLines(page: Page, app: App, signIn: (page: Page) => Promise<void>): Promise<string> {
  await signIn(page)
  const [owner] = await app.query('select organization_id as "organizationId", id as "userId" from app_user')
  const { organizationId, userId } = owner as { organizationId: string; userId: string }
  await switchPool(app.policedUrl)
  try {
    const query = async (text: string, values: unknown[] = []) =>
      (await app.query(text.replace(/\$(\d)/g, (_, n) => `'${values[Number(n) - 1]}'`))) as never[]
    const connectionId = await seedConnection(query, { organizationId, userId })
    await seedLines(
      organizationId,
      connectionId,
      Array.from({ length: LINES }, () => makeLine({})),
    )
  } finally {
    await endPool()
  }
  const cookies = await page.context().cookies()
  return `Cookie: ${cookies.map(({ name, value }) => `${name}=${value}`).join('; ')}`
}

/** Files being read, whether the database waits for the next fetch or is at one. */
const countOpen = async (app: App) =>
  (
    await app.query(
      `select from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null
         and query like '%rows_to_read%'`,
    )
  ).length

test('A18: downloads cut off 0 to 40 ms after the request leave nothing behind, and files still work', async ({
  page,
  app,
  signIn,
}) => {
  test.setTimeout(240_000)
  const cookie = await signInWithLines(page, app, signIn)
  for (let n = 0; n < 82; n += 2) {
    const pair = [send(app, FILE, [cookie]), send(app, FILE, [cookie])]
    await delay(n / 2)
    for (const socket of pair) socket.destroy()
  }
  await expect.poll(() => countOpen(app)).toBe(0)
  for (let n = 0; n < 6; n++) {
    const reply = await page.request.get(FILE, KEPT_ALIVE)
    expect(reply.status()).toBe(200)
    expect((await reply.text()).split('\n')).toHaveLength(LINES + 2)
  }
  await expect.poll(() => countOpen(app)).toBe(0)
})

test('A18: refuses a third file at a time with status and words, while the pages still work', async ({
  page,
  app,
  signIn,
}) => {
  await signIn(page)
  // larger than the buffers on the way to a client that does not read
  const repeat = `insert into line (id, COLUMNS) select 'copy-' || n, COLUMNS from
    (select * from line order by id limit 1) one, generate_series(1, 60000) n`
  const [columns] = await app.query(
    `select string_agg(column_name, ', ') as names from information_schema.columns
     where table_name = 'line' and column_name not in ('id', 'finding_count')`,
  )
  await app.query(repeat.replaceAll('COLUMNS', String(columns?.names)))
  const cookies = await page.context().cookies()
  const cookie = `Cookie: ${cookies.map(({ name, value }) => `${name}=${value}`).join('; ')}`
  const slow = [send(app, FILE, [cookie]), send(app, FILE, [cookie])]
  for (const socket of slow) {
    expect(await firstLineOf(socket)).toContain(' 200 ')
    socket.pause()
  }
  const refused = await page.request.get(FILE, KEPT_ALIVE)
  expect([refused.status(), refused.headers()['retry-after']]).toEqual([429, '10'])
  expect((await refused.json()).error.code).toBe('export-busy')
  await page.goto('/lines')
  await expect(page.locator('tbody tr[data-row]').first()).toBeVisible()
  for (const socket of slow) socket.destroy()
  await expect.poll(async () => (await page.request.head(FILE, KEPT_ALIVE)).status()).toBe(200)
  await expect.poll(() => countOpen(app)).toBe(0)
  // the web server hears of an ended transaction a moment after the database shows its end
  await expect(async () => {
    expect((await (await page.request.get(FILE, KEPT_ALIVE)).text()).split('\n')).toHaveLength(LINES + 60_000 + 2)
  }).toPass()
})
