/**
 * Two organizations whose accounts, invoices, lines, trips and people have the same ids and names,
 * each with a word of its own in every text. One is crawled, the other then changed as a whole, and
 * the first crawled again: it must read the very same (A8). Then it asks for every address that the
 * other was ever shown, and for the same with made-up ids: it must not be able to tell them apart.
 */
import { hashPassword } from '#lib/auth/passwords/password.ts'
import { endPool, switchPool } from '#lib/db/pool.ts'
import type { ConnectionId } from '#lib/ids.ts'
import {
  day,
  decimal,
  makeInvoice,
  makeLine,
  seedConnection,
  seedInvoices,
  seedLines,
  seedOrganization,
} from '#lib/ledger/test-support/seed.ts'
import { LINE_FIELDS } from '#lib/reconcile/records.ts'
import { HANDLERS } from '../app/test-support/test-routes.ts'
import { expect, test } from './fixtures.ts'
import type { App } from './start-app.ts'
import { createSender, type Reply } from './walk-world.ts'

test.describe.configure({ timeout: 600_000 })
const PASSWORD = 'correct horse battery staple'
/** More than a page of each, so that there are cursors. */
const INVOICES = 60
const MOST_ADDRESSES = 150
/**
 * Of addresses that differ in nothing but a record, so many tell what all of them do. Without it
 * 220 addresses were of 122 kinds, with it 150 are of 130.
 */
const MOST_ALIKE = 2

type Side = { word: string; organizationId: string; connectionId: ConnectionId; cookie: string }

let ours: Side
let theirs: Side

test.beforeAll(async ({ app }) => {
  await app.killWorker()
  await switchPool(app.policedUrl)
  try {
    ours = await seedSide(app, 'canaryours')
    theirs = await seedSide(app, 'canarytheirs')
  } finally {
    await endPool()
  }
})

async function seedSide(app: App, word: string): Promise<Side> {
  const query = async <Row>(text: string, values: unknown[] = []) =>
    (await app.query(fill(text, values))) as unknown as Row[]
  const owner = await seedOrganization(query, `${word} Ltd`)
  const { organizationId } = owner
  const email = `admin-${word}@example.com`
  await query(`insert into app_user (organization_id, email, name, role, password_hash) values ($1, $2, $3, $4, $5)`, [
    organizationId,
    email,
    `Ada ${word}`,
    'admin',
    await hashPassword(PASSWORD),
  ])
  const connectionId = await seedConnection(query, owner, `${word} account`)
  await seedRecords({ organizationId, connectionId, word })
  await query(
    `with run as (
       insert into sync_run (organization_id, connection_id, trigger, kind, status, requested_at, started_at, finished_at)
       values ($1, $2, 'manual', 'backfill', 'succeeded', '2026-10-01', '2026-10-01', '2026-10-01') returning organization_id, connection_id, id),
     evidence as (
       insert into sync_evidence (organization_id, connection_id, run_id, list, page_offset, kind, reason, beginning)
       select organization_id, connection_id, id, 'lines', 0, 'not_json', '${word}', '${word}' from run),
     drift as (
       insert into interface_drift (organization_id, connection_id, list, path, kind, detail, example, first_run_id, last_run_id, record_count)
       select organization_id, connection_id, 'lines', '${word}', 'key', 'string', '${word}', id, id, 1 from run)
     insert into rejected_line (organization_id, connection_id, list, raw_hash, raw, reason, path, first_run_id)
     select organization_id, connection_id, 'lines', 'x', '${word}', '${word}', '', id from run`,
    [organizationId, connectionId],
  )
  return { word, organizationId, connectionId, cookie: await signIn(app, email) }
}

/** The records of a side. Ids, amounts and days are the same on both; every text holds the word. */
async function seedRecords(side: Omit<Side, 'cookie'>, amount = '119.00'): Promise<void> {
  const { organizationId, connectionId, word } = side
  const texts = Object.fromEntries(
    Object.entries(LINE_FIELDS)
      .filter(
        ([name, { type }]) => type === 'text' && !/^(id|invoiceSerialNumber|currency|profileId|tripId)$/.test(name),
      )
      .map(([name]) => [name, `${word} ${name}`]),
  )
  const serials = Array.from({ length: INVOICES }, (_, at) => `INV-01-${String(at).padStart(4, '0')}`)
  await seedInvoices(
    organizationId,
    connectionId,
    serials.map((serialNumber) =>
      makeInvoice({
        serialNumber,
        profileName: word,
        legalName: `${word} GmbH`,
        reference: word,
        total: decimal(amount),
      }),
    ),
  )
  await seedLines(
    organizationId,
    connectionId,
    serials.map((invoiceSerialNumber, at) =>
      makeLine({
        ...texts,
        id: `line-${at}`,
        invoiceSerialNumber,
        tripId: `${at % 7}`,
        labels: [word],
        travelerNames: [word],
        creditCardLast4: '4242',
        issuingDate: day('2026-03-31'),
        totalAmount: decimal(amount),
        raw: JSON.stringify({ word, at, amount }),
      }),
    ),
  )
}

/** The app's own query takes only finished text. */
function fill(text: string, values: unknown[]): string {
  const quote = (value: unknown) => (value === null ? 'null' : `'${String(value).replaceAll("'", "''")}'`)
  return text.replace(/\$(\d+)/g, (_, number) => quote(values[Number(number) - 1]))
}

async function signIn(app: App, email: string): Promise<string> {
  const reply = await createSender(app.appUrl)('/api/sign-in', {
    method: 'POST',
    headers: { origin: app.appUrl, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ email, password: PASSWORD }).toString(),
  })
  const [cookie] = reply.headers['set-cookie'] ?? []
  if (cookie === undefined) throw new Error(`${email} could not sign in: ${reply.status}`)
  return cookie.split(';')[0] as string
}

/** Where a crawl begins: every page, and every route that reads, as the lists ask them. */
function listStarts({ connectionId }: Side): string[] {
  const named = (path: string) =>
    path
      .replace(/\[id\]|\[connection\]/, connectionId)
      .replace('[serial]', 'INV-01-0007')
      .replace('[list]', 'lines')
  const questions: Record<string, string[]> = {
    '/api/summaries': ['?by=cost_center', '?by=month'],
    '/api/lines/detail': [`?connection=${connectionId}&id=line-3`],
    '/api/lines/rows': ['', '?q=canary', '?sort=amount'],
    '/api/invoices/rows': ['', '?q=canary'],
    '/api/groups': ['?by=trip', '?by=trip,cost_center'],
    '/api/filter-options': [
      '?filter=trips&filter=vendors&filter=travelers&filter=costCenters&q=',
      '?filter=trips&q=canary',
    ],
    '/api/export/[list]': ['?format=csv'],
    '/lines': ['', '?q=canary', '?sort=amount', '?line=x:line-3'],
    '/invoices': ['', '?q=canary'],
    '/groups': ['?by=trip', '?by=cost_center,vertical'],
  }
  const reading = HANDLERS.filter(({ method, least }) => method === 'GET' && least !== 'anyone')
  const routes = reading.filter(({ isPage, path }) => !isPage && !/\[(?!id\]|list\])/.test(path))
  const pages = reading.filter(({ isPage }) => isPage)
  const exports = ['lines', 'invoices', 'groups', 'rejected'].map((list) => `/api/export/${list}?format=csv`)
  return [...pages, ...routes]
    .flatMap(({ path }) => (questions[path] ?? ['']).map((question) => named(path) + question))
    .concat(exports)
}

/** An address without what tells one record from the next. */
function toShape(address: string): string {
  const { pathname, searchParams } = new URL(address, 'http://any')
  const path = pathname.replace(/[0-9a-f]{8}-[0-9a-f-]{27}|INV-[\w-]+|line-\d+|\/\d+$/g, '*')
  return `${path}?${[...new Set(searchParams.keys())].sort()}`
}

/** Follows what a side is shown, breadth first, and keeps each answer. */
async function crawl(app: App, side: Side, starts = listStarts(side)): Promise<Map<string, Reply>> {
  const send = createSender(app.appUrl)
  const found = new Map<string, Reply>()
  const waiting = [...new Set(starts)]
  const alike = new Map<string, number>()
  const isWanted = (address: string) => {
    const shape = toShape(address)
    alike.set(shape, (alike.get(shape) ?? 0) + 1)
    return (alike.get(shape) ?? 0) <= MOST_ALIKE
  }
  for (const start of waiting) isWanted(start)
  while (waiting.length > 0 && found.size < MOST_ADDRESSES) {
    const batch = waiting.splice(0, 4)
    const replies = await Promise.all(batch.map((address) => send(address, { headers: { cookie: side.cookie } })))
    for (const [at, reply] of replies.entries()) {
      found.set(batch[at] as string, reply)
      for (const address of listLinks(reply))
        if (!found.has(address) && !waiting.includes(address) && !batch.includes(address) && isWanted(address))
          waiting.push(address)
    }
  }
  return found
}

/** The addresses of ours in a page, and the cursors in an answer for scripts. */
function listLinks({ text }: Reply): string[] {
  return [...text.matchAll(/(?:href|action)="(\/[^"#]*)/g)]
    .map(([, href = '']) => href.replaceAll('&amp;', '&'))
    .filter((href) => !/^\/(_next|api\/(auth|sign-out|sign-in))|^\/\/|\.(svg|css|js|woff2)/.test(href))
}

/**
 * What an answer says, whatever the order in which its parts arrived: of a page the texts and
 * addresses that people get, of data all of it. Without what two answers to one question may differ
 * in: how long something is ago.
 */
function normalize(text: string): string {
  if (!text.startsWith('<!DOCTYPE')) return toTimeless(text)
  // two moments may be as long ago at one time, and not at another
  return [...new Set(listTexts(text).map(toTimeless))].sort().join('\n')
}

function toTimeless(text: string): string {
  return text
    .replace(/\b(\d+|an?) (second|minute|hour)s? ago|just now|(a )?moments? ago/g, 'AGO')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, 'MOMENT')
    .replace(/\b[A-Z][a-z]{2} \d{1,2}, \d{4}, \d{1,2}:\d\d:\d\d [AP]M UTC/g, 'MOMENT')
    .replace(/"now":\d+/g, 'NOW')
    .replace(/"reference":"[0-9a-f]{8}"/g, 'REFERENCE')
}

function listTexts(page: string): string[] {
  const html = page.replace(/<(script|style|noscript)\b.*?<\/\1>/gs, '')
  const texts = [...html.matchAll(/>([^<]+)</g)].map(([, text = '']) => text.trim())
  const values = [...html.matchAll(/\b(?:href|action|title|aria-label|value|alt|datetime)="([^"]*)"/g)]
  const said = [...texts, ...values.map(([, value = '']) => value)]
  // what stood in the place of a part that came late is still there, hidden
  return [...new Set(said)].filter((each) => each !== '' && each !== 'Loading' && !each.startsWith('/_next/'))
}

/** The own audit has an entry more after each file that we read; only the other's words matter. */
function growsByReading(address: string): boolean {
  return /^\/(api\/)?audit\b/.test(address)
}

test('A8: what one organization reads does not change with anything that another has or does', async ({ app }) => {
  // the first visit of a day writes that it was one
  await crawl(app, ours, listStarts(ours).slice(0, 4))
  const before = await crawl(app, ours)
  expect(before.size).toBeGreaterThan(60)
  const read = [...before.values()].map(({ text }) => text).join('\n')
  expect(read).toContain(ours.word)
  await changeTheirs(app)
  // the same addresses first: in which order a page shows its links goes by how quick it was
  const after = await crawl(app, ours, [...before.keys()])
  const differing = [...before].flatMap(([address, { status, text }]) => {
    const again = after.get(address)
    const isSame = again?.status === status && (growsByReading(address) || normalize(again.text) === normalize(text))
    return isSame ? [] : [`${address} ${status} ${again?.status}: ${firstDifference(text, again?.text ?? '')}`]
  })
  expect(differing).toEqual([])
  expect(
    [...before, ...after].filter(([, { text }]) => text.includes(theirs.word)).map(([address]) => address),
  ).toEqual([])
})

test('A8: an address of another organization answers as one with made-up ids', async ({ app }) => {
  const shown = await crawl(app, theirs)
  expect([...shown.values()].some(({ text }) => text.includes(theirs.word))).toBe(true)
  const send = createSender(app.appUrl)
  const strange = { word: 'canarynobody', connectionId: '0b9d4b5e-6a0f-4c57-9a53-3f6a6a1b7c11' }
  const rename = (text: string) =>
    text.replaceAll(theirs.connectionId, strange.connectionId).replaceAll(theirs.word, strange.word)
  const problems: string[] = []
  for (const address of shown.keys()) {
    const [asked, madeUp] = await Promise.all(
      [address, rename(address)].map((each) => send(each, { headers: { cookie: ours.cookie } })),
    )
    if (asked === undefined || madeUp === undefined) continue
    // what the address itself says is told back in places
    const isTold = asked.text.includes(theirs.word) && !decodeURIComponent(address).includes(theirs.word)
    const isSame =
      asked.status === madeUp.status &&
      (growsByReading(address) || normalize(rename(asked.text)) === normalize(madeUp.text))
    if (isTold || !isSame)
      problems.push(`${address} ${asked.status} ${madeUp.status}: ${firstDifference(rename(asked.text), madeUp.text)}`)
  }
  expect(problems).toEqual([])
})

/** Everything of the other side becomes something else: names, people, records, rules, history. */
async function changeTheirs(app: App): Promise<void> {
  const { organizationId, connectionId, cookie } = theirs
  await switchPool(app.policedUrl)
  try {
    await seedRecords({ ...theirs, word: `${theirs.word} changed` }, '250.00')
  } finally {
    await endPool()
  }
  const of = `organization_id = '${organizationId}'`
  await app.query(`update organization set name = '${theirs.word} renamed' where id = '${organizationId}'`)
  await app.query(`update connection set name = '${theirs.word} renamed' where ${of}`)
  await app.query(`insert into app_user (organization_id, email, name, role)
    select '${organizationId}', '${theirs.word}' || n || '@example.com', '${theirs.word}', 'finance' from generate_series(1, 5) n`)
  await app.query(`insert into connection (organization_id, name, state, scopes_asked, created_by, connected_at)
    select organization_id, '${theirs.word} second', 'active', scopes_asked, created_by, now() from connection where id = '${connectionId}'`)
  const send = createSender(app.appUrl)
  const post = (path: string, body: unknown) =>
    send(path, {
      method: 'POST',
      headers: { cookie, origin: app.appUrl, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  for (const [path, body] of [
    ['/api/checks/fiscal-year', { month: 7 }],
    ['/api/checks', { code: 'line_total', level: 'off' }],
    [`/api/connections/${connectionId}/sync`, {}],
    [`/api/connections/${connectionId}/sync/schedule`, { minutes: 240 }],
  ] as const)
    expect((await post(path, body)).status, path).toBeLessThan(400)
  await send('/api/export/lines?format=csv', { headers: { cookie } })
}

/** What only one of two answers says, the first few of it. */
function firstDifference(one: string, other: string): string {
  const [a, b] = [normalize(one), normalize(other)].map((text) => text.split('\n'))
  const alone = (these: string[] = [], those: string[] = []) =>
    these
      .filter((line) => !those.includes(line))
      .slice(0, 3)
      .map((line) => line.slice(0, 200))
  return `only once: ${alone(a, b).join(' / ')} | only then: ${alone(b, a).join(' / ')}`
}
