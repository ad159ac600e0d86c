import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { personOf } from '#lib/audit/test-support/test-actor.ts'
import { withTenantSql } from '#lib/db/tenant.ts'
import { isWaiting } from '#lib/db/test-support/is-waiting.ts'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import type { ConnectionId, OrganizationId, UserId } from '#lib/ids.ts'
import type { CheckCode, CheckSetting } from '#lib/reconcile/checks/checks.ts'
import type { DecimalText } from '#lib/reconcile/money.ts'
import type { LineRecord } from '#lib/reconcile/records.ts'
import { DEFAULT_INVOICE_QUERY } from '../query/invoice-query.ts'
import { DEFAULT_LINE_QUERY } from '../query/line-query.ts'
import { getOverview } from '../read/get-overview.ts'
import { getProofs } from '../read/get-proofs.ts'
import { listInvoices } from '../read/list-invoices.ts'
import { listLines } from '../read/list-lines.ts'
import { previewCheck } from '../read/preview-check.ts'
import { listRollupDifferences } from '../test-support/rollup-differences.ts'
import {
  applyLines,
  day,
  decimal,
  makeInvoice,
  makeLine,
  seedConnection,
  seedInvoices,
  seedLines,
  seedOrganization,
} from '../test-support/seed.ts'
import { decideHabit, type HabitDecision, setCheck } from './change-rules.ts'
import { judgeOrganization } from './judge-lines.ts'
import { isJudged, judgeWished, wishJudgingAfterUpgrade } from './judgings.ts'
import { type IssuerHabit, listRules } from './list-rules.ts'

type Owner = { organizationId: OrganizationId; userId: UserId }

let database: TestDatabase
let acme: Owner
let beta: Owner
let account: ConnectionId
let accountOfBeta: ConnectionId

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

/**
 * 2 x 120.50 at 19 % is 45.79 per line and 45.80 per unit: a cent of tax that a habit can explain.
 */
const PER_UNIT: Partial<LineRecord> = {
  quantity: decimal('2'),
  unitPrice: decimal('120.50'),
  taxAmount: decimal('45.80'),
  totalAmount: decimal('286.80'),
}
const ODD_TAX: Partial<LineRecord> = { taxAmount: decimal('25.00'), totalAmount: decimal('125.00') }
const CENT: Partial<LineRecord> = { totalAmount: decimal('119.01') }

const LINES: Partial<LineRecord>[] = [
  { id: 'right' },
  { ...CENT, id: 'cent' },
  { id: 'euro', totalAmount: decimal('120.00') },
  { ...CENT, id: 'cent in pounds', currency: 'GBP' },
  { ...ODD_TAX, id: 'odd tax', costCenter: null },
  { id: 'both', taxAmount: decimal('19.01'), totalAmount: decimal('119.02') },
  ...['a', 'b', 'c', 'd'].map((id) => ({ ...PER_UNIT, id: `per unit ${id}` })),
  { ...PER_UNIT, id: 'per unit of another mode', invoiceMode: 'agency' },
]

beforeEach(async () => {
  acme = await seedOrganization(database.query, 'Acme')
  beta = await seedOrganization(database.query, 'Beta')
  account = await seedConnection(database.query, acme)
  accountOfBeta = await seedConnection(database.query, beta)
  await seedLines(acme.organizationId, account, LINES.map(makeLine))
  await seedLines(beta.organizationId, accountOfBeta, LINES.map(makeLine))
})

const set = (code: CheckCode, level: CheckSetting['level'], tolerance: Record<string, string> = {}) =>
  setCheck({ ...acme, actor: personOf(acme.userId) }, code, {
    level,
    tolerance: tolerance as Record<string, DecimalText>,
  })

const HABIT = {
  profileId: 'profile-1',
  invoiceMode: 'reseller',
  taxRegime: 'G-VAT-R',
  taxPercentage: decimal('19.0'),
  code: 'tax',
  convention: 'tax_per_unit',
} as const
const decide = (decision: HabitDecision) =>
  decideHabit({ ...acme, actor: personOf(acme.userId) }, { ...HABIT, connectionId: account }, decision)

const judge = () => judgeWished(new AbortController().signal)

const readLines = ({ organizationId } = acme) =>
  database.query(
    `select id, finding_codes, note_codes, explained_codes, reason_codes, difference::text, changed_at::text
     from line where organization_id = $1 order by id`,
    [organizationId],
  )
const readCodes = async (id: string) =>
  (
    await database.query(
      `select finding_codes as findings, note_codes as notes, explained_codes as explained from line
       where organization_id = $1 and id = $2`,
      [acme.organizationId, id],
    )
  )[0]

describe('a check', () => {
  test('that only notes takes its findings out of every list and sum, and gives them back', async () => {
    const before = await readLines()
    const ofBeta = await readLines(beta)
    await set('line_tax', 'note')
    expect(await isJudged(acme.organizationId)).toBe(false)
    expect(await judge()).toBe(1)
    expect(await isJudged(acme.organizationId)).toBe(true)
    expect(await readCodes('odd tax')).toEqual({ findings: [], notes: ['no_cost_center', 'tax'], explained: [] })
    expect(await readCodes('both')).toMatchObject({ findings: ['total'], notes: ['tax'] })

    const found = await listLines(acme.organizationId, { ...DEFAULT_LINE_QUERY, findingsOnly: true })
    expect(found.rows.map(({ id }) => id).sort()).toEqual(['both', 'cent', 'cent in pounds', 'euro'])
    const overview = await getOverview(acme.organizationId, day('2026-01-01'))
    expect(overview.currencies.map(({ currency, findingCount }) => [currency, findingCount])).toEqual([
      ['EUR', 3],
      ['GBP', 1],
    ])
    expect(overview.findings.reduce((count, { lineCount }) => count + lineCount, 0)).toBe(4)
    expect(await listRollupDifferences(database.query)).toEqual([])

    await set('line_tax', 'finding')
    await judge()
    expect(await readLines()).toEqual(before)
    expect(await readLines(beta)).toEqual(ofBeta)
    expect(await listRollupDifferences(database.query)).toEqual([])
    expect(await database.query('select from line_version')).toEqual([])
  })

  test('that is off says nothing; a tolerance notes what is within it, in its currency', async () => {
    await set('line_tax', 'off')
    await set('line_total', 'finding', { EUR: '0.05' })
    await judge()
    expect(await readCodes('odd tax')).toMatchObject({ findings: [], notes: ['no_cost_center'] })
    expect(await readCodes('cent')).toMatchObject({ findings: [], notes: ['total'] })
    expect(await readCodes('cent in pounds')).toMatchObject({ findings: ['total'], notes: [] })
    expect(await readCodes('euro')).toMatchObject({ findings: ['total'], notes: [] })
  })

  test('says before it is changed what moves, exactly as the change then does', async () => {
    const levels = async () => {
      const rows = await database.query<{ findings: number; notes: number }>(
        `select count(*) filter (where 'total' = any(finding_codes))::int as findings,
                count(*) filter (where 'total' = any(note_codes))::int as notes from line where organization_id = $1`,
        [acme.organizationId],
      )
      return rows[0] as { findings: number; notes: number }
    }
    const setting = { level: 'finding' as const, tolerance: { EUR: decimal('0.05') } }
    const before = await levels()
    expect(await previewCheck(acme.organizationId, 'line_total', setting)).toEqual([
      { from: 'finding', to: 'note', count: 2, sums: [{ currency: 'EUR', amount: '0.02' }] },
    ])
    expect(await levels()).toEqual(before)
    await set('line_total', 'finding', { EUR: '0.05' })
    await judge()
    expect(await levels()).toEqual({ findings: before.findings - 2, notes: before.notes + 2 })
    // the same again changes nothing; off takes the rest, and the note
    expect(await previewCheck(acme.organizationId, 'line_total', setting)).toEqual([])
    const off = await previewCheck(acme.organizationId, 'line_total', { level: 'off', tolerance: {} })
    expect(off.map(({ from, to, count }) => [from, to, count])).toEqual([
      ['finding', 'off', before.findings - 2],
      ['note', 'off', 2],
    ])
    await set('line_total', 'off')
    await judge()
    expect(await levels()).toEqual({ findings: 0, notes: 0 })
    // what nobody hears of would be heard again
    const back = await previewCheck(acme.organizationId, 'line_total', { level: 'finding', tolerance: {} })
    expect(back.map(({ from, to, count }) => [from, to, count])).toEqual([['off', 'finding', before.findings]])
  })

  test('judges a line that arrives later as it judges those that are here', async () => {
    await set('line_total', 'note')
    await judge()
    await seedLines(acme.organizationId, account, [makeLine({ ...CENT, id: 'later' }), makeLine({ id: 'fine' })])
    expect(await readCodes('later')).toEqual({ findings: [], notes: ['total'], explained: [] })
    expect(await listRollupDifferences(database.query)).toEqual([])
    // and one that is written anew
    await seedLines(acme.organizationId, account, [makeLine({ id: 'right', totalAmount: decimal('119.02') })])
    expect(await readCodes('right')).toMatchObject({ findings: [], notes: ['total'] })
  })

  test('is kept with who set it and when; setting what is set changes nothing', async () => {
    await set('invoice_total', 'note', { EUR: '0.10' })
    await set('invoice_total', 'note', { EUR: '0.10' })
    await set('line_total', 'finding')
    const kept = await database.query('select changed_by_name from check_setting where organization_id = $1', [
      acme.organizationId,
    ])
    expect(kept).toEqual([{ changed_by_name: 'Ada Admin' }])
    const { checks } = await listRules(acme.organizationId)
    expect(checks).toEqual([
      {
        code: 'invoice_total',
        level: 'note',
        tolerance: { EUR: '0.10' },
        changedByName: 'Ada Admin',
        changedAt: expect.stringMatching(/^\d{4}-/),
      },
    ])
    expect((await listRules(beta.organizationId)).checks).toEqual([])
    await expect(database.query('update check_setting set level = $1', ['off'])).rejects.toThrow('append-only')
    await expect(database.query('delete from check_setting')).rejects.toThrow('append-only')
  })

  test('of invoices changes their findings at once, in the list, its filter and the overview', async () => {
    await seedInvoices(acme.organizationId, account, [
      makeInvoice({ serialNumber: 'INV-01-0001', total: decimal('9999.00') }),
      makeInvoice({ serialNumber: 'INV-02', dueDate: day('2026-01-01'), total: decimal('0') }),
    ])
    const list = async () => {
      const query = { ...DEFAULT_INVOICE_QUERY, findingsOnly: true }
      const { rows } = await listInvoices(acme.organizationId, query)
      const { tieOut } = await getProofs(acme.organizationId, new Date('2026-04-01'))
      return {
        rows: rows.map(({ serialNumber, check }) => [serialNumber, check.findings.map(({ code }) => code)]),
        counts: tieOut.findings.map(({ code, invoiceCount }) => [code, invoiceCount]),
      }
    }
    expect((await list()).counts).toContainEqual(['due_before_issued', 1])
    const preview = (level: CheckSetting['level']) =>
      previewCheck(acme.organizationId, 'invoice_due_before_issued', { level, tolerance: {} })
    expect(await preview('note')).toEqual([{ from: 'finding', to: 'note', count: 1, sums: [] }])
    await set('invoice_due_before_issued', 'note')
    expect(await preview('off')).toEqual([{ from: 'note', to: 'off', count: 1, sums: [] }])
    const after = await list()
    expect(after.counts).not.toContainEqual(['due_before_issued', 1])
    expect(after.rows.map(([serial]) => serial)).toEqual(['INV-01-0001'])
    expect(await isJudged(acme.organizationId)).toBe(true)
    const { rows } = await listInvoices(acme.organizationId, DEFAULT_INVOICE_QUERY)
    expect(rows.find(({ serialNumber }) => serialNumber === 'INV-02')?.check.notes).toEqual([
      { code: 'due_before_issued', amount: null },
    ])
  })
})

describe('a habit', () => {
  const ofIssuer = ({ habits }: { habits: IssuerHabit[] }) => habits.map(({ code, invoiceMode }) => [code, invoiceMode])

  test('is proposed with its counts where nearly all failed lines of the issuer fit, and explains nothing yet', async () => {
    // the other lines of the issuer are not of this kind
    await database.query(`delete from line where id in ('odd tax', 'both')`)
    const { habits, currencies } = await listRules(acme.organizationId)
    expect(ofIssuer({ habits })).toEqual([['tax', 'reseller']])
    expect(habits[0]).toMatchObject({
      connectionId: account,
      connectionName: 'Acme Europe',
      profileName: 'Acme GmbH',
      taxRegime: 'G-VAT-R',
      taxPercentage: '19',
      lineCount: 8,
      failedCount: 4,
      invoiceCount: 1,
      proposal: { convention: 'tax_per_unit', fitting: 4, rivals: ['tax_per_unit_half_even'] },
      decision: null,
    })
    expect(currencies).toEqual(['EUR', 'GBP'])
    expect(await readCodes('per unit a')).toMatchObject({ explained: [] })
  })

  test('that was accepted explains the lines of its issuer alone, also those that arrive later; withdrawn, none', async () => {
    const before = await readLines()
    const ofBeta = await readLines(beta)
    expect(await decide('accepted')).toBe(true)
    await judge()
    expect(await readCodes('per unit a')).toMatchObject({ findings: ['tax'], explained: ['tax'] })
    expect(await readCodes('per unit of another mode')).toMatchObject({ findings: ['tax'], explained: [] })
    await seedLines(acme.organizationId, account, [makeLine({ ...PER_UNIT, id: 'later' })])
    expect(await readCodes('later')).toMatchObject({ explained: ['tax'] })
    const explained = await listLines(acme.organizationId, { ...DEFAULT_LINE_QUERY, outcomes: ['explained'] })
    expect(explained.lineCount).toBe(5)
    const { habits } = await listRules(acme.organizationId)
    expect(habits[0]?.decision).toMatchObject({ decision: 'accepted', fitting: 5, byName: 'Ada Admin' })
    expect(habits[0]?.failedCount).toBe(7)

    await decide('withdrawn')
    await judge()
    expect((await readLines()).filter(({ id }) => id !== 'later')).toEqual(before)
    expect(await readLines(beta)).toEqual(ofBeta)
    expect((await listRules(acme.organizationId)).habits[0]?.decision?.decision ?? 'withdrawn').toBe('withdrawn')
  })

  test('that was declined changes no line; one of another organization’s account is not stored', async () => {
    const before = await readLines()
    expect(await decide('declined')).toBe(true)
    expect(await judge()).toBe(0)
    expect(await readLines()).toEqual(before)
    expect(
      await decideHabit(
        { ...acme, actor: personOf(acme.userId) },
        { ...HABIT, connectionId: accountOfBeta },
        'accepted',
      ),
    ).toBe(false)
    expect(
      await database.query('select from habit_decision where organization_id = $1', [acme.organizationId]),
    ).toHaveLength(1)
  })
})

/** Resolves when nothing counts on a line any more. */
async function untilJudged(id: string): Promise<void> {
  for (const deadline = Date.now() + 10_000; ; ) {
    const codes = await readCodes(id)
    if ((codes as { findings: string[] }).findings.length === 0) return
    expect(Date.now(), `${id} is judged in time`).toBeLessThan(deadline)
  }
}

describe('judging', () => {
  test('leaves a line that another transaction holds, and comes back to it', async () => {
    await set('line_tax', 'off')
    let judging: Promise<number> | undefined
    await withTenantSql(acme.organizationId, async (sql) => {
      await sql(`select from line where organization_id = $1 and id = 'odd tax' for update`, [acme.organizationId])
      judging = judgeOrganization(acme.organizationId)
      await untilJudged('per unit a')
      expect(await readCodes('odd tax')).toMatchObject({ findings: ['tax'] })
    })
    await judging
    expect(await readCodes('odd tax')).toMatchObject({ findings: [] })
  })

  test('a line that changed while it was judged is judged by its new figures', async () => {
    await set('line_tax', 'note')
    let judging: Promise<number> | undefined
    await withTenantSql(acme.organizationId, async (sql) => {
      await sql('select from connection_tally where organization_id = $1 for update', [acme.organizationId])
      judging = judgeOrganization(acme.organizationId)
      // it has read the lines, and waits for its turn to store
      for (const deadline = Date.now() + 10_000; !(await isWaiting(database, 'connection_tally')); )
        expect(Date.now(), 'judging has to wait').toBeLessThan(deadline)
      const changed = makeLine({ ...CENT, id: 'odd tax' })
      await applyLines(sql, { organizationId: acme.organizationId, connectionId: account, lines: [changed] })
    })
    await judging
    expect(await readCodes('odd tax')).toMatchObject({ findings: ['total'], notes: [] })
    expect(await readCodes('both')).toMatchObject({ findings: ['total'], notes: ['tax'] })
    expect(await listRollupDifferences(database.query)).toEqual([])
  })

  test('a rule waits for lines that are being written, and those after it are written by it', async () => {
    let changing: Promise<void> | undefined
    // of an account that has no tally yet, whose row would keep the rule waiting by itself
    const first = await seedConnection(database.query, acme)
    await withTenantSql(acme.organizationId, async (sql) => {
      const owner = { organizationId: acme.organizationId, connectionId: first }
      await applyLines(sql, { ...owner, lines: [makeLine({ ...CENT, id: 'before' })] })
      changing = set('line_total', 'note')
      const waiting = () =>
        database.query(`select from pg_locks where locktype = 'advisory' and not granted
          and database = (select oid from pg_database where datname = current_database())`)
      for (const deadline = Date.now() + 10_000; (await waiting()).length === 0; )
        expect(Date.now(), 'the rule has to wait').toBeLessThan(deadline)
    })
    await changing
    await seedLines(acme.organizationId, first, [makeLine({ ...CENT, id: 'after' })])
    expect(await readCodes('after')).toMatchObject({ notes: ['total'] })
    await judge()
    expect(await readCodes('before')).toMatchObject({ notes: ['total'] })
  })

  test('that was broken off stays wished for, and another worker ends it', async () => {
    await set('line_tax', 'off')
    const stopping = new AbortController()
    await withTenantSql(acme.organizationId, async (sql) => {
      await sql(`select from line where organization_id = $1 and id = 'odd tax' for update`, [acme.organizationId])
      const broken = judgeWished(stopping.signal)
      await untilJudged('per unit a')
      // in the middle: one line is still held
      stopping.abort()
      await broken
    })
    expect(await isJudged(acme.organizationId)).toBe(false)
    await Promise.all([judge(), judge()])
    expect(await isJudged(acme.organizationId)).toBe(true)
    expect(await readCodes('odd tax')).toMatchObject({ findings: [] })
  })

  test('after lines and rules changed at the same time, each line is as today’s rules say', async () => {
    const write = async () => {
      for (let round = 0; round < 12; round += 1)
        await withTenantSql(acme.organizationId, (sql) =>
          applyLines(sql, {
            organizationId: acme.organizationId,
            connectionId: account,
            lines: [0, 1, 2, 3].map((at) =>
              makeLine({ ...(at % 2 ? PER_UNIT : ODD_TAX), id: `${round} ${at}`, costCenter: null }),
            ),
          }),
        )
    }
    const change = async () => {
      for (const level of ['off', 'note', 'finding', 'off', 'note'] as const) {
        await set('line_tax', level)
        await decide(level === 'note' ? 'accepted' : 'withdrawn')
      }
    }
    await Promise.all([write(), change(), judge(), judge()])
    await judge()
    const after = await readLines()
    expect(await judgeOrganization(acme.organizationId)).toBe(0)
    const arrived = after.filter(({ id }) => /^\d/.test(id as string))
    expect(arrived).toHaveLength(48)
    for (const { finding_codes, note_codes } of arrived) {
      expect(finding_codes).toEqual([])
      expect(note_codes).toEqual(['no_cost_center', 'tax'])
    }
    expect(await listRollupDifferences(database.query)).toEqual([])
  })

  test('finds the reasons of findings that were stored without them, for every organization', async () => {
    const before = [await readLines(), await readLines(beta)]
    await database.query('update line set explained_codes = null, reason_codes = null')
    await wishJudgingAfterUpgrade()
    await judge()
    const known = (lines: Record<string, unknown>[]) => lines.filter(({ id }) => id !== 'right')
    expect([known(await readLines()), known(await readLines(beta))]).toEqual(before.map(known))
  })
})
