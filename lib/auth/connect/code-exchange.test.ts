/** The web process trades the code: what a token endpoint may do to it (reliability F22, A15). */
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { serveHttp } from '#lib/partner/test-support/test-loopback.ts'
import { APP_URL, type Browser, CALLBACK, leadsTo, startWorld, type World } from '../test-support/test-world.ts'

const MEGABYTE = 2 ** 20
const TOKENS = '"access_token":"access","refresh_token":"refresh","expires_in":3600'

let world: World
let admin: Browser

beforeAll(async () => {
  world = await startWorld()
  await world.addUser('admin@example.com', 'admin')
  admin = world.browser()
  await admin.signIn('admin@example.com')
})
afterAll(() => world.close())
beforeEach(async () => {
  await world.database.query('delete from connection')
  await world.database.query('delete from connect_intent')
  world.logLines.length = 0
})

/** Clicks "Connect account", and returns with a code after the token endpoint has moved. */
async function connectVia(authUrl: string): Promise<Response> {
  const { settings } = await import('#lib/env.ts')
  const partner = settings().partner as NonNullable<ReturnType<typeof settings>['partner']>
  const started = await admin.post('/api/connections/connect')
  const state = new URL(leadsTo(started)).searchParams.get('state') ?? ''
  const before = partner.authUrl
  partner.authUrl = authUrl
  try {
    return await admin.get(`${CALLBACK}?${new URLSearchParams({ code: 'a-code', state })}`)
  } finally {
    partner.authUrl = before
  }
}

/** Ends like any failure: the person is told, the intent notes it, nothing stored or logged. */
async function expectFailed(response: Response): Promise<void> {
  expect(response.headers.get('location')).toBe('/connections?connect=failed')
  expect(await world.database.query('select outcome from connect_intent')).toEqual([{ outcome: 'failed' }])
  expect(await world.database.query('select from connection')).toEqual([])
  expect(world.logLines.join()).not.toMatch(/"refresh"|a-code/)
}

/** Writes at the reader's pace until the client leaves or all is out. @returns bytes written. */
async function pour(response: ServerResponse, bytes: number): Promise<number> {
  const chunk = Buffer.alloc(65_536, ' ')
  const closed = once(response, 'close')
  let poured = 0
  while (poured < bytes && !response.destroyed) {
    poured += chunk.length
    if (!response.write(chunk)) await Promise.race([once(response, 'drain'), closed])
  }
  return poured
}

test('F22: a token answer padded to 300 MB is abandoned, and takes no memory', async () => {
  let poured: Promise<number> = Promise.resolve(0)
  const server = await serveHttp((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).write(`{${TOKENS},"padding":"`)
    poured = pour(response, 300 * MEGABYTE)
  })
  const before = process.memoryUsage().rss
  await expectFailed(await connectVia(server.url))
  expect(process.memoryUsage().rss - before).toBeLessThan(60 * MEGABYTE)
  expect(await poured).toBeLessThan(20 * MEGABYTE)
  expect(world.logLines.join()).toContain('"kind":"too_large"')
})

test('F22: a gzip bomb as a token answer is not unpacked', async () => {
  const { gzipSync } = await import('node:zlib')
  const bomb = gzipSync(`{${TOKENS},"padding":"${' '.repeat(50 * MEGABYTE)}"}`)
  const server = await serveHttp((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(bomb)
  })
  await expectFailed(await connectVia(server.url))
})

test('F22: a dripping token answer is abandoned at its deadline, however often something comes', async () => {
  let lasted: Promise<number> = Promise.resolve(0)
  const server = await serveHttp((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).write(`{${TOKENS}`)
    lasted = (async () => {
      const begin = performance.now()
      for (; !response.destroyed; await delay(20)) response.write(' ')
      return performance.now() - begin
    })()
  })
  const { exchangeCode } = await import('#lib/connections/tokens/granted-tokens.ts')
  const { TOKEN_DEADLINE_MS } = await import('#lib/connections/tokens/token-endpoint.ts')
  const { settings } = await import('#lib/env.ts')
  const partner = settings().partner as NonNullable<ReturnType<typeof settings>['partner']>
  const { authUrl } = partner
  partner.authUrl = server.url
  expect(await exchangeCode('a-code', { deadlineMs: 500 })).toBe('failed')
  partner.authUrl = authUrl
  expect(await lasted).toBeLessThan(5_000)
  expect(world.logLines.join()).toContain('"kind":"timeout"')
  expect(TOKEN_DEADLINE_MS).toBe(30_000)
})

test.each(['http://169.254.169.254', 'http://[fd00:ec2::254]', 'http://0.0.0.0:80', 'http://[::ffff:169.254.169.254]'])(
  'A15: no code is sent to %s',
  async (authUrl) => {
    await expectFailed(await connectVia(authUrl))
    expect(world.logLines.join()).toContain('"kind":"foreign_origin"')
  },
)

test('A15: no code follows a redirect', async () => {
  let elsewhere = 0
  const target = await serveHttp((_request, response) => {
    elsewhere += 1
    response.writeHead(200, { 'content-type': 'application/json' }).end(`{${TOKENS}}`)
  })
  const server = await serveHttp((_request, response) => {
    response.writeHead(307, { location: `${target.url}/accounts/oauth2/token/` }).end()
  })
  await expectFailed(await connectVia(server.url))
  expect(elsewhere).toBe(0)
})

test('takes tokens that come in time, over a new socket, with the registered address', async () => {
  const seen: { form: Record<string, string>; connection: string | undefined; encoding: string | undefined }[] = []
  const server = await serveHttp(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { connection, 'accept-encoding': encoding } = request.headers
    seen.push({ form: Object.fromEntries(new URLSearchParams(body)), connection, encoding: encoding?.toString() })
    response.writeHead(200, { 'content-type': 'application/json' }).end(`{${TOKENS}}`)
  })
  expect((await connectVia(server.url)).headers.get('location')).toContain('connect=connected')
  expect(seen).toEqual([
    {
      form: {
        grant_type: 'authorization_code',
        code: 'a-code',
        redirect_uri: `${APP_URL}${CALLBACK}`,
        client_id: 'client-1',
        client_secret: world.sandbox.settings.clientSecret,
      },
      connection: 'close',
      encoding: 'identity',
    },
  ])
})
