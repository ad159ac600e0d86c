/**
 * The world of the walk over all routes: two organizations with a user of each role, and requests
 * sent without normalization.
 */
import { readFileSync } from 'node:fs'
import { Agent, type IncomingHttpHeaders, type RequestOptions, request } from 'node:http'
import { hashPassword } from '#lib/auth/passwords/password.ts'
import { hashSecret } from '#lib/connections/secret-hash.ts'
import { endPool, switchPool } from '#lib/db/pool.ts'
import {
  makeInvoice,
  makeLine,
  seedConnection,
  seedInvoices,
  seedLines,
  seedOrganization,
} from '#lib/ledger/test-support/seed.ts'
import type { App } from './start-app.ts'

/** In every text of the first organization. Users of others must never read it. */
export const CANARY = 'canary4f1e'
export const SERIAL_NUMBER = 'INV/01 7%'
export const TRIP_ID = '7'
const PASSWORD = 'correct horse battery staple'
const WHO = ['viewer', 'auditor', 'finance', 'approver', 'admin', 'stranger'] as const
export type Who = (typeof WHO)[number]

export type Sent = { method?: string; headers?: Record<string, string>; body?: string }
export type Reply = { status: number; headers: IncomingHttpHeaders; text: string }

export type WalkWorld = {
  /** The cookie of a signed-in user; `stranger` is the admin of another organization. */
  cookies: Record<Who, string>
  /** The cookie of a signed-out session, as a browser that missed it would still send it. */
  endedCookie: string
  connectionId: string
  /** A person of the first organization who does nothing, and an open invitation to it. */
  personId: string
  invitationId: string
  /** A file of a comment of the first organization. */
  attachmentId: string
  /** The tokens of the first organization’s directory and of the other’s. */
  tokens: { own: string; stranger: string }
  /** A person and a group that the directory provisioned. */
  provisionedId: string
  groupId: string
  /** A connection of the first organization that nothing else uses. */
  addConnection: () => Promise<string>
  /** The path is sent byte for byte. */
  send: (path: string, sent?: Sent) => Promise<Reply>
  /**
   * A fingerprint of the rows of each table, without when people, sessions and tokens were last
   * seen, and without the audit: that somebody took data out is written down, though reading
   * changes nothing. What counts tries, and a challenge that waits for its passkey, belong to
   * whoever asks; so do the stranger's own formats and digest, and what the stranger's organization
   * says of formats and names.
   */
  fingerprint: () => Promise<Record<string, string | null>>
}

/** Paths of the production build, routes and pages, without their route groups. */
export function readManifest(): { routes: string[]; pages: string[] } {
  const file = new URL('../.next/server/app-paths-manifest.json', import.meta.url)
  const built = Object.keys(JSON.parse(readFileSync(file, 'utf8'))).filter((path) => !path.startsWith('/_'))
  const ending = (name: string) =>
    built
      .filter((path) => path.endsWith(`/${name}`))
      .map((path) => path.slice(0, -name.length - 1).replace(/\/\(\w+\)/g, '') || '/')
      .sort()
  return { routes: ending('route'), pages: ending('page') }
}

export async function makeWalkWorld(app: App): Promise<WalkWorld> {
  await app.killWorker()
  await switchPool(app.policedUrl)
  try {
    const { connectionId, ...people } = await seed(app)
    const directory = await seedDirectory(app)
    const send = createSender(app.appUrl)
    const cookies = {} as WalkWorld['cookies']
    for (const who of WHO) cookies[who] = await signIn(app, send, who)
    const endedCookie = await signIn(app, send, 'viewer')
    await send('/api/sign-out', { method: 'POST', headers: { cookie: endedCookie, origin: app.appUrl } })
    return {
      cookies,
      endedCookie,
      connectionId,
      ...people,
      ...directory,
      send,
      addConnection: () => addConnection(app),
      fingerprint: () => fingerprint(app),
    }
  } finally {
    await endPool()
  }
}

async function seed(app: App): Promise<Pick<WalkWorld, 'connectionId' | 'personId' | 'invitationId' | 'attachmentId'>> {
  const query = async <Row>(text: string, values: unknown[] = []) =>
    (await app.query(fill(text, values))) as unknown as Row[]
  const [first, second] = [await seedOrganization(query, `${CANARY} Ltd`), await seedOrganization(query, 'Second')]
  const hash = await hashPassword(PASSWORD)
  for (const who of WHO)
    await query(
      `insert into app_user (organization_id, email, name, role, password_hash) values ($1, $2, $3, $4, $5)`,
      [
        ...(who === 'stranger' ? [second.organizationId] : [first.organizationId]),
        `${who}-${who === 'stranger' ? 'x' : CANARY}@example.com`,
        `${who} ${who === 'stranger' ? '' : CANARY}`.trim(),
        who === 'stranger' ? 'admin' : who,
        hash,
      ],
    )
  const connectionId = await seedConnection(query, first, `${CANARY} account`)
  await seedInvoices(first.organizationId, connectionId, [
    makeInvoice({ serialNumber: SERIAL_NUMBER, legalName: CANARY, profileName: CANARY, reference: CANARY }),
  ])
  await seedLines(first.organizationId, connectionId, [
    makeLine({
      id: 'line-1',
      invoiceSerialNumber: SERIAL_NUMBER,
      description: CANARY,
      tripId: TRIP_ID,
      tripName: CANARY,
      costCenter: CANARY,
    }),
  ])
  const owner = [first.organizationId, connectionId]
  await query(
    `with run as (
       insert into sync_run (organization_id, connection_id, trigger, kind, status, finished_at)
       values ($1, $2, 'manual', 'backfill', 'succeeded', now()) returning organization_id, connection_id, id),
     evidence as (
       insert into sync_evidence (organization_id, connection_id, run_id, list, page_offset, kind, reason, beginning)
       select organization_id, connection_id, id, 'lines', 0, 'not_json', '${CANARY}', '${CANARY}' from run),
     drift as (
       insert into interface_drift (organization_id, connection_id, list, path, kind, detail, example, first_run_id, last_run_id, record_count)
       select organization_id, connection_id, 'lines', '${CANARY}', 'key', 'string', '${CANARY}', id, id, 1 from run)
     insert into rejected_line (organization_id, connection_id, list, raw_hash, raw, reason, path, first_run_id)
     select organization_id, connection_id, 'lines', 'x', '${CANARY}', '${CANARY}', '', id from run`,
    owner,
  )
  const [person] = await query<{ id: string }>(
    `insert into app_user (organization_id, email, name, role) values ($1, $2, $3, 'viewer') returning id`,
    [first.organizationId, `quiet-${CANARY}@example.com`, CANARY],
  )
  const [invitation] = await query<{ id: string }>(
    `insert into invitation (organization_id, email, name, role, secret_hash, invited_by_name, created_at, expires_at)
     values ($1, $2, $3, 'viewer', 'of a secret', $3, now(), now() + interval '7 days') returning id`,
    [first.organizationId, `invited-${CANARY}@example.com`, CANARY],
  )
  const [attachment] = await query<{ id: string }>(
    `with author as (select id from app_user where email = 'finance-${CANARY}@example.com'),
     t as (
       insert into thread (organization_id, kind, connection_id, key) values ($1, 'line', $2, 'line-1') returning id),
     m as (
       insert into message (organization_id, thread_id, author_id, author_name)
       select $1, t.id, author.id, '${CANARY}' from t, author returning id),
     v as (
       insert into message_version (organization_id, message_id, version, text) select $1, id, 1, '${CANARY}' from m),
     f as (
       insert into stored_file (organization_id, hash, content)
       values ($1, sha256('%PDF-1.7 ${CANARY}'), '%PDF-1.7 ${CANARY}') returning hash)
     insert into attachment (organization_id, message_id, author_id, name, kind, size, hash)
     select $1, m.id, author.id, '${CANARY}.pdf', 'pdf', 20, f.hash from m, author, f returning id`,
    owner,
  )
  return {
    connectionId,
    personId: person?.id ?? '',
    invitationId: invitation?.id ?? '',
    attachmentId: attachment?.id ?? '',
  }
}

async function seedDirectory(app: App): Promise<Pick<WalkWorld, 'tokens' | 'provisionedId' | 'groupId'>> {
  const tokens = { own: `tie_scim_${'o'.repeat(43)}`, stranger: `tie_scim_${'s'.repeat(43)}` }
  for (const [email, token] of [
    [`admin-${CANARY}@example.com`, tokens.own],
    ['stranger-x@example.com', tokens.stranger],
    // as many as there may be: whoever asks for another one changes nothing
    [`admin-${CANARY}@example.com`, 'spare'],
    ['stranger-x@example.com', 'spare of the other'],
  ] as const)
    await app.query(
      `insert into directory_token (organization_id, name, hash, created_by_name, created_at)
       select organization_id, 'Directory', '${hashSecret(token)}', 'walk', now() from app_user where email = '${email}' returning id`,
    )
  const [made] = await app.query(
    `with p as (
       insert into app_user (organization_id, email, name, role)
       select organization_id, 'provisioned@example.com', '${CANARY}', 'viewer'
       from app_user where email = 'admin-${CANARY}@example.com'
       returning organization_id, id),
     g as (
       insert into directory_group (organization_id, display_name, created_at, changed_at)
       select organization_id, '${CANARY}', now(), now() from p returning id),
     d as (
       insert into directory_person (organization_id, user_id, active, attributes, created_at, changed_at)
       select organization_id, id, true, '{"displayName": "${CANARY}"}', now(), now() from p)
     select p.id as person, g.id as group from p, g`,
  )
  return { tokens, provisionedId: made?.person as string, groupId: made?.group as string }
}

/** The app's own query takes only finished text. */
function fill(text: string, values: unknown[]): string {
  const quote = (value: unknown) => (value === null ? 'null' : `'${String(value).replaceAll("'", "''")}'`)
  return text.replace(/\$(\d+)/g, (_, number) => quote(values[Number(number) - 1]))
}

async function addConnection(app: App): Promise<string> {
  const [made] = await app.query(
    `insert into connection (organization_id, name, state, scopes_asked, created_by, connected_at)
     select organization_id, name, 'active', scopes_asked, created_by, now() from connection
     order by created_at limit 1 returning id`,
  )
  return made?.id as string
}

async function signIn(app: App, send: WalkWorld['send'], who: Who): Promise<string> {
  const email = `${who}-${who === 'stranger' ? 'x' : CANARY}@example.com`
  const reply = await send('/api/sign-in', {
    method: 'POST',
    headers: { origin: app.appUrl, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ email, password: PASSWORD }).toString(),
  })
  const [cookie] = reply.headers['set-cookie'] ?? []
  if (cookie === undefined) throw new Error(`${who} could not sign in: ${reply.status} ${reply.text}`)
  return cookie.split(';')[0] as string
}

async function fingerprint(app: App): Promise<Record<string, string | null>> {
  const tables = await app.query(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')
       and tablename not in ('user_session', 'throttle', 'passkey_challenge', 'audit_entry', 'audit_head') order by 1`,
  )
  const isOfStranger = `%s in (select organization_id from app_user where email = 'stranger-x@example.com')`
  const ownFormats = `case when ${isOfStranger}
    then array['number_format', 'date_format', 'time_zone', 'folds_names'] else '{}' end`
  const changing: Record<string, string> = {
    'public.app_user': `(to_jsonb(t) - 'seen_on' - 'seen_before' - ${ownFormats.replace('%s', 'organization_id')})::text`,
    'public.organization': `(to_jsonb(t) - ${ownFormats.replace('%s', 'id')})::text`,
    'public.digest_setting': `case when not ${isOfStranger.replace('%s', 'organization_id')} then t::text end`,
    'public.directory_token': `(to_jsonb(t) - 'last_used_at')::text`,
  }
  const sums = tables.map(({ name }) => {
    const row = changing[name as string] ?? 't::text'
    return `select '${name}' as name, md5(string_agg(${row}, '|' order by ${row})) as md5 from ${name} t`
  })
  // by name: workers of a parallel plan answer in the order in which they end
  const rows = await app.query(sums.join(' union all '))
  return Object.fromEntries(rows.map(({ name, md5 }) => [name as string, md5 as string | null]))
}

/**
 * Next.js redirects a request for script data (`rsc`) to an address with a hash of its headers;
 * follows it as our pages do.
 */
export function createSender(appUrl: string): WalkWorld['send'] {
  const { hostname, port } = new URL(appUrl)
  const agent = new Agent({ keepAlive: true, maxSockets: 6 })
  const send = async (path: string, sent: Sent, isAgain = false): Promise<Reply> => {
    try {
      return await sendOnce({ agent, hostname, port, path }, sent)
    } catch (error) {
      // a server that answers before reading the body may close before the answer arrives
      if (isAgain || !/ECONNRESET|EPIPE|socket hang up/.test(String(error))) throw error
      return send(path, sent, true)
    }
  }
  return async (path, sent = {}) => {
    const reply = await send(path, sent)
    const { location = '' } = reply.headers
    if (reply.status !== 307 || !/[?&]_rsc\b/.test(location)) return reply
    const { pathname, search } = new URL(location, appUrl)
    return send(pathname + search, sent)
  }
}

function sendOnce(to: RequestOptions, { method = 'GET', headers = {}, body }: Sent): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const sent = request({ ...to, method, headers: { ...headers, ...length } }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).toString('utf8'),
        }),
      )
    })
    sent.setTimeout(60_000, () => sent.destroy(new Error(`${method} ${to.path} is not answered`)))
    sent.on('error', (error) => reject(new Error(`${method} ${to.path}: ${error.message}`)))
    sent.end(body)
  })
}
