import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { HostBanner, HostList } from '#components/sync/platform-hosts.tsx'
import { personOf } from '#lib/audit/test-support/test-actor.ts'
import { APP_URL, startWorld, type World } from '#lib/auth/test-support/test-world.ts'
import type { ConnectionId, OrganizationId, UserId } from '#lib/ids.ts'
import { PARTNER_ERROR_KINDS } from '#lib/partner/partner-error.ts'
import type { HostState } from '#lib/sync/model.ts'

/** What the platform says about one organization's account when it fails. */
const CANARY = 'Ledger of Canary GmbH (VAT DE999999999, jane.doe@canary.example) is locked'

let world: World
let first: { organizationId: OrganizationId; userId: UserId }
let second: string
let connectionId: ConnectionId

beforeAll(async () => {
  world = await startWorld()
  const organizationOf = async (email: string) => {
    const [row] = await world.database.query<{ id: string }>(
      'select organization_id as id from app_user where email = $1',
      [email],
    )
    return row?.id as string
  }
  const userId = await world.addUser('admin@first.example', 'admin', 'First')
  await world.addUser('viewer@second.example', 'viewer', 'Second')
  first = { organizationId: await organizationOf('admin@first.example'), userId }
  second = await organizationOf('viewer@second.example')
  // a web server shows the data, a worker syncs and deletes it; this process does both
  const { switchPool } = await import('#lib/db/pool.ts')
  await switchPool(world.database.urls.both)
  await failWithCanary()
})
afterAll(() => world.close())

/** A sync of the first organization in which the platform fails and says so. */
async function failWithCanary(): Promise<void> {
  const { storeConnection } = await import('#lib/connections/life/store-connection.ts')
  const { runSync } = await import('#lib/sync/reading/run-sync.ts')
  const { QUICK_TIMING } = await import('#lib/sync/test-support/seed.ts')
  const { requireSetting } = await import('#lib/env.ts')
  const { oauth, requireAccount, faults } = world.sandbox.state()
  const redirect = world.sandbox.settings.redirectUris[0] ?? ''
  const clientId = world.sandbox.settings.clientId
  const grant = oauth.exchangeCode(
    oauth.issueCode(requireAccount('meridian').id, 'expenses:read', clientId, redirect),
    clientId,
    redirect,
  )
  if (grant.kind !== 'granted') throw new Error(grant.reason)
  const body = JSON.stringify({ message: CANARY })
  faults.add({ match: { path: '/api/v1/invoices' }, times: 0, action: { type: 'status', status: 500, body } })
  const stored = await storeConnection({ ...first, actor: personOf(first.userId), idHash: 'no-intent' }, grant.pair, 0)
  connectionId = stored.connectionId
  const outcome = await runSync(
    { organizationId: first.organizationId, runId: stored.runId },
    {
      partner: requireSetting('partner'),
      signal: new AbortController().signal,
      timing: { ...QUICK_TIMING, circuit: { ...QUICK_TIMING.circuit, failures: 3, openBaseMs: 600_000 } },
    },
  )
  expect(outcome).toBe('postponed')
  // the platform said it, and the organization's admins have it as evidence
  expect(await tablesWithCanary()).toContain('sync_evidence')
}

async function tables(): Promise<string[]> {
  const rows = await world.database.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  )
  return rows.map(({ name }) => name)
}

/** The tables with a row that contains the canary, seen as their owner. */
async function tablesWithCanary(): Promise<string[]> {
  const found: string[] = []
  for (const name of await tables()) {
    const rows = await world.database.query(`select 1 from "${name}" t where t::text like '%anary%'`)
    if (rows.length > 0) found.push(name)
  }
  return found
}

async function hostsAs(email: string): Promise<{ hosts: HostState[] }> {
  const { GET } = await import('./route.ts')
  const browser = world.browser()
  await browser.signIn(email)
  const cookie = [...browser.cookies].map(([key, { value }]) => `${key}=${value}`).join('; ')
  const request = new Request(`${APP_URL}/api/connections/hosts`, { headers: { cookie } })
  return (await GET(request, { params: Promise.resolve(undefined) })).json()
}

test('A8: what the platform says about one organization is in no answer, page or row of another', async () => {
  const answer = await hostsAs('viewer@second.example')
  expect(answer.hosts).toMatchObject([{ circuit: 'open', lastFailure: { kind: 'unavailable', status: 500 } }])
  const pages = answer.hosts.map((host) => renderToStaticMarkup(createElement(HostBanner, { host, now: Date.now() })))
  pages.push(renderToStaticMarkup(createElement(HostList, { hosts: answer.hosts, now: Date.now() })))
  expect(pages.join()).toContain('Platform unavailable (500)')
  const { withTenantSql } = await import('#lib/db/tenant.ts')
  const seen = await withTenantSql(second, async (sql) => {
    const rows: unknown[] = []
    for (const name of await tables()) rows.push(await sql(`select t::text from "${name}" t`))
    return rows
  })
  expect(JSON.stringify([answer, pages, seen])).not.toMatch(/canary/i)
})

test('A8: a host’s last failure holds no free text, only the kinds we know', async () => {
  await expect(world.database.query('update partner_host set last_failure_kind = $1', [CANARY])).rejects.toThrow(
    /check/,
  )
  const [check] = await world.database.query<{ definition: string }>(
    `select pg_get_constraintdef(oid) as definition from pg_constraint where conname = 'partner_host_last_failure_kind_check'`,
  )
  const kinds = [...(check?.definition ?? '').matchAll(/'([a-z_]+)'/g)].map(([, kind]) => kind)
  expect(kinds.sort()).toEqual([...PARTNER_ERROR_KINDS].sort())
  const texts = await world.database.query<{ name: string }>(
    `select column_name as name from information_schema.columns where table_name = 'partner_host' and data_type = 'text' order by 1`,
  )
  expect(texts.map(({ name }) => name)).toEqual(['circuit', 'host', 'last_failure_kind'])
})

test('A8: deleting an account’s data deletes all that the platform said about it', async () => {
  const { requestDisconnect } = await import('#lib/connections/life/disconnect-request.ts')
  const { runConnectionWork } = await import('#lib/worker/connection-job.ts')
  const wish = { dataChoice: 'delete', actor: personOf(first.userId) } as const
  expect(await requestDisconnect(first.organizationId, connectionId, wish)).toBe('accepted')
  await runConnectionWork(new AbortController().signal)
  expect(await tablesWithCanary()).toEqual([])
})
