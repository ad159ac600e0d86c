import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { parseLineQuery } from '#lib/ledger/query/line-query.ts'
import { parseReviewQuery, toReviewedLines } from '#lib/ledger/query/review-query.ts'
import { listLineRows, listLines } from '#lib/ledger/read/list-lines.ts'
import { countReview } from '#lib/ledger/review/count-review.ts'
import { addDecimals, subtractDecimals, sumDecimals } from '#lib/reconcile/money.ts'
import { toDigestSections } from './digest-sections.ts'
import type { Digest, Piece, Span } from './model.ts'
import { hasNews, readDigest } from './read-digest.ts'
import { type DigestWorld, startDigestWorld, tooMuch, type Who } from './test-support/test-digest-world.ts'

const HOUR = 3_600_000

let world: DigestWorld
let span: Span
let digest: Digest

const since = (ms: number): Span => ({
  since: new Date(Date.now() - ms).toISOString(),
  until: new Date(Date.now() + HOUR).toISOString(),
})
const read = (who: Who, of = span, now = Date.now()) => readDigest(world.reader(who), of, now)
const queryOf = (href: string) => Object.fromEntries(new URL(href, 'http://desk').searchParams)
/** As the address says it, several values of a name too. */
const paramsOf = (href: string) => {
  const { searchParams } = new URL(href, 'http://desk')
  return Object.fromEntries([...searchParams.keys()].map((name) => [name, searchParams.getAll(name)]))
}
const rowsOf = (of: Digest, key: string) => toDigestSections(of).find((section) => section.key === key)?.rows ?? []
const textOf = (pieces: readonly Piece[]) =>
  pieces.map((piece) => (typeof piece === 'string' ? piece : piece.name)).join('')

beforeAll(async () => {
  world = await startDigestWorld()
  await world.bring([tooMuch('old', '25.20'), tooMuch('old-2', '7.30')], '2 days')
  await world.bring([
    tooMuch('new', '25.20'),
    tooMuch('new-less', '-11.40'),
    tooMuch('new-jpy', '6', { currency: 'JPY' }),
    tooMuch('decided', '8.80'),
    tooMuch('falls', '31.10'),
    tooMuch('falls-old', '32.10'),
    tooMuch('goes', '33.30'),
    { id: 'ties-out', description: 'Line ties-out' },
  ])
  await world.bring([tooMuch('fell-before', '9.10')], '2 days')
  await world.accept('decided', 'falls', 'falls-old', 'goes', 'fell-before')
  await world.bring([tooMuch('falls', '41.10'), tooMuch('fell-before', '10.10')])
  await world.database.query(
    `update line_review set suspended_at = now() - interval '2 days' where line_id = 'fell-before'`,
  )
  await world.database.query(`update line set missing_since = now() where id = 'goes'`)
  span = since(HOUR)
  digest = await read('ana')
})
afterAll(() => world.database.drop())
beforeEach(async () => {
  await world.as('both')
  await world.database.query('delete from thread')
})

test('new unexplained money is what its links open: the same lines, and their differences', async () => {
  const rows = rowsOf(digest, 'new-money')
  expect(rows.map(({ label }) => textOf(label))).toEqual(['3 lines in EUR', '1 line in JPY'])
  for (const [at, { currency, lineCount, overcharged, undercharged }] of digest.newMoney.entries()) {
    const query = parseLineQuery(paramsOf(rows[at]?.href ?? ''))
    const { lineCount: listed } = await listLines(world.organizationId, query)
    const lines = await listLineRows(world.organizationId, { ...query, pageSize: 200 })
    const differences = lines.map(({ difference, taxDifference }) => addDecimals(difference, taxDifference))
    expect([currency, listed, lines.length]).toEqual([currency, lineCount, lineCount])
    expect(lines.every((line) => line.currency === currency)).toBe(true)
    expect(Number(sumDecimals(differences))).toBe(Number(subtractDecimals(overcharged, undercharged)))
  }
  const { newMoney } = digest
  expect(newMoney.map((each) => [each.currency, each.overcharged, each.undercharged])).toEqual([
    // what changed since it was accepted waits for somebody again
    ['EUR', '66.30', '11.40'],
    ['JPY', '6.00', '0'],
  ])
})

test('decisions that fell are counted as the tab of the review counts them that the link opens', async () => {
  const sums = rowsOf(digest, 'fallen').filter(({ href }) => href.startsWith('/review'))
  expect(sums.map(({ label, detail }) => [textOf(label), textOf(detail)])).toEqual([
    ['1 line in EUR', 'EUR\u00a0150.10 when decided, EUR\u00a0160.10 now; the platform changed its figures'],
    ['1 line in EUR that the platform removed', 'EUR\u00a0152.30 when decided; the platform removed it'],
  ])
  for (const { href } of sums) {
    const query = toReviewedLines(parseReviewQuery(paramsOf(href)), world.idOf('ana'))
    const { counts } = await countReview(world.organizationId, world.idOf('ana'), query)
    const counted = counts.reduce((sum, each) => sum + (each.state === 'suspended' ? each.lineCount : 0), 0)
    expect([href, counted, (await listLines(world.organizationId, query)).lineCount]).toEqual([href, 1, 1])
  }
  expect(queryOf(sums[0]?.href ?? '')).toMatchObject({ tab: 'suspended', currency: 'EUR' })
})

test('single lines that fell are named, with their decision, both amounts and the cause', () => {
  const single = rowsOf(digest, 'fallen').filter(({ href }) => href.startsWith('/lines'))
  expect(single.map(({ label, detail, href }) => [textOf(label), textOf(detail), queryOf(href)])).toEqual([
    [
      'Line Line falls',
      'decision 1: EUR\u00a0150.10 then, EUR\u00a0160.10 now; the platform changed its figures',
      { line: `${world.connectionId}~falls` },
    ],
    [
      'Line Line goes',
      'decision 1: EUR\u00a0152.30 then, removed now; the platform removed it',
      { gone: '1', line: `${world.connectionId}~goes` },
    ],
  ])
})

test('a span ends where the next one begins: each line is in one of them', async () => {
  // at the very moment at which the one ends and the other begins
  const [first] = await world.database.query<{ at: Date }>(
    `update line set first_seen_at = date_trunc('milliseconds', first_seen_at) where id = 'new' returning first_seen_at as at`,
  )
  const at = first?.at.getTime() ?? 0
  const upTo = { since: new Date(at - HOUR).toISOString(), until: new Date(at).toISOString() }
  const next = { since: upTo.until, until: new Date(at + HOUR).toISOString() }
  const count = async (of: Span) => (await read('ana', of)).newMoney.reduce((sum, { lineCount }) => sum + lineCount, 0)
  expect(await count({ since: upTo.since, until: next.until })).toBe((await count(upTo)) + (await count(next)))
  expect(await count(next)).toBeGreaterThan(0)
})

test('what is decided is no news any more', async () => {
  const before = await read('ana', since(3 * 24 * HOUR))
  await world.accept('old-2')
  const after = await read('ana', since(3 * 24 * HOUR))
  expect((before.newMoney[0]?.lineCount ?? 0) - (after.newMoney[0]?.lineCount ?? 0)).toBe(1)
})

test('what is assigned is told overdue first, with the days that it is late in the reader’s zone', async () => {
  await world.give('ana', 'old', null)
  await world.give('ana', 'new', '2026-11-26')
  await world.give('ana', 'decided', '2026-11-20')
  await world.give('vera', 'falls', '2026-11-20')
  const now = Date.parse('2026-11-26T20:00:00Z')
  const told = async (timeZone: string) => {
    const of = await readDigest({ ...world.reader('ana'), timeZone }, span, now)
    return rowsOf(of, 'assigned').map(({ label, detail, isUrgent }) => [
      textOf(label),
      textOf(detail).replace(/; .*/, ''),
      isUrgent,
    ])
  }
  expect(await told('UTC')).toEqual([
    ['Line Line decided', 'due Nov 20, 2026, 6 days overdue', true],
    ['Line Line new', 'due today', true],
    ['Line Line old', 'no day set', false],
  ])
  expect((await told('Asia/Tokyo')).map(([, due]) => due)).toEqual([
    'due Nov 20, 2026, 7 days overdue',
    'due Nov 26, 2026, a day overdue',
    'no day set',
  ])
})

test('who is named unread is told by whom and where, and nothing of what was said', async () => {
  await world.name('ana', 'new')
  const of = await read('ana')
  expect(rowsOf(of, 'mentions').map(({ label, href }) => [textOf(label), queryOf(href)])).toEqual([
    ['Line Line new', { line: `${world.connectionId}~new` }],
  ])
  expect(JSON.stringify([of, toDigestSections(of)])).not.toContain('secret word')
  expect((await read('vera')).mentions).toEqual([])
})

test('a link that ended or ends soon is told to those who can reconnect it, and to nobody else', async () => {
  await world.database.query(`update connection set state = 'needs_reconnect', state_cause = 'refresh_refused'`)
  const of = await read('ada')
  expect(rowsOf(of, 'connections').map(({ label, detail, href }) => [textOf(label), textOf(detail), href])).toEqual([
    ['Acme Europe', 'the link has ended; reconnect it', `/connections/${world.connectionId}`],
  ])
  for (const who of ['ana', 'vera'] as const) expect((await read(who)).connections).toEqual([])
  await world.database.query(`update connection set state = 'active', state_cause = null`)
  expect((await read('ada')).connections).toEqual([])
})

test('what only waits on is no news; what came, fell, names one or is due is', async () => {
  const later = {
    since: new Date(Date.now() + HOUR).toISOString(),
    until: new Date(Date.now() + 2 * HOUR).toISOString(),
  }
  const isNews = async (now = Date.parse('2026-11-26T12:00:00Z')) => hasNews(await read('ana', later, now))
  await world.give('ana', 'new', '2026-11-27')
  await world.name('ana', 'new')
  expect(await isNews()).toBe(false)
  expect(await isNews(Date.parse('2026-11-27T01:00:00Z'))).toBe(true)
  await world.database.query('delete from thread')
  expect(hasNews(digest)).toBe(true)
})

test('the worker reads the same as the web server, by its own rights', async () => {
  await world.give('ana', 'new', '2026-11-20')
  await world.name('ana', 'new')
  const now = Date.now()
  await world.as('web')
  const ofWeb = await read('ana', span, now)
  await world.as('worker')
  expect(await read('ana', span, now)).toEqual(ofWeb)
  expect(ofWeb.assignments).toHaveLength(1)
})

test('another organization’s lines, people and words are in no digest', async () => {
  const stranger = { ...world.reader('ada'), organizationId: '00000000-0000-4000-8000-000000000001' }
  const of = await readDigest(stranger, since(30 * 24 * HOUR), Date.now())
  expect([of.newMoney, of.falls.here, of.assignments, of.mentions, of.connections]).toEqual([[], [], [], [], []])
})
