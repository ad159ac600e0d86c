/**
 * Which entry of the audit each route writes, by the table of routes: a new route that changes
 * something fails here until somebody has said what the audit tells of it, or why nothing.
 */
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { AUDIT_ACTIONS, type AuditAction } from '#lib/audit/model.ts'
import { APP_URL, type Browser, CALLBACK, leadsTo, startWorld, type World } from '#lib/auth/test-support/test-world.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import { HANDLERS, ROUTES } from './test-support/test-routes.ts'

type Path = keyof typeof ROUTES

/** Looked at by one test below, in which an admin changes people and settings. */
const OF_PEOPLE: AuditAction[] = [
  'people.name',
  'people.role',
  'people.sign-out',
  'people.deactivate',
  'people.reactivate',
  'people.remove',
  'people.invite',
  'people.withdraw',
  'directory.default-role',
  'directory.token-made',
]

/** Signing in and managing people need worlds of their own: these tests look at the entries. */
const TESTS_OF_PARTS = [
  'app/api/account/digest/digest-routes.test.ts',
  'app/api/close/close-routes.test.ts',
  'app/api/close/rules/rules-routes.test.ts',
  'app/api/packs/packs-routes.test.ts',
  'app/api/people/people-routes.test.ts',
  'app/api/review/review-routes.test.ts',
  'app/api/scim/directory.test.ts',
  'app/api/settings/reasons/reasons-routes.test.ts',
  'app/api/talk/talk-routes.test.ts',
  'app/api/views/views-routes.test.ts',
  'lib/auth/account/account.test.ts',
  'lib/auth/people/invitations.test.ts',
  'lib/auth/sign-in/passkey-sign-in.test.ts',
  'lib/auth/sign-in/second-step.test.ts',
  'lib/auth/sign-in/sign-in-door.test.ts',
  'lib/auth/sso/single-sign-on.test.ts',
]

type Entry = {
  action: AuditAction
  actor_kind: string
  actor_name: string
  network: string
  subject_kind: string
  subject_id: string | null
  subject_name: string | null
  before: string | null
  after: string | null
}

describe('as an admin', () => {
  let world: World
  let admin: Browser
  let cookie: string
  let organizationId: OrganizationId
  let connectionId: string

  beforeAll(async () => {
    world = await startWorld()
    await world.addUser('admin@example.com', 'admin')
    admin = world.browser()
    await admin.signIn('admin@example.com')
    cookie = [...admin.cookies].map(([key, { value }]) => `${key}=${value}`).join('; ')
  })
  afterAll(() => world.close())
  beforeEach(async () => {
    const [row] = await query<{ organizationId: string; id: string }>(
      `insert into connection (organization_id, state, scopes_asked, created_by, name)
       select organization_id, 'active', 'expenses:read', id, 'Meridian' from app_user
       where email = 'admin@example.com' returning organization_id as "organizationId", id`,
    )
    organizationId = row?.organizationId as string
    connectionId = row?.id as string
  })

  const query = <Row extends Record<string, unknown>>(text: string, values?: unknown[]) =>
    world.database.query<Row>(text, values)
  const addRun = (status: string) =>
    query(
      `insert into sync_run (organization_id, connection_id, trigger, status, started_at)
       values ($1, $2, 'manual', $3, now())`,
      [organizationId, connectionId, status],
    )
  const addLoss = async () => {
    await addRun('held')
    await query(
      `insert into sync_loss (organization_id, run_id, connection_id, line_count, missing_lines, invoice_count, missing_invoices, totals)
       select organization_id, id, connection_id, 9, 9, 1, 1, '[]' from sync_run where connection_id = $1`,
      [connectionId],
    )
    const [run] = await query<{ id: string }>('select id from sync_run where connection_id = $1', [connectionId])
    return run?.id
  }
  const previewedLoss = async (runId: string | undefined) => {
    const { preview } = await (await send('/api/connections/[id]/sync/loss', null)).json()
    return { runId, decision: 'accepted', set: preview.set.hash }
  }
  const addCandidate = () =>
    query(
      `insert into connection_candidate (organization_id, connection_id, sealed_for, generation, sealed_tokens, key_id,
         scopes_asked, obtained_at, access_expires_at, refresh_expires_at, consented_by, state_before, status)
       select c.organization_id, c.id, c.id, 1, 'sealed', 'key', 'expenses:read', now(), now() + interval '1 hour',
         now() + interval '1 day', c.created_by, 'active', 'other_account' from connection c where c.id = $1`,
      [connectionId],
    )

  /** The entries that `work` leads to. */
  async function entriesOf(work: () => Promise<unknown>): Promise<Entry[]> {
    const [before] = await query<{ number: string }>('select coalesce(max(number), 0) as number from audit_entry')
    await work()
    return (await query('select * from audit_entry where number > $1 order by number', [
      before?.number,
    ])) as unknown as Entry[]
  }

  async function send(path: Path, body: object | null = {}, address: string = path): Promise<Response> {
    const handlers = (await ROUTES[path].load()) as Record<
      string,
      (request: Request, context: { params: Promise<{ id: string }> }) => Promise<Response>
    >
    const method = body === null ? 'GET' : 'POST'
    const request = new Request(`${APP_URL}${address}`, {
      method,
      headers: {
        cookie,
        origin: APP_URL,
        'sec-fetch-site': 'same-origin',
        'content-type': 'application/json',
        'x-client-address-of-tests': '203.0.113.77',
      },
      ...(body === null ? {} : { body: JSON.stringify(body) }),
    })
    const reply = await handlers[method]?.(request, { params: Promise.resolve({ id: connectionId }) })
    if (reply === undefined) throw new Error(`${path} has no ${method}`)
    return reply
  }

  const person = { actor_kind: 'person', actor_name: 'admin@example.com', network: '203.0.113.77' }
  const habit = () => ({
    connection: connectionId,
    profile: 'profile-1',
    rate: '19',
    code: 'tax',
    convention: 'tax_per_unit',
    decision: 'declined',
  })

  const CASES: [Path, () => Promise<object>, AuditAction, Partial<Record<'before' | 'after', object>>][] = [
    [
      '/api/checks',
      async () => ({ code: 'invoice_total', level: 'note' }),
      'checks.set',
      { before: { level: 'finding', tolerance: {} }, after: { level: 'note', tolerance: {} } },
    ],
    [
      '/api/checks/fiscal-year',
      async () => ({ month: 7 }),
      'checks.fiscal-year',
      { before: { month: 1 }, after: { month: 7 } },
    ],
    [
      '/api/checks/habit',
      async () => habit(),
      'checks.habit',
      { after: { decision: 'declined', profileId: 'profile-1' } },
    ],
    [
      '/api/connections/[id]/disconnect',
      async () => ({ data: 'delete', name: 'Meridian' }),
      'connection.disconnect-requested',
      { after: { data: 'delete' } },
    ],
    [
      '/api/connections/[id]/other-account',
      async () => {
        await addCandidate()
        return { choice: 'discard' }
      },
      'connection.other-account-discarded',
      {},
    ],
    [
      '/api/connections/[id]/other-account',
      async () => {
        await addCandidate()
        return { choice: 'keep' }
      },
      'connection.other-account-kept',
      {},
    ],
    ['/api/connections/[id]/scim/check', async () => ({}), 'connection.scim-checked', {}],
    ['/api/connections/[id]/scim/key', async () => ({ apiKey: 'a-secret-key' }), 'connection.scim-key-stored', {}],
    [
      '/api/connections/[id]/scim/key/remove',
      async () => {
        await send('/api/connections/[id]/scim/key', { apiKey: 'a-secret-key' })
        return {}
      },
      'connection.scim-key-removed',
      {},
    ],
    ['/api/connections/[id]/sync', async () => ({}), 'sync.started', { after: { joined: false } }],
    ['/api/connections/[id]/sync/verify', async () => ({}), 'sync.verification-started', { after: { joined: false } }],
    ['/api/connections/[id]/sync/reparse', async () => ({}), 'sync.rejected-read-again', { after: { joined: false } }],
    [
      '/api/connections/[id]/sync/schedule',
      async () => ({ minutes: 15 }),
      'connection.schedule',
      { before: { minutes: 60 }, after: { minutes: 15 } },
    ],
    [
      '/api/connections/[id]/name',
      async () => {
        await query(`update connection set name = 'Before' where id = $1`, [connectionId])
        return { name: 'Meridian' }
      },
      'connection.name',
      { before: { name: 'Before' }, after: { name: 'Meridian' } },
    ],
    ...(['pause', 'cancel', 'resume'] as const).map((control): (typeof CASES)[number] => [
      `/api/connections/[id]/sync/${control}`,
      async () => {
        await addRun(control === 'resume' ? 'paused' : 'running')
        return {}
      },
      ({ pause: 'sync.paused', cancel: 'sync.canceled', resume: 'sync.resumed' } as const)[control],
      {},
    ]),
    [
      '/api/connections/[id]/sync/loss',
      async () => ({ runId: await addLoss(), decision: 'rejected' }),
      'loss.refused',
      { after: { linesMarked: 0 } },
    ],
    [
      '/api/connections/[id]/sync/loss',
      async () => previewedLoss(await addLoss()),
      'loss.accepted',
      { after: { linesMarked: 0, totals: [] } },
    ],
    [
      '/api/connections/[id]/sync/loss',
      async () => {
        const runId = await addLoss()
        await send('/api/connections/[id]/sync/loss', await previewedLoss(runId))
        return { runId, decision: 'taken-back' }
      },
      'loss.taken-back',
      { after: { linesBack: 0, totals: [] } },
    ],
    ['/api/connections/connect', async () => ({ connection: connectionId }), 'connection.connect-started', {}],
    ['/api/audit/verify', async () => ({}), 'audit.verified', { after: { holds: true, from: 1 } }],
  ]

  test.each(CASES)(
    '%s: one entry says who did what to what, from where, and what it was before (%#)',
    async (path, prepare, action, said) => {
      const body = await prepare()
      const entries = (await entriesOf(() => send(path, body))).filter((entry) => entry.action === action)
      expect(entries).toHaveLength(1)
      const [entry] = entries
      expect(entry).toMatchObject(person)
      if (path.includes('[id]') || path.endsWith('/connect'))
        expect(entry).toMatchObject({ subject_kind: 'connection', subject_id: connectionId, subject_name: 'Meridian' })
      for (const [name, value] of Object.entries(said))
        expect(JSON.parse(entry?.[name as 'before' | 'after'] ?? 'null')).toMatchObject(value)
      expect(JSON.stringify(entry)).not.toContain('secret')
    },
  )

  test('each action that a route of the table names is looked for here, or in the test of its part', async () => {
    const here = new Set<AuditAction>([...CASES.map(([, , action]) => action), ...OF_PEOPLE, 'document.downloaded'])
    const parts = (await Promise.all(TESTS_OF_PARTS.map((path) => readFile(path, 'utf8')))).join('')
    const named = HANDLERS.flatMap(({ method, audited = [] }) => (method === 'POST' ? audited : []))
    expect([...here].filter((action) => !named.includes(action))).toEqual([])
    expect([...new Set(named)].filter((action) => !here.has(action) && !parts.includes(`'${action}'`))).toEqual([])
  })

  test('what an admin says of people, sign-in and the directory: one entry each, with who and from where', async () => {
    const user = await world.addUser('colleague@example.com', 'viewer')
    const said = async (path: Path, body: object) =>
      (await entriesOf(() => send(path, body))).map((entry) => {
        expect(entry).toMatchObject(person)
        return entry.action
      })
    const actions: Record<string, string[]> = {}
    for (const [action, more] of [
      ['name', { name: 'Colleague' }],
      ['role', { role: 'finance' }],
      ['sign-out', {}],
      ['deactivate', {}],
      ['reactivate', {}],
      ['remove', {}],
    ] as const)
      actions[`people.${action}`] = await said('/api/people', { action, user, ...more })
    const invitees = '/api/people/invitations'
    const newcomer = { action: 'invite', email: 'new@example.com', role: 'viewer' }
    actions['people.invite'] = await said(invitees, newcomer)
    const [invitation] = await query<{ id: string }>('select id from invitation')
    actions['people.withdraw'] = await said(invitees, { action: 'withdraw', invitation: invitation?.id })
    actions['directory.default-role'] = await said('/api/settings/directory/default-role', { role: 'viewer' })
    const token = { name: 'Entra ID', days: '90' }
    actions['directory.token-made'] = await said('/api/settings/directory/token', token)
    expect(actions).toEqual(Object.fromEntries(OF_PEOPLE.map((action) => [action, [action]])))
  })

  test('what changes nothing leaves no entry: set again, refused, or nothing to do', async () => {
    const nothing = async () => {
      await send('/api/checks/fiscal-year', { month: 7 })
      await send('/api/checks', { code: 'invoice_total', level: 'note' })
      await send('/api/checks', { code: 'invoice_total', level: 'unheard of' })
      await send('/api/connections/[id]/sync/pause')
      await send('/api/connections/[id]/sync/schedule', { minutes: 60 })
      await send('/api/connections/[id]/scim/key/remove')
      await send('/api/connections/[id]/other-account', { choice: 'discard' })
    }
    await send('/api/checks/fiscal-year', { month: 7 })
    await send('/api/checks', { code: 'invoice_total', level: 'note' })
    expect(await entriesOf(nothing)).toEqual([])
  })

  test('an original document leaves together with its entry, and one that does not come leaves none', async () => {
    const { switchPool } = await import('#lib/db/pool.ts')
    const { makeInvoice, seedInvoices } = await import('#lib/ledger/test-support/seed.ts')
    await switchPool(world.database.urls.both)
    await seedInvoices(organizationId, connectionId as ConnectionId, [makeInvoice({ serialNumber: 'INV-1' })])
    await switchPool(world.database.urls.web)
    const answer = async (set: string) => {
      await expect
        .poll(
          async () =>
            (await query(`update document_wish set ${set} where status = 'queued' returning 1 as one`)).length,
          { timeout: 15_000 },
        )
        .toBe(1)
    }
    const ask = (set: string) =>
      entriesOf(() =>
        Promise.all([send('/api/invoices/document', { connection: connectionId, serial: 'INV-1' }), answer(set)]),
      )
    expect(await ask(`status = 'failed', failure = 'none'`)).toEqual([])
    expect(await ask(`status = 'done', content = 'four'`)).toMatchObject([
      {
        ...person,
        action: 'document.downloaded',
        subject_kind: 'invoice',
        subject_name: 'INV-1',
        after: '{"bytes":4}',
      },
    ])
  })

  test('a file is told of when it is asked for, and once how it ended: whole, or left', async () => {
    const address = '/api/export/lines?format=csv&vertical=flight'
    const asked = { format: 'csv', filters: 'vertical=flight' }
    const whole = await entriesOf(async () => (await send('/api/export/[list]', null, address)).text())
    expect(whole).toMatchObject([
      { ...person, action: 'export.started', subject_kind: 'file', subject_name: 'lines' },
      { ...person, action: 'export.ended' },
    ])
    const [began, ended] = whole.map(({ after }) => JSON.parse(after ?? ''))
    expect(began).toEqual({ ...asked, file: expect.stringMatching(/^[0-9a-f-]{36}$/) })
    expect(ended).toEqual({ ...began, outcome: 'complete', rows: 0, bytes: expect.any(Number) })
    const left = await entriesOf(async () => (await send('/api/export/[list]', null, address)).body?.cancel())
    expect(left.map(({ action, after }) => [action, JSON.parse(after ?? '').outcome])).toEqual([
      ['export.started', undefined],
      ['export.ended', 'broken off'],
    ])
  })

  test('a file of the audit has its own entry in it', async () => {
    const entries = await entriesOf(async () => {
      const text = await (await send('/api/audit/export', null, '/api/audit/export?who=admin%40example.com')).text()
      expect(text).toContain('audit.export-started')
    })
    expect(entries.map(({ action }) => action)).toEqual(['audit.export-started', 'audit.export-ended'])
  })

  test('connecting is told of from its start to its end, and a refusal with its reason', async () => {
    const consent = async (mode: 'allow' | 'decline', connection = '') => {
      const started = await admin.post('/api/connections/connect', connection === '' ? {} : { connection })
      world.sandbox.state().authorize.behavior = { mode, accountId: null, declineWithState: true }
      const back = new URL((await fetch(leadsTo(started), { redirect: 'manual' })).headers.get('location') ?? '')
      return admin.get(back.pathname + back.search)
    }
    const told = async (work: () => Promise<unknown>) =>
      (await entriesOf(work)).map(({ action, after }) =>
        [action, after && JSON.parse(after).reason].filter(Boolean).join(' '),
      )
    expect(await told(() => consent('allow'))).toEqual(['connection.connect-started', 'connection.connected'])
    expect(await told(() => consent('allow', connectionId))).toEqual([
      'connection.connect-started',
      'connection.reconnect-consented',
    ])
    expect(await told(() => consent('decline'))).toEqual([
      'connection.connect-started',
      'connection.connect-refused declined',
    ])
    const unasked = world.browser()
    for (const [name, kept] of admin.cookies) if (name === 'tieout.session') unasked.cookies.set(name, kept)
    expect(await told(() => unasked.get(`${CALLBACK}?code=x&state=y`))).toEqual([
      'connection.connect-refused not_started',
    ])
    expect(await told(() => world.browser().get(`${CALLBACK}?code=x&state=y`))).toEqual([])
  })

  test('A23: no token, password, key or state of all this is in any entry', async () => {
    const entries = JSON.stringify(await query('select * from audit_entry'))
    expect(entries.length).toBeGreaterThan(5_000)
    const secrets = [
      ...world.sandbox.state().oauth.everIssued(),
      ...[...admin.cookies].map(([, { value }]) => value).filter((value) => value !== ''),
      'a-secret-key',
      'correct horse battery',
    ]
    expect(secrets.length).toBeGreaterThan(6)
    expect(secrets.filter((secret) => entries.includes(secret))).toEqual([])
  })
})

// last: whatever loads a route's modules reads the settings, which the world above makes
test('each route that changes something says what the audit tells of it, or why nothing', async () => {
  const silent: string[] = []
  for (const [path, { load, POST }] of Object.entries(ROUTES))
    if ('POST' in (await load()) && !(POST?.audited?.length || POST?.unaudited))
      silent.push(
        `POST ${path}: name its entries (audited: [...]) in app/test-support/test-routes.ts, or why none (unaudited: '...')`,
      )
  expect(silent).toEqual([])
  for (const { unaudited, audited = [] } of HANDLERS) {
    if (unaudited !== undefined) expect(unaudited).toMatch(/\w+ \w+/)
    for (const action of audited) expect(Object.keys(AUDIT_ACTIONS)).toContain(action)
  }
}, 60_000)
