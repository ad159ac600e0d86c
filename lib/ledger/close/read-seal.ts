/** What of a scope is signed: its seal, its figures, and what of it waits for somebody. */
import type { Sql } from '#lib/db/tenant.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import { type CloseScope, firstDayOf } from '#lib/reconcile/close/scope.ts'
import { type SealedVersions, sealPeriod } from '#lib/reconcile/close/seal.ts'
import { groupBy } from '#lib/reconcile/group-by.ts'
import { addDecimals, type DecimalText, sumDecimals } from '#lib/reconcile/money.ts'
import { hasToDecide, writeSeen } from '#lib/reconcile/review/invoice-review.ts'
import { isUndecided } from '#lib/reconcile/review/review-state.ts'
import { PROOF_VERSION } from '../apply/proof-version.ts'
import { LINE_DIFFERENCE } from '../fields/line-fields.ts'
import { type InvoiceKey, readCompleteness } from '../kept/plain-invoices/read-completeness.ts'
import { toStake } from '../review/invoices/invoice-set.ts'
import { type ReviewedInvoice, readInvoiceReviews, toReviewed } from '../review/invoices/read-reviewed.ts'
import { REVIEW_OF_LINE, toAllBeside } from '../review/review-columns.ts'

export type Scope = CloseScope<ConnectionId>

/** Lines that the platform has, of one currency. */
export type ScopeTotal = { currency: string; lineCount: number; total: DecimalText }
/** What nobody has decided: its money, without its sign, so that sums never cancel. */
export type OpenMoney = { currency: string; amount: DecimalText }

/** `sealHex`: SHA-256 (lib/reconcile/close/seal.ts). `open`: by currency, of undecided findings. */
export type Sealed = {
  sealHex: string
  versions: SealedVersions
  lineCount: number
  invoiceCount: number
  totals: ScopeTotal[]
  undecided: number
  open: OpenMoney[]
  openDisputes: number
  notImported: number
}

/** A condition on `invoice i` of organization `$1` and account `$2`; values from `$3` on. */
export function toScopeCondition(scope: Scope): { condition: string; values: (string | null)[] } {
  if (scope.kind === 'invoice') return { condition: 'i.serial_number = $3', values: [scope.serialNumber] }
  const first = firstDayOf(scope.month)
  const inMonth = `i.issuing_date >= $3::date and i.issuing_date < $3::date + interval '1 month'`
  if (scope.kind === 'connection_month') return { condition: inMonth, values: [first] }
  return { condition: `${inMonth} and i.profile_id = $4`, values: [first, scope.profileId] }
}

/**
 * Makes the seal of a scope as it is, and reads what is to be said beside it. In a transaction that
 * has the account's tally, nothing of it changes meanwhile. @param versions Of an earlier seal, to
 * make that one again.
 */
export async function readSealed(
  sql: Sql,
  organizationId: OrganizationId,
  scope: Scope,
  versions?: SealedVersions,
): Promise<Sealed> {
  const doubtful = await readDoubtful(sql, organizationId, scope)
  const used = versions ?? (await readVersions(sql, organizationId, scope.connectionId))
  const seals = await readSeals(sql, organizationId, scope, doubtful, used)
  const lines = await readFigures(sql, organizationId, scope)
  const waiting = doubtful.filter(
    ({ stand, seen }) => isUndecided(stand.state) && (stand.state === 'suspended' || hasToDecide(seen)),
  )
  return {
    sealHex: combine(scope, seals),
    versions: used,
    lineCount: seals.reduce((sum, { lineCount }) => sum + lineCount, 0),
    invoiceCount: seals.length,
    totals: lines
      .filter(({ lineCount }) => lineCount > 0)
      .map(({ currency, lineCount, total }) => ({ currency, lineCount, total })),
    undecided: waiting.length + lines.reduce((sum, { undecided }) => sum + undecided, 0),
    open: toOpenMoney(waiting, lines),
    openDisputes:
      lines.reduce((sum, { disputed }) => sum + disputed, 0) +
      doubtful.filter(({ stand }) => stand.state === 'disputed').length,
    notImported: await countNotImported(sql, organizationId, scope),
  }
}

/** What of a line and an invoice is in a seal, in order of the functions of seal.sql. */
const SEALED_OF_LINE = `l.id, l.currency, l.quantity, l.unit_price, l.non_taxable_unit_price, l.tax_percentage, l.tax_regime, l.tax_amount,
  l.total_amount, l.finding_codes, l.explained_codes, l.missing_since is not null`
const SEALED_OF_INVOICE = `i.connection_id, i.serial_number, i.profile_id, i.mode, i.issuing_date, i.due_date, i.currency, i.total, i.credit_used,
  i.stated_line_count, i.stated_taxes, i.missing_since is not null`

type InvoiceSeal = { seal: string; lineCount: number }

/** An invoice is sealed by itself, a month by its invoices. */
function combine(scope: Scope, seals: readonly InvoiceSeal[]): string {
  const all = seals.map(({ seal }) => seal)
  if (scope.kind === 'invoice') return all[0] ?? ''
  const { kind, connectionId, month } = scope
  return sealPeriod({ kind, connectionId, profileId: 'profileId' in scope ? scope.profileId : null, month }, all)
}

/** The invoices whose proof may say something, or that somebody decided; all others say nothing. */
async function readDoubtful(sql: Sql, organizationId: OrganizationId, scope: Scope): Promise<ReviewedInvoice[]> {
  const { condition, values } = toScopeCondition(scope)
  const keys = await sql<{ connectionId: ConnectionId; serialNumber: string }>(
    `select i.connection_id as "connectionId", i.serial_number as "serialNumber" from invoice i
     where i.organization_id = $1 and i.connection_id = $2 and ${condition}
       and (not exists (select from plain_invoice p where p.organization_id = $1 and p.connection_id = $2 and p.serial_number = i.serial_number)
            or exists (select from invoice_review v where v.organization_id = $1 and v.connection_id = $2
                         and v.invoice_serial_number = i.serial_number))`,
    [organizationId, scope.connectionId, ...values],
  )
  if (keys.length === 0) return []
  const reviews = await readInvoiceReviews(sql, organizationId, keys as InvoiceKey[])
  return (await readCompleteness(sql, organizationId, keys as InvoiceKey[])).map((proof) => toReviewed(proof, reviews))
}

async function readVersions(
  sql: Sql,
  organizationId: OrganizationId,
  connectionId: ConnectionId,
): Promise<SealedVersions> {
  const [row] = await sql<{ checks: string; habits: string }>(
    `select (select coalesce(max(number), 0)::text from check_setting where organization_id = $1) as checks,
       (select coalesce(max(number), 0)::text from habit_decision where organization_id = $1 and connection_id = $2) as habits`,
    [organizationId, connectionId],
  )
  return { proof: PROOF_VERSION, checks: row?.checks ?? '0', habits: row?.habits ?? '0' }
}

/** The seal of each invoice, in order of serial numbers, by bytes. */
function readSeals(
  sql: Sql,
  organizationId: OrganizationId,
  scope: Scope,
  doubtful: readonly ReviewedInvoice[],
  { proof, checks, habits }: SealedVersions,
): Promise<InvoiceSeal[]> {
  const { condition, values } = toScopeCondition(scope)
  const said = doubtful.filter(({ seen }) => seen.findings.length + seen.notes.length > 0)
  const from = 3 + values.length
  return sql<InvoiceSeal>(
    `with leaf as materialized (
       select l.invoice_serial_number as serial, count(*) as lines,
         string_agg(',64:' || encode(seal_of_line(${SEALED_OF_LINE}, beside.found, v.state, v.decision), 'hex'), '' order by l.id collate "C") as leaves
       from invoice i join line l on l.organization_id = i.organization_id and l.connection_id = i.connection_id
         and l.invoice_serial_number = i.serial_number
       left join ${REVIEW_OF_LINE}
       left join ${toAllBeside('$1::uuid')}
       where i.organization_id = $1 and i.connection_id = $2 and ${condition} group by 1),
     seen as (select * from unnest($${from}::text[], $${from + 1}::text[]) as s (serial, seen))
     select encode(seal_of_invoice(${SEALED_OF_INVOICE}, seen.seen, r.state, r.decision, $${from + 2}::smallint, $${from + 3}::bigint, $${from + 4}::bigint,
         coalesce(leaf.lines, 0), coalesce(leaf.leaves, '')), 'hex') as seal, coalesce(leaf.lines, 0)::int as "lineCount"
     from invoice i left join leaf on leaf.serial = i.serial_number left join seen on seen.serial = i.serial_number
     left join invoice_review r on r.organization_id = i.organization_id and r.connection_id = i.connection_id
       and r.invoice_serial_number = i.serial_number
     where i.organization_id = $1 and i.connection_id = $2 and ${condition} order by i.serial_number collate "C"`,
    [
      organizationId,
      scope.connectionId,
      ...values,
      said.map((each) => each.proof.serialNumber),
      said.map(({ seen }) => writeSeen(seen)),
      proof,
      checks,
      habits,
    ],
  )
}

type Figures = ScopeTotal & { undecided: number; disputed: number; open: DecimalText }

/** By currency, of the scope's lines. A removed one waits only where it was decided. */
function readFigures(sql: Sql, organizationId: OrganizationId, scope: Scope): Promise<Figures[]> {
  const { condition, values } = toScopeCondition(scope)
  const waits = `(v.state = 'suspended' or (v.state is null and l.finding_count > 0 and l.missing_since is null))`
  return sql<Figures>(
    `select l.currency, (count(*) filter (where l.missing_since is null))::int as "lineCount",
       coalesce(sum(l.total_amount) filter (where l.missing_since is null), 0)::text as total,
       (count(*) filter (where ${waits}))::int as undecided, (count(*) filter (where v.state = 'disputed'))::int as disputed,
       coalesce(sum(abs(${LINE_DIFFERENCE})) filter (where ${waits}), 0)::text as open
     from invoice i join line l on l.organization_id = i.organization_id and l.connection_id = i.connection_id
       and l.invoice_serial_number = i.serial_number
     left join ${REVIEW_OF_LINE}
     where i.organization_id = $1 and i.connection_id = $2 and ${condition} group by 1 order by 1`,
    [organizationId, scope.connectionId, ...values],
  )
}

/** By currency; also where what waits has no money in it. */
function toOpenMoney(waiting: readonly ReviewedInvoice[], lines: readonly Figures[]): OpenMoney[] {
  const ofInvoices = new Map(
    [...groupBy(waiting, ({ proof }) => proof.currency)].map(([currency, own]) => [
      currency,
      sumDecimals(own.map(toStake)),
    ]),
  )
  const ofLines = new Map(lines.filter(({ undecided }) => undecided > 0).map(({ currency, open }) => [currency, open]))
  return [...new Set([...ofInvoices.keys(), ...ofLines.keys()])].sort().map((currency) => ({
    currency,
    amount: addDecimals(ofInvoices.get(currency) ?? ZERO, ofLines.get(currency) ?? ZERO),
  }))
}

const ZERO = '0' as DecimalText

async function countNotImported(sql: Sql, organizationId: OrganizationId, scope: Scope): Promise<number> {
  const { condition, values } = toScopeCondition(scope)
  const [row] = await sql<{ count: number }>(
    `select count(*)::int as count from rejected_line r
     join invoice i on i.organization_id = r.organization_id and i.connection_id = r.connection_id and i.serial_number = r.invoice_serial_number
     where i.organization_id = $1 and i.connection_id = $2 and ${condition} and r.list = 'lines' and r.resolved_at is null`,
    [organizationId, scope.connectionId, ...values],
  )
  return row?.count ?? 0
}
