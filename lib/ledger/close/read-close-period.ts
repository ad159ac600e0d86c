/** What stands beside one month: its tie-out, coverage, disputes, what drifted, and exceptions. */
import type { Sql } from '#lib/db/tenant.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import type { DriftCause } from '#lib/reconcile/close/close-state.ts'
import type { PeriodScope } from '#lib/reconcile/close/scope.ts'
import { parseDay } from '#lib/reconcile/day.ts'
import type { DecimalText } from '#lib/reconcile/money.ts'
import type { DecisionKind } from '#lib/reconcile/review/review-state.ts'
import type { CurrencyTieOut } from '../model.ts'
import { EVERYTHING, type LedgerScope } from '../query/ledger-scope.ts'
import { COMPLETE_READINGS } from '../read/coverage.ts'
import { type CompleteReading, toMonthDays, toVerifiedAt } from '../read/coverage-cells.ts'
import { readTieOut } from '../read/tie-out.ts'
import { selectTogether } from '../sql/select-together.ts'
import type { Proofs } from './read-month-facts.ts'

/** Disputed lines of one currency. `expected`: what is expected back of those that say. */
type OpenDisputes = { currency: string; lineCount: number; expected: DecimalText }

/** A change of a locked month. `description`: of the line, as it is now. */
export type DriftedRecord = {
  id: string
  cause: DriftCause
  at: string
  /** The month in which it is booked, YYYY-MM. */
  bookedIn: string
  serialNumber: string | null
  lineId: string | null
  description: string | null
  currencyBefore: string | null
  amountBefore: DecimalText | null
  currencyAfter: string | null
  amountAfter: DecimalText | null
}

/** What somebody decided while a lock was open to them. */
type DecisionMeanwhile = { number: string; kind: DecisionKind; lineCount: number; at: string }

export type ExceptionOfLock = {
  id: string
  lock: string
  personId: string
  name: string
  until: string
  reason: string
  grantedBy: string
  at: string
  endedAt: string | null
  meanwhile: DecisionMeanwhile[]
}

export type BesidePeriod = {
  /** When both lists were last read completely for the whole month; null: never. */
  verifiedAt: string | null
  disputes: OpenDisputes[]
  drift: { records: DriftedRecord[]; count: number }
  /** Changes of earlier locked months that are booked in this one, of all of them. */
  bookedHere: { count: number; sums: { currency: string; amount: DecimalText }[] }
  exceptions: ExceptionOfLock[]
}

const MOST_RECORDS = 50

/** The scope of lists that has the month's invoices and lines. */
function toListScope(scope: PeriodScope): LedgerScope {
  const { from, to } = toMonthDays(scope.month)
  return {
    ...EVERYTHING,
    connections: [scope.connectionId],
    profiles: scope.kind === 'profile_month' ? [scope.profileId] : [],
    from: parseDay(from),
    to: parseDay(to),
    dateField: 'issued',
  }
}

/** The month tied out, per currency. */
export async function readTieOutOf(
  sql: Sql,
  organizationId: OrganizationId,
  { survey }: Proofs,
  scope: PeriodScope,
): Promise<CurrencyTieOut[]> {
  return (await readTieOut(sql, organizationId, survey, toListScope(scope))).currencies
}

/** A month's invoices `i`: `$1` to `$4` are organization, account, profile or null, first day. */
const INVOICES = `i.organization_id = $1 and i.connection_id = $2 and ($3::text is null or i.profile_id = $3)
  and i.issuing_date >= $4::date and i.issuing_date < $4::date + interval '1 month'`

const DISPUTES = `
  select l.currency, count(*)::int as "lineCount", coalesce(sum(v.expected_back), 0)::text as expected
  from invoice i
  join line l on l.organization_id = i.organization_id and l.connection_id = i.connection_id and l.invoice_serial_number = i.serial_number
  join line_review v on v.organization_id = l.organization_id and v.connection_id = l.connection_id and v.line_id = l.id
  where ${INVOICES} and v.state = 'disputed' group by 1 order by 1`

/** Locks in force of exactly this month. */
const LOCKS = `k.organization_id = $1 and k.connection_id = $2 and k.month = $4::date and k.reopened_at is null
  and (k.profile_id is null or k.profile_id = $3)`

const OF_DRIFT = `
  from drift d join period_lock k on k.organization_id = d.organization_id and k.number = d.lock_number
  left join line l on l.organization_id = d.organization_id and l.connection_id = d.connection_id and l.id = d.line_id
  left join invoice i on i.organization_id = d.organization_id and i.connection_id = d.connection_id and i.serial_number = d.invoice_serial_number
  where ${LOCKS} and ($3::text is null or k.profile_id is not null or i.profile_id = $3 or d.invoice_serial_number is null)`

const DRIFT = `
  select d.id, d.cause, to_json(d.at) as at, to_char(d.booked_in, 'YYYY-MM') as "bookedIn", d.invoice_serial_number as "serialNumber",
         d.line_id as "lineId", l.description, d.currency_before as "currencyBefore", d.amount_before::text as "amountBefore",
         d.currency_after as "currencyAfter", d.amount_after::text as "amountAfter"
  ${OF_DRIFT} order by d.at desc, d.id limit ${MOST_RECORDS}`

const BOOKED_HERE = `
  select m.currency, count(distinct d.id)::int as count, sum(m.amount)::text as amount
  from drift d join period_lock k on k.organization_id = d.organization_id and k.number = d.lock_number
  cross join lateral (values (d.currency_before, -d.amount_before), (d.currency_after, d.amount_after)) m (currency, amount)
  where d.organization_id = $1 and d.connection_id = $2 and d.booked_in = $4::date and m.currency is not null
    and ($3::text is null or k.profile_id = $3)
  group by 1 order by 1`

/** With what its person decided meanwhile about invoices and lines of the locked month. */
const EXCEPTIONS = `
  select x.id, x.lock_number::text as lock, x.person_id as "personId", x.person_name as name, to_json(x.until) as until, x.reason,
         x.granted_by_name as "grantedBy", to_json(x.at) as at, to_json(x.ended_at) as "endedAt",
         coalesce((
           select json_agg(json_build_object('number', n.number::text, 'kind', n.kind, 'lineCount', n.count, 'at', n.decided_at) order by n.number)
           from (
             select c.number, c.kind, c.decided_at, sum(p.count)::int as count
             from decision c
             join lateral (
               select p.invoice_serial_number, cardinality(p.line_ids) as count from decision_part p
               where p.organization_id = $1 and p.decision = c.number and p.connection_id = $2
               union all
               select p.invoice_serial_number, 1 from decision_invoice p
               where p.organization_id = $1 and p.decision = c.number and p.connection_id = $2) p on true
             join invoice i on ${INVOICES} and i.serial_number = p.invoice_serial_number
             where c.organization_id = $1 and c.actor_id = x.person_id and c.decided_at >= x.at
               and c.decided_at < least(x.until, coalesce(x.ended_at, 'infinity'))
             group by 1, 2, 3) n), '[]') as meanwhile
  from lock_exception x join period_lock k on k.organization_id = x.organization_id and k.number = x.lock_number
  where ${LOCKS} order by x.at desc`

type Rows = {
  readings: CompleteReading[]
  disputes: OpenDisputes[]
  drift: DriftedRecord[]
  count: { count: number }[]
  booked: { currency: string; count: number; amount: DecimalText }[]
  exceptions: ExceptionOfLock[]
}

/** All that is asked of one month alone. */
export async function readBesidePeriod(
  sql: Sql,
  organizationId: OrganizationId,
  scope: PeriodScope<ConnectionId>,
): Promise<BesidePeriod> {
  const { readings, disputes, drift, count, booked, exceptions } = await selectTogether<Rows>(
    sql,
    {
      readings: COMPLETE_READINGS,
      disputes: DISPUTES,
      drift: DRIFT,
      count: `select count(*)::int as count ${OF_DRIFT}`,
      booked: BOOKED_HERE,
      exceptions: EXCEPTIONS,
    },
    [organizationId, scope.connectionId, scope.kind === 'profile_month' ? scope.profileId : null, `${scope.month}-01`],
  )
  return {
    verifiedAt: toVerifiedAt(scope.month, readings),
    disputes,
    drift: { records: drift, count: count[0]?.count ?? 0 },
    bookedHere: {
      count: booked.reduce((sum, row) => sum + row.count, 0),
      sums: booked.map(({ currency, amount }) => ({ currency, amount })),
    },
    exceptions,
  }
}
