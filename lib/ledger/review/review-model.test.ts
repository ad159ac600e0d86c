/** Decisions and upstream changes in random order, beside a model that hears the same events. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { withTenantSql } from '#lib/db/tenant.ts'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import type { DecimalText } from '#lib/reconcile/money.ts'
import type { ProvedLine } from '#lib/reconcile/records.ts'
import { outcomeOf, type ReviewState, type ReviewVerb, STATE_AFTER } from '#lib/reconcile/review/review-state.ts'
import { compareLines } from '../kept/comparisons/compare-lines.ts'
import { DEFAULT_LINE_QUERY } from '../query/line-query.ts'
import { setCheck } from '../rules/change-rules.ts'
import { judgeOrganization } from '../rules/judge-lines.ts'
import { day, decimal, makeLine, seedLines, seedTwoPeople } from '../test-support/seed.ts'
import { applyBatch } from './apply-decision.ts'
import { type Decider, decide } from './decide.ts'
import type { Asked } from './line-set.ts'
import { getLineReview } from './list-decisions.ts'
import { previewDecision } from './preview-decision.ts'
import { REVIEW_OF_LINE } from './review-columns.ts'

let database: TestDatabase
let organizationId: OrganizationId
let connectionId: ConnectionId
let people: [Decider, Decider]

const LINE_COUNT = 24
/** What the platform can say of a line: right, a cent too much, far too much. */
const TOTALS = ['119.00', '119.01', '140.00']

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

beforeEach(async () => {
  const { ada, ben, ...seeded } = await seedTwoPeople(database.query, 'finance')
  ;({ organizationId, connectionId } = seeded)
  people = [ada, ben]
})

/** A seeded stream of numbers below 1 (Mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

type Frame = { decided: ReviewState; decision: number; seen: string; below: Frame | null }
type ModelLine = { total: number; isGone: boolean; isNoted: boolean; hasTwin: boolean; frame: Frame | null }

/** All that a decision about a line depends on, as the model sees it. */
function seenOf({ total, isGone, isNoted, hasTwin }: ModelLine): string {
  return `${TOTALS[total]} ${isGone} ${isNoted && total === 1} ${hasTwin}`
}

function stateOf(line: ModelLine) {
  if (line.frame === null) return 'open'
  return line.frame.seen === seenOf(line) ? line.frame.decided : 'suspended'
}

function toRecord(id: string, total: number): ProvedLine {
  return makeLine({
    id,
    invoiceSerialNumber: `INV-${Number(id.slice(1)) % 4}`,
    totalAmount: decimal(TOTALS[total] as string),
  })
}

const SET = (only: string[]) => ({ query: DEFAULT_LINE_QUERY, only: only.map((id) => `${connectionId}~${id}`) })

async function readStates(): Promise<Record<string, string>> {
  const rows = await database.query<{ id: string; state: string; decision: string }>(
    `select l.id, coalesce(v.state, 'open') as state, coalesce(v.decision, 0)::text as decision
     from line l left join ${REVIEW_OF_LINE} where l.organization_id = $1`,
    [organizationId],
  )
  return Object.fromEntries(rows.map(({ id, state, decision }) => [id, `${state} ${decision}`]))
}

/** As a comparison of the account writes it. */
async function storeTwins(ids: string[], change: 'found' | 'lost') {
  const values = [organizationId, connectionId, ids]
  if (change === 'lost')
    await database.query(
      'delete from line_comparison where organization_id = $1 and connection_id = $2 and line_id = any ($3)',
      values,
    )
  else
    await database.query(
      `insert into line_comparison (organization_id, connection_id, line_id, code, invoice_serial_number, other_line_id,
         other_invoice_serial_number, currency, amount)
       select $1, $2, id, 'duplicate_line', 'INV-0', 'L0', 'INV-1', 'EUR', 119 from unnest($3::text[]) id`,
      values,
    )
}

const toStates = (lines: Map<string, ModelLine>) =>
  Object.fromEntries([...lines].map(([id, line]) => [id, `${stateOf(line)} ${line.frame?.decision ?? 0}`]))

test.each([1, 2, 3])(
  'lines stand as a model says after any order of decisions, undos, changes, rules, comparisons and losses (seed %i)',
  async (seed) => {
    const random = createRandom(seed)
    const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item
    const lines = new Map<string, ModelLine>()
    const made: { number: number; ids: string[] }[] = []
    for (let at = 0; at < LINE_COUNT; at += 1) {
      lines.set(`L${at}`, { total: at % 3, isGone: false, isNoted: false, hasTwin: false, frame: null })
    }
    await seedLines(
      organizationId,
      connectionId,
      [...lines].map(([id, { total }]) => toRecord(id, total)),
    )
    let isNoted = false
    for (let step = 0; step < 120; step += 1) {
      const ids = [...lines.keys()].filter(() => random() < 0.3)
      const kind = pick(['accept', 'dispute', 'withdraw', 'undo', 'change', 'gone', 'rule', 'twin', 'race'] as const)
      if (kind === 'change') {
        const moved = ids.slice(0, 4).filter((id) => !(lines.get(id) as ModelLine).isGone)
        for (const id of moved) (lines.get(id) as ModelLine).total = Math.floor(random() * 3)
        await seedLines(
          organizationId,
          connectionId,
          moved.map((id) => toRecord(id, (lines.get(id) as ModelLine).total)),
        )
      } else if (kind === 'gone') {
        for (const id of ids.slice(0, 3)) {
          const line = lines.get(id) as ModelLine
          line.isGone = !line.isGone
          await database.query('update line set missing_since = $3 where organization_id = $1 and id = $2', [
            organizationId,
            id,
            line.isGone ? new Date() : null,
          ])
        }
      } else if (kind === 'rule') {
        isNoted = !isNoted
        const tolerance: Record<string, DecimalText> = isNoted ? { EUR: '0.01' as DecimalText } : {}
        await setCheck({ organizationId, actor: people[0].actor }, 'line_total', { level: 'finding', tolerance })
        await judgeOrganization(organizationId)
        for (const line of lines.values()) line.isNoted = isNoted
      } else if (kind === 'twin') {
        const compared = ids.slice(0, 4)
        for (const id of compared) (lines.get(id) as ModelLine).hasTwin = !(lines.get(id) as ModelLine).hasTwin
        const isFound = (id: string) => (lines.get(id) as ModelLine).hasTwin
        await storeTwins(compared.filter(isFound), 'found')
        await storeTwins(
          compared.filter((id) => !isFound(id)),
          'lost',
        )
      } else if (kind === 'undo' && made.length > 0) {
        const undone = pick(made)
        const changed = undone.ids.filter((id) => lines.get(id)?.frame?.decision === undone.number)
        const ended = await decideNow({ kind: 'undo', decision: `${undone.number}` })
        expect(ended.kind).toBe(changed.length > 0 ? 'decided' : 'nothing')
        for (const id of changed) popFrame(lines.get(id) as ModelLine)
      } else if (kind === 'race') {
        await race(ids)
      } else if (kind !== 'undo') await decideModel(kind, ids)
      expect(await readStates(), `step ${step}, ${kind}`).toEqual(toStates(lines))
    }
    await expectParts()

    function popFrame(line: ModelLine) {
      line.frame = line.frame?.below ?? null
    }

    async function decideModel(verb: ReviewVerb, chosen: string[]) {
      const present = chosen.filter((id) => !(lines.get(id) as ModelLine).isGone)
      const changed = present.filter((id) => outcomeOf(verb, stateOf(lines.get(id) as ModelLine)) === 'changes')
      const ended = await decideNow({ kind: verb, set: SET(chosen) })
      expect(ended.kind).toBe(changed.length > 0 ? 'decided' : 'nothing')
      if (ended.kind !== 'decided') return
      expect(ended).toMatchObject({ lineCount: changed.length, changedLines: changed.length, isApplied: true })
      const decided = STATE_AFTER[verb]
      for (const id of changed) {
        const line = lines.get(id) as ModelLine
        if (decided === null) popFrame(line)
        else line.frame = { decided, decision: Number(ended.number), seen: seenOf(line), below: line.frame }
      }
      if (decided !== null) made.push({ number: Number(ended.number), ids: changed })
    }

    /** Two people look at the same lines; the second one decides on what is no longer so. */
    async function race(chosen: string[]) {
      const asked: Asked = { kind: 'accept', set: SET(chosen) }
      const seen = await previewDecision(organizationId, asked)
      const states = chosen.map((id) => toStates(lines)[id])
      await decideModel(pick(['accept', 'dispute'] as const), chosen)
      const before = toStates(lines)
      const isSame = chosen.every((id, at) => before[id] === states[at])
      const ended = await decide(organizationId, people[1], {
        asked,
        ...seen,
        reason: 'agreed',
        note: null,
        expectedBack: null,
      })
      if (!isSame) expect(ended).toMatchObject({ kind: 'changed', changes: { others: [{ name: 'Ada Admin' }] } })
      else expect(ended.kind).toBe('nothing')
    }

    async function decideNow(asked: Asked) {
      const { hash, at, lastDecision } = await previewDecision(organizationId, asked)
      const reason = asked.kind === 'accept' ? 'agreed' : asked.kind === 'dispute' ? 'too_much' : null
      return decide(organizationId, people[0], {
        asked,
        hash,
        at,
        lastDecision,
        reason,
        note: null,
        expectedBack: null,
      })
    }
  },
)

/** No line stands by a decision that does not name it, and none that is named twice. */
async function expectParts() {
  const strangers = await database.query(
    `select v.line_id from line_review v where v.organization_id = $1 and not exists (
       select from decision_part p where p.organization_id = v.organization_id and p.decision = v.decision
         and p.connection_id = v.connection_id and v.line_id = any (p.line_ids) and v.line_id <> all (p.left_out))`,
    [organizationId],
  )
  expect(strangers).toEqual([])
}

test('a decision that a worker left in the middle goes on where it ended, and leaves out what changed meanwhile', async () => {
  const many = Array.from({ length: 4500 }, (_, at) =>
    makeLine({ id: `M${at}`, invoiceSerialNumber: `MANY-${Math.floor(at / 50)}`, totalAmount: decimal('140.00') }),
  )
  await seedLines(organizationId, connectionId, many)
  const query = { ...DEFAULT_LINE_QUERY, invoices: [...new Set(many.map((line) => line.invoiceSerialNumber))] }
  const asked: Asked = { kind: 'accept', set: { query } }
  const seen = await previewDecision(organizationId, asked)
  const ended = await decide(organizationId, people[0], {
    asked,
    ...seen,
    reason: 'agreed',
    note: null,
    expectedBack: null,
  })
  if (ended.kind !== 'decided') throw new Error(ended.kind)
  expect(ended).toMatchObject({ isApplied: false, changedLines: 0, lineCount: 4500 })
  const apply = () => withTenantSql(organizationId, (sql) => applyBatch(sql, organizationId, ended.number))
  expect(await apply()).toBe(2000)
  // a line of the last part changes, and somebody disputes another one
  await seedLines(organizationId, connectionId, [
    makeLine({ id: 'M4499', invoiceSerialNumber: 'MANY-89', totalAmount: decimal('150.00') }),
  ])
  const other: Asked = { kind: 'dispute', set: SET(['M4400']) }
  const disputed = await decide(organizationId, people[1], {
    asked: other,
    ...(await previewDecision(organizationId, other)),
    reason: 'too_much',
    note: null,
    expectedBack: decimal('21.00'),
  })
  expect(disputed.kind).toBe('decided')
  expect(await apply()).toBe(2000)
  expect(await apply()).toBe(498)
  expect(await apply()).toBe(0)
  const [decision] = await database.query(
    'select state, seen_lines::int as seen, changed_lines::int as changed from decision where organization_id = $1 and number = $2',
    [organizationId, ended.number],
  )
  expect(decision).toEqual({ state: 'applied', seen: 4500, changed: 4498 })
  const leftOut = await database.query<{ left: string[] }>(
    `select left_out as left from decision_part where organization_id = $1 and decision = $2 and left_out <> '{}'`,
    [organizationId, ended.number],
  )
  expect(leftOut.flatMap(({ left }) => left).sort()).toEqual(['M4400', 'M4499'])
})

test('an accepted line falls when a comparison finds that it is a copy, and is back when its original is taken back', async () => {
  const booking = {
    description: 'Hotel Adler, 2 nights',
    tripId: 'TRIP-7',
    service: 'hotel',
    totalAmount: decimal('119.00'),
  }
  const copy = makeLine({ ...booking, id: 'copy', invoiceSerialNumber: 'SECOND', issuingDate: day('2026-05-02') })
  await seedLines(organizationId, connectionId, [copy])
  const asked: Asked = { kind: 'accept', set: SET(['copy']) }
  const accept = async () =>
    decide(organizationId, people[0], {
      asked,
      ...(await previewDecision(organizationId, asked)),
      reason: 'agreed',
      note: null,
      expectedBack: null,
    })
  expect((await accept()).kind).toBe('decided')
  const original = makeLine({
    ...booking,
    id: 'original',
    invoiceSerialNumber: 'FIRST',
    issuingDate: day('2026-05-01'),
  })
  await seedLines(organizationId, connectionId, [original])
  expect(await compareLines({ organizationId, connectionId })).toBe(1)
  expect(await readStates()).toEqual({ copy: 'suspended 1', original: 'open 0' })
  const fallen = await getLineReview(organizationId, connectionId, 'copy')
  expect(fallen).toMatchObject({ state: 'suspended', previous: 'accepted', cause: 'compared' })
  await database.query(`update line set missing_since = now() where organization_id = $1 and id = 'original'`, [
    organizationId,
  ])
  expect(await compareLines({ organizationId, connectionId })).toBe(1)
  expect(await readStates()).toMatchObject({ copy: 'accepted 1' })
  const { events } = (await getLineReview(organizationId, connectionId, 'copy')) ?? { events: [] }
  expect(events.map((event) => ('cause' in event ? event.cause : event.kind))).toEqual([null, 'compared', 'accept'])
})
