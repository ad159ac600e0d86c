import { afterAll, beforeAll, expect, test } from 'vitest'
import { settings } from '#lib/env.ts'
import type { ConnectionId } from '#lib/ids.ts'
import { APP_URL, type Browser, CALLBACK, leadsTo, startWorld, type World } from '../test-support/test-world.ts'

let world: World
let browser: Browser
/** The status of signing in, and where connecting ended. */
let signedIn: number
let endsAt: string

// as the web process starts: with the keys that seal and without those that open
beforeAll(async () => {
  world = await startWorld({ TOKEN_PRIVATE_KEYS: '' })
  await world.addUser('admin@example.com', 'admin')
  browser = world.browser()
  signedIn = (await browser.signIn('admin@example.com')).status
  endsAt = await connectAccount()
})
afterAll(() => world.close())

/** The whole flow of a click on "Connect account"; resolves to where the browser ends up. */
async function connectAccount(): Promise<string> {
  const started = await browser.post('/api/connections/connect')
  const authorize = new URL(leadsTo(started))
  const { oauth, requireAccount } = world.sandbox.state()
  const code = oauth.issueCode(requireAccount().id, 'expenses:read', 'client-1', `${APP_URL}${CALLBACK}`)
  const state = authorize.searchParams.get('state') ?? ''
  const finished = await browser.get(`${CALLBACK}?code=${code}&state=${encodeURIComponent(state)}`)
  return finished.headers.get('location') ?? ''
}

/** Everything that a dump of the database holds, as text. */
async function dump(): Promise<string> {
  const tables = await world.database.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema') and schemaname not like 'pg_temp%'`,
  )
  let text = ''
  for (const { name } of tables)
    text += (await world.database.query<{ row: string }>(`select t::text as row from ${name} t`))
      .map(({ row }) => row)
      .join('\n')
  return text
}

test('A24: without a private key the web process signs in, connects, lists and requests syncs, and opens nothing', async () => {
  expect(settings().tokenPrivateKeys).toBe(null)
  expect([signedIn, endsAt]).toEqual([303, expect.stringContaining('/connections')])
  const listed = (await (await browser.get('/api/connections')).json()) as {
    connections?: { id: string; state: string }[]
  }
  const [row] = await world.database.query<{
    organization_id: string
    connection_id: ConnectionId
    generation: number
    sealed_tokens: string
  }>('select organization_id, connection_id, generation, sealed_tokens from connection_credential')
  const { organization_id = '', connection_id = '' as ConnectionId, generation = 0, sealed_tokens = '' } = row ?? {}
  expect(JSON.stringify(listed)).toContain(connection_id)
  expect((await browser.post(`/api/connections/${connection_id}/sync`)).status).toBeLessThan(400)

  const { getAccessToken } = await import('#lib/connections/tokens/access-token.ts')
  await expect(getAccessToken(organization_id, connection_id)).rejects.toThrow('TOKEN_PRIVATE_KEYS')
  const { openTokens } = await import('#lib/connections/tokens/vault.ts')
  const publicKeys = settings().tokenPublicKeys
  expect(publicKeys).not.toBe(null)
  const opened = openTokens(sealed_tokens, { connectionId: connection_id, generation }, publicKeys ?? { keys: [] })
  await expect(opened).rejects.toMatchObject({ code: 'token-unreadable' })
  // not even an old token is sent anywhere
  await world.database.query(`update connection_credential set access_expires_at = now() - interval '1 minute'`)
  await expect(getAccessToken(organization_id, connection_id)).rejects.toThrow('TOKEN_PRIVATE_KEYS')
  expect(world.sandbox.state().oauth.summary().tokenCalls.refresh_token).toBe(undefined)
})

test('A23: a dump of the database has no token, session, state or secret that could be used', async () => {
  const states = await browser.post('/api/connections/connect')
  const state = new URL(leadsTo(states)).searchParams.get('state') ?? ''
  const stored = await dump()
  const cookies = [...browser.cookies.values()].map(({ value }) => value)
  const secrets = [
    ...world.sandbox.state().oauth.everIssued(),
    ...cookies.flatMap((value) => [value, decodeURIComponent(value)]),
    state,
    'correct horse battery',
    world.sandbox.settings.clientSecret,
  ].filter((secret) => secret.length >= 8)
  expect(secrets.length).toBeGreaterThan(5)
  expect(stored).toContain('eyJ') // holds the sealed tokens
  expect(secrets.filter((secret) => stored.includes(secret))).toEqual([])
})
