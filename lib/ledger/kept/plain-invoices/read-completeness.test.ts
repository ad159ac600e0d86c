import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Sql, withTenantSql } from '#lib/db/tenant.ts'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import type { Verdict } from '#lib/reconcile/completeness.ts'
import { INVOICE_FINDING_CODES } from '#lib/reconcile/invoice-finding.ts'
import {
  addDecimals,
  compareDecimals,
  type DecimalText,
  negateDecimal,
  subtractDecimals,
  sumDecimals,
} from '#lib/reconcile/money.ts'
import { type Period, parsePeriod } from '#lib/reconcile/period.ts'
import type { InvoiceRecord, LineRecord, TaxSummary } from '#lib/reconcile/records.ts'
import { INVOICE_STATES, stateOf } from '#lib/reconcile/verdict.ts'
import type { InvoiceCheck } from '../../model.ts'
import { DEFAULT_INVOICE_QUERY, type InvoiceQuery } from '../../query/invoice-query.ts'
import { EVERYTHING, type LedgerScope } from '../../query/ledger-scope.ts'
import { countInvoices, listMonths, toCoverage } from '../../read/coverage-cells.ts'
import { listInvoices } from '../../read/list-invoices.ts'
import { readTieOut } from '../../read/tie-out.ts'
import {
  day,
  decimal,
  makeInvoice,
  makeLine,
  seedConnection,
  seedInvoices,
  seedLines,
  seedOrganization,
} from '../../test-support/seed.ts'
import { createRandom } from '../../test-support/seed-varied-lines.ts'
import { notePlainInvoices } from './note-plain-invoices.ts'
import {
  type CompletenessSurvey,
  type InvoiceCompleteness,
  type InvoiceKey,
  readCompleteness,
  surveyCompleteness,
  toInvoiceCheck,
} from './read-completeness.ts'

const INVOICES_PER_ACCOUNT = 2_000
const MONTHS = listMonths('2025-12', '2026-11')
const VERDICTS: Verdict[] = ['complete', 'explained', 'differs', 'lines_missing', 'not_provided']

let database: TestDatabase
let organizationId: OrganizationId
let accounts: ConnectionId[]
const random = createRandom(19)
const pick = <T>(from: readonly T[]) => from[random(from.length)] as T
const toKey = ({ connectionId, serialNumber }: InvoiceKey) => `${connectionId} ${serialNumber}`

/** An invoice beside its lines, before and after somebody meddled with them. */
type Draft = {
  invoice: { -readonly [Field in keyof InvoiceRecord]: InvoiceRecord[Field] }
  lines: LineRecord[]
  /** How many lines it says it has, or the lines themselves; null if it does not say. */
  statedLines: number | null
  isGone: boolean
  goneLineIds: string[]
  rejectedLines: number
}

const PRICES = ['10.00', '10.00', '20.50', '-10.00', '0.00', '7.005', '33.33333333']
const TAXES = ['0', '0.00', '1.90', '1.905']

/** An invoice that agrees with its lines in everything that it says. */
function makeDraft(serialNumber: string): Draft {
  const currency = pick(['EUR', 'EUR', 'EUR', 'JPY', 'KWD', 'XXX'])
  const issuingDate = random(12) === 0 ? null : day(`${pick(MONTHS)}-${pick(['01', '15', '28'])}`)
  const profileId = pick(['profile-1', 'profile-2', null])
  const lines = Array.from({ length: random(5) }, () => {
    const [price, tax] = [decimal(pick(PRICES)), decimal(pick(TAXES))]
    return makeLine({
      invoiceSerialNumber: serialNumber,
      currency,
      issuingDate,
      profileId,
      invoiceStatus: pick(['paid', 'paid', 'unpaid']),
      unitPrice: price,
      taxRegime: pick(['G-VAT-R', 'G-VAT-R', 'STAR', null]),
      taxPercentage: decimal(pick(['19', '19.00', '7'])),
      taxAmount: tax,
      totalAmount: addDecimals(price, tax),
    })
  })
  const invoice = makeInvoice({
    serialNumber,
    profileId,
    issuingDate,
    dueDate: day('2026-12-31'),
    currency,
    total: sumDecimals(lines.map(({ totalAmount }) => totalAmount)),
    taxesSummary: random(3) === 0 ? [] : summarize(lines),
  })
  const statedLines = random(3) === 0 ? null : lines.length
  return { invoice, lines, statedLines, isGone: false, goneLineIds: [], rejectedLines: 0 }
}

/** The taxes of lines as a platform states them: by regime and rate. */
function summarize(lines: readonly LineRecord[]): TaxSummary[] {
  const keyOf = ({ taxRegime, taxPercentage }: LineRecord) => `${taxRegime} ${Number(taxPercentage)}`
  return [...new Set(lines.map(keyOf))].map((key) => {
    const own = lines.filter((line) => keyOf(line) === key)
    const taxAmount = sumDecimals(own.map((line) => line.taxAmount))
    const total = sumDecimals(own.map((line) => line.totalAmount))
    return {
      taxRegime: own[0]?.taxRegime ?? null,
      taxPercentage: own[0]?.taxPercentage ?? null,
      subtotal: subtractDecimals(total, taxAmount),
      taxAmount,
      total,
    }
  })
}

const CENT = decimal('0.01')

/** What can be wrong, or only look so: by one step each. */
const MEDDLINGS: Record<string, (draft: Draft) => void> = {
  'a total a cent off': ({ invoice }) => {
    invoice.total = addDecimals(invoice.total, CENT)
  },
  'a rounded total': ({ invoice }) => {
    invoice.total = decimal(Number(invoice.total).toFixed(pick([0, 2, 3])))
  },
  'a total with more decimals': ({ invoice }) => {
    invoice.total = addDecimals(invoice.total, decimal('0.0000000000'))
  },
  'credit used': ({ invoice }) => {
    invoice.creditUsed = pick([decimal('5.00'), decimal('-5.00')])
    invoice.total = subtractDecimals(invoice.total, decimal('5'))
  },
  'credit that changes nothing': ({ invoice }) => {
    invoice.creditUsed = pick([decimal('0.00'), CENT])
  },
  'another count': (draft) => {
    draft.statedLines = draft.lines.length + pick([-1, 1])
  },
  'a line in another currency': ({ lines }) => {
    if (lines[0] !== undefined) lines[0] = { ...lines[0], currency: 'GBP' }
  },
  'only lines in another currency': ({ lines }) => {
    for (const [at, line] of lines.entries()) lines[at] = { ...line, currency: 'GBP' }
  },
  'a line issued on another day': ({ lines }) => {
    if (lines[0] !== undefined) lines[0] = { ...lines[0], issuingDate: pick([day('2025-12-31'), day('2026-12-01')]) }
  },
  'a rejected line': (draft) => {
    draft.rejectedLines = 1
  },
  'a line gone from the platform': (draft) => {
    if (draft.lines[0] !== undefined) draft.goneLineIds.push(draft.lines[0].id)
  },
  'gone from the platform': (draft) => {
    draft.isGone = true
  },
  'credit above zero': ({ invoice }) => {
    invoice.mode = 'credit-reseller'
  },
  'due before issued': ({ invoice }) => {
    invoice.dueDate = day('2025-11-30')
  },
  'no taxes stated': ({ invoice }) => {
    invoice.taxesSummary = []
  },
  'taxes stated twice': ({ invoice }) => {
    invoice.taxesSummary = [...invoice.taxesSummary, ...invoice.taxesSummary]
  },
  'one tax in the place of another': ({ invoice }) => {
    const [first, ...others] = invoice.taxesSummary
    invoice.taxesSummary =
      first === undefined ? [] : [first, ...others.slice(1), ...others.slice(0, 1).map(() => first)]
  },
  'a tax too many': ({ invoice }) => {
    invoice.taxesSummary = [...invoice.taxesSummary, ...summarize([makeLine({ taxRegime: 'STAR' })])]
  },
  'a tax too few': ({ invoice }) => {
    invoice.taxesSummary = invoice.taxesSummary.slice(1)
  },
  'taxes without regimes': (draft) => changeTaxes(draft, () => ({ taxRegime: null })),
  'taxes without rates': (draft) => changeTaxes(draft, () => ({ taxPercentage: null })),
  'taxes without totals': (draft) => changeTaxes(draft, () => ({ total: null, ...pick([{}, { subtotal: null }]) })),
  'taxes without amounts': (draft) => changeTaxes(draft, () => ({ taxAmount: null })),
  'another regime': (draft) => changeTaxes(draft, () => ({ taxRegime: 'other' })),
  'another rate': (draft) => changeTaxes(draft, () => ({ taxPercentage: decimal('5') })),
  'a tax a cent off': (draft) => changeTaxes(draft, ({ taxAmount }) => ({ taxAmount: add(taxAmount, CENT) })),
  'a tax far off': (draft) => changeTaxes(draft, ({ taxAmount }) => ({ taxAmount: add(taxAmount, decimal('3')) })),
  'a taxed total a cent off': (draft) => changeTaxes(draft, ({ total }) => ({ total: add(total, CENT) })),
  'the other sign': (draft) => changeTaxes(draft, ({ total }) => ({ total: total && negateDecimal(total) })),
  'taxes with more decimals': (draft) => changeTaxes(draft, ({ total }) => ({ total: add(total, decimal('0.00000')) })),
}

/** Changes one of the stated taxes, or all. */
function changeTaxes({ invoice }: Draft, change: (tax: TaxSummary) => Partial<TaxSummary>): void {
  const only = pick([0, null])
  invoice.taxesSummary = invoice.taxesSummary.map((tax, at) =>
    only === null || only === at ? { ...tax, ...change(tax) } : tax,
  )
}

function add(a: DecimalText | null, b: DecimalText): DecimalText | null {
  return a && addDecimals(a, b)
}

async function store(connectionId: ConnectionId, drafts: readonly Draft[]): Promise<void> {
  const invoices = drafts.map(({ invoice, statedLines }) =>
    makeInvoice({
      ...invoice,
      contentHash: undefined,
      raw: JSON.stringify(statedLines === null ? {} : { lines: { total: Math.max(0, statedLines) } }),
    }),
  )
  await seedInvoices(organizationId, connectionId, invoices)
  await seedLines(
    organizationId,
    connectionId,
    drafts.flatMap(({ lines }) => lines.map((line) => makeLine(line))),
  )
  const named = (wanted: (draft: Draft) => boolean) => drafts.filter(wanted).map(({ invoice }) => invoice.serialNumber)
  await database.query(
    'update invoice set missing_since = now() where connection_id = $1 and serial_number = any($2::text[])',
    [connectionId, named(({ isGone }) => isGone)],
  )
  await database.query('update line set missing_since = now() where connection_id = $1 and id = any($2::text[])', [
    connectionId,
    drafts.flatMap(({ goneLineIds }) => goneLineIds),
  ])
  await database.query(
    `insert into rejected_line (organization_id, connection_id, list, raw_hash, raw, invoice_serial_number, reason, path, first_run_id)
     select $1, $2, 'lines', serial, '{}', serial, 'invalid', '', gen_random_uuid() from unnest($3::text[]) serial`,
    [organizationId, connectionId, named(({ rejectedLines }) => rejectedLines > 0)],
  )
  await database.query(
    `insert into line_comparison (organization_id, connection_id, line_id, code, invoice_serial_number, other_line_id,
       other_invoice_serial_number, currency, amount)
     select organization_id, connection_id, id, code, invoice_serial_number, other, other, currency, 1
     from line, (values ('duplicate_line', 'x'), ('refund_above_original', 'x'), ('refund_without_original', null)) found (code, other)
     where connection_id = $1 and md5(id || code) < '028'`,
    [connectionId],
  )
}

beforeAll(async () => {
  database = await createTestDatabase()
  const owner = await seedOrganization(database.query)
  organizationId = owner.organizationId
  accounts = [await seedConnection(database.query, owner), await seedConnection(database.query, owner, 'Acme Asia')]
  for (const connectionId of accounts) {
    const drafts = Array.from({ length: INVOICES_PER_ACCOUNT }, (_, at) => {
      const draft = makeDraft(`INV-01-${String(at).padStart(6, '0')}`)
      for (let times = pick([0, 1, 1, 1, 2, 3]); times > 0; times--) pick(Object.values(MEDDLINGS))(draft)
      return draft
    })
    await store(connectionId, drafts)
  }
  // as a backfill does: without, the database guesses that there is next to nothing to read
  await database.query('analyze')
}, 120_000)
afterAll(() => database.drop())

/** Every invoice, proved one by one, once for all tests: none of them changes what is proved. */
const proveAll = () => {
  all ??= proveEach()
  return all
}
let all: Promise<InvoiceCompleteness[]> | undefined

async function proveEach(): Promise<InvoiceCompleteness[]> {
  const invoices = await database.query<InvoiceKey & Record<string, unknown>>(
    `select connection_id as "connectionId", serial_number as "serialNumber" from invoice where organization_id = $1`,
    [organizationId],
  )
  return withTenantSql(organizationId, (sql) => readCompleteness(sql, organizationId, invoices))
}

test('what SQL takes as plainly complete, the proof finds complete; everything else is proved', async () => {
  const all = await proveAll()
  expect(all).toHaveLength(accounts.length * INVOICES_PER_ACCOUNT)
  const { plain, proved } = await withTenantSql(organizationId, (sql) => surveyCompleteness(sql, organizationId, {}))
  const byKey = new Map(proved.map((invoice) => [toKey(invoice), invoice]))
  const unproved = all.filter((invoice) => !byKey.has(toKey(invoice)))
  expect(unproved.filter(({ completeness }) => completeness.verdict !== 'complete')).toEqual([])
  expect(unproved.filter(({ findings, tieOut }) => findings.length > 0 || Number(tieOut.difference) !== 0)).toEqual([])
  for (const invoice of all) if (byKey.has(toKey(invoice))) expect(byKey.get(toKey(invoice))).toEqual(invoice)
  expect(plain.reduce((sum, { invoiceCount }) => sum + invoiceCount, 0)).toBe(unproved.length)
  // the sample is worth something only if each outcome is frequent, and most of the plain are seen
  const count = (of: InvoiceCompleteness[], verdict: Verdict) =>
    of.filter(({ completeness }) => completeness.verdict === verdict).length
  for (const verdict of VERDICTS) expect(count(proved, verdict)).toBeGreaterThan(50)
  expect(unproved.length).toBeGreaterThan(count(proved, 'complete'))
  expect(unproved.filter(({ completeness }) => completeness.taxes.outcome === 'agrees').length).toBeGreaterThan(200)
  expect(unproved.filter(({ isGone }) => isGone).length).toBeGreaterThan(20)
})

const survey = (sql: Sql) => surveyCompleteness(sql, organizationId, {})

const inOrder = ({ plain, proved }: CompletenessSurvey) => ({
  plain: plain.map((each) => JSON.stringify(each)).sort(),
  proved: proved.map((each) => JSON.stringify(each)).sort(),
})

async function judgeAll(): Promise<number> {
  let noted = 0
  for (const connectionId of accounts) noted += await notePlainInvoices({ organizationId, connectionId })
  return noted
}

test('judged invoices are surveyed as those are that nobody has judged, and are judged once', async () => {
  const before = await withTenantSql(organizationId, survey)
  const plainCount = before.plain.reduce((sum, { invoiceCount }) => sum + invoiceCount, 0)
  expect(await judgeAll()).toBe(plainCount)
  expect(inOrder(await withTenantSql(organizationId, survey))).toEqual(inOrder(before))
  const listNotes = () => database.query('select serial_number, note from doubtful_invoice order by note')
  const notes = await listNotes()
  expect(notes).toHaveLength(before.proved.length)
  expect(await judgeAll()).toBe(0)
  expect(await listNotes()).toEqual(notes)
})

test('plain and proved invoices make the same calendar as all invoices proved', async () => {
  const all = await proveAll()
  const profiles = ['profile-1', 'profile-2', null].map((id) => ({ id, name: id, currency: null, firstMonth: null }))
  const scopes = [
    { scope: {}, mine: all },
    ...accounts.map((connectionId) => ({
      scope: { connectionId },
      mine: all.filter((invoice) => invoice.connectionId === connectionId),
    })),
  ]
  for (const { scope, mine } of scopes) {
    const survey = await withTenantSql(organizationId, (sql) => surveyCompleteness(sql, organizationId, scope))
    const calendar = toCoverage(MONTHS, profiles, countInvoices(survey), [])
    expect(calendar).toEqual(toCoverage(MONTHS, profiles, countInvoices({ plain: [], proved: mine }), []))
    expect(calendar.flatMap(({ cells }) => cells).reduce((sum, { invoiceCount }) => sum + invoiceCount, 0)).toBe(
      mine.filter(({ issuingDate, isGone }) => issuingDate !== null && !isGone).length,
    )
  }
})

const tieOut = (scope?: LedgerScope) =>
  withTenantSql(organizationId, async (sql) =>
    readTieOut(sql, organizationId, await surveyCompleteness(sql, organizationId, {}), scope),
  )

test.each(['2026', '2026-Q1', '2026-02', '2031'])(
  'the tie-out of %s has the lines and invoices issued then, of all accounts or of one, and each difference',
  async (text) => {
    const period = parsePeriod(text) as Period
    for (const connectionId of [null, accounts[0] as ConnectionId]) {
      const { currencies } = await tieOut({
        ...EVERYTHING,
        from: period.from,
        to: period.to,
        dateField: 'issued',
        connections: connectionId === null ? [] : [connectionId],
      })
      const sumUp = async (table: string, amount: string) =>
        database.query(
          `select currency, count(*)::int as count, sum(${amount})::text as amount from ${table}
           where organization_id = $1 and missing_since is null and issuing_date between $2 and $3
             and ($4::uuid is null or connection_id = $4) group by 1 order by 1`,
          [organizationId, period.from, period.to, connectionId],
        )
      const [held, stated] = [await sumUp('line', 'total_amount'), await sumUp('invoice', 'total')]
      const toRows = (name: 'lines' | 'invoices') =>
        currencies
          .filter((each) => each[name].count > 0)
          .map(({ currency, [name]: { count, amount } }) => [currency, count, Number(amount)])
      const toNumbers = (rows: Record<string, unknown>[]) =>
        rows.map(({ currency, count, amount }) => [currency, count, Number(amount)])
      expect(toRows('lines')).toEqual(toNumbers(held))
      expect(toRows('invoices')).toEqual(toNumbers(stated))
      expect(held.length > 0).toBe(text !== '2031')
      for (const { openInvoices, stray, difference, explained, unexplained } of currencies) {
        expect(addDecimals(sumDecimals(explained.map(({ amount }) => amount)), unexplained)).toBe(difference)
        const open = sumDecimals(openInvoices.map((invoice) => invoice.unexplained))
        expect(compareDecimals(subtractDecimals(open, stray.amount), unexplained)).toBe(0)
      }
    }
  },
)

test('every line and invoice is in the tie-out once, and each difference is explained or not', async () => {
  const { currencies, findings } = await tieOut()
  const [held, stated, removed] = await Promise.all([
    database.query(
      `select currency, count(*)::int as count, sum(total_amount)::text as amount from line
       where organization_id = $1 and missing_since is null group by 1 order by 1`,
      [organizationId],
    ),
    database.query(
      `select currency, count(*)::int as count, sum(total)::text as amount, coalesce(sum(abs(credit_used)), 0)::text as credit
       from invoice where organization_id = $1 and missing_since is null group by 1 order by 1`,
      [organizationId],
    ),
    database.query(
      `select currency, count(*)::int as count, sum(total_amount)::text as amount from line
       where organization_id = $1 and missing_since is not null group by 1 order by 1`,
      [organizationId],
    ),
  ])
  const stray = await database.query(
    `select l.currency, count(*)::int as count, sum(l.total_amount)::text as amount
     from line l left join invoice i on i.organization_id = $1 and i.connection_id = l.connection_id and i.serial_number = l.invoice_serial_number
       and i.missing_since is null
     where l.organization_id = $1 and l.missing_since is null and (i.currency = l.currency) is not true group by 1 order by 1`,
    [organizationId],
  )
  expect(stray.length).toBeGreaterThan(2)
  const toNumbers = (rows: { currency?: unknown; count?: unknown; amount?: unknown }[]) =>
    rows.map(({ currency, count, amount }) => [currency, count, Number(amount)])
  expect(toNumbers(currencies.map(({ currency, lines }) => ({ currency, ...lines })))).toEqual(toNumbers(held))
  expect(
    toNumbers(
      currencies
        .filter(({ invoices }) => invoices.count > 0)
        .map(({ currency, invoices }) => ({ currency, ...invoices })),
    ),
  ).toEqual(toNumbers(stated))
  expect(toNumbers(currencies.map((each) => ({ currency: each.currency, ...each.removed })))).toEqual(
    toNumbers(removed),
  )
  expect(
    toNumbers(
      currencies.filter((each) => each.stray.count > 0).map((each) => ({ currency: each.currency, ...each.stray })),
    ),
  ).toEqual(toNumbers(stray))
  for (const each of currencies) {
    const credit = stated.find(({ currency }) => currency === each.currency)?.credit ?? '0'
    expect(Number(each.creditUsed.amount), each.currency).toBe(Number(credit))
    const { lines, notImported, creditUsed, comesTo, invoices, difference, explained, unexplained } = each
    expect(subtractDecimals(addDecimals(lines.amount, notImported.amount), creditUsed.amount)).toBe(comesTo)
    expect(subtractDecimals(invoices.amount, comesTo)).toBe(difference)
    expect(addDecimals(sumDecimals(explained.map(({ amount }) => amount)), unexplained)).toBe(difference)
    // what is unexplained are the open invoices and the lines that are in no invoice
    const open = sumDecimals(each.openInvoices.map((invoice) => invoice.unexplained))
    expect(subtractDecimals(open, each.stray.amount)).toBe(unexplained)
  }
  const all = (await proveAll()).filter(({ isGone }) => !isGone)
  const counted = INVOICE_FINDING_CODES.map((code) => ({
    code,
    invoiceCount: all.filter((invoice) => invoice.findings.some((finding) => finding.code === code)).length,
  }))
  expect(findings.map(({ code, invoiceCount }) => ({ code, invoiceCount }))).toEqual(counted)
  // the sample is worth something only if each is frequent
  for (const { code, invoiceCount } of counted) expect(invoiceCount, code).toBeGreaterThan(20)
})

/** Once for all codes: to list changes nothing. */
const readFindings = () => {
  whole ??= tieOut()
  return whole
}
let whole: ReturnType<typeof tieOut> | undefined

test.each(INVOICE_FINDING_CODES)('the list finds the invoices with the finding %s', async (code) => {
  const { findings } = await readFindings()
  const found = await listInvoices(organizationId, { ...DEFAULT_INVOICE_QUERY, findings: [code] })
  expect(found.invoiceCount).toBe(findings.find((finding) => finding.code === code)?.invoiceCount)
  expect(found.rows.every(({ check }) => check.findings.some((finding) => finding.code === code))).toBe(true)
})

const FILTERS: InvoiceQuery['states'][] = [
  ...INVOICE_STATES.map((state) => [state]),
  ['ties_out', 'unexplained'],
  [...INVOICE_STATES],
]

describe('with statistics, as a backfill makes them', () => {
  beforeAll(() => database.query('analyze invoice, invoice_rollup'))

  test.each(FILTERS.map((states) => ({ states })))(
    'the list finds the invoices that are $states',
    async ({ states }) => {
      const found = await listInvoices(organizationId, { ...DEFAULT_INVOICE_QUERY, states })
      const isIn = (check: InvoiceCheck) => states.some((state) => state === stateOf({ invoice: check }))
      const isWanted = (invoice: InvoiceCompleteness) => !invoice.isGone && isIn(toInvoiceCheck(invoice))
      expect(found.invoiceCount).toBe((await proveAll()).filter(isWanted).length)
      expect(found.invoiceCount).toBeGreaterThan(0)
      expect(found.rows.every(({ check }) => isIn(check))).toBe(true)
    },
  )
})
