/** A trip as its lines tell it: the platform has no record of trips (contract: invoice lines). */
import { withTenantSnapshot, withTenantSql } from '#lib/db/tenant.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import type { Day } from '#lib/reconcile/day.ts'
import type { DecimalText } from '#lib/reconcile/money.ts'
import { type TripCost, type TripSum, toTripCost } from '#lib/reconcile/trip/trip-cost.ts'
import { toTripLabel } from '../conditions/group-key-columns.ts'
import { LINES } from '../conditions/line-source.ts'

/** The most travelers and documents on a trip's page. */
const MOST_SHOWN = 100

/** Sums by currency; a group that has none in a currency has no entry. */
type Amounts = Record<string, DecimalText>

type TripTraveler = { name: string | null; lineCount: number; amounts: Amounts }

type TripDocument = {
  connectionId: ConnectionId
  serialNumber: string
  issuingDate: Day | null
  mode: string | null
  /** Of the trip's lines on it. */
  lineCount: number
  amounts: Amounts
}

export type Trip = {
  id: string
  /** The name on its latest lines. */
  name: string | null
  lineCount: number
  firstDay: Day
  lastDay: Day
  cost: TripCost
  /** By their amounts in the most frequent currency. A line of two travelers is with both. */
  travelers: TripTraveler[]
  travelerCount: number
  /** Whether a line has several travelers: then theirs come to more than the trip. */
  isShared: boolean
  /** By day of issue. */
  documents: TripDocument[]
  documentCount: number
}

const OF_TRIP = `${LINES.from} where l.organization_id = $1 and l.trip_id = $2 and ${LINES.condition}`
const AMOUNTS = `json_object_agg(s.currency, s.total_amount::text)`

/** Whether a line that the platform has names the trip. */
export async function hasTrip(organizationId: OrganizationId, id: string): Promise<boolean> {
  if (id.includes('\0')) return false
  const found = await withTenantSql(organizationId, (sql) =>
    sql(`select from ${OF_TRIP} limit 1`, [organizationId, id]),
  )
  return found.length > 0
}

/** The trip of this id; null when no line that the platform has names it. */
export async function getTrip(organizationId: OrganizationId, id: string): Promise<Trip | null> {
  if (id.includes('\0')) return null
  const own = [organizationId, id]
  return withTenantSnapshot(organizationId, async (sql) => {
    const sums = await sql<TripSum>(
      `select l.currency, l.service, l.related_vertical as "relatedVertical", l.total_amount < 0 as "isBelowZero",
              count(*)::int as "lineCount", sum(l.total_amount)::text as "totalAmount"
       from ${OF_TRIP} group by 1, 2, 3, 4 order by 1, 2, 3, 4`,
      own,
    )
    const [known] = await sql<Pick<Trip, 'name' | 'lineCount' | 'firstDay' | 'lastDay' | 'isShared'>>(
      `select ${toTripLabel(LINES.datedLabel)} as name, count(*)::int as "lineCount",
              min(l.expense_date)::text as "firstDay", max(l.expense_date)::text as "lastDay",
              bool_or(cardinality(l.traveler_names) > 1) as "isShared"
       from ${OF_TRIP} having count(*) > 0`,
      own,
    )
    if (known === undefined) return null
    const travelers = await sql<TripTraveler & { all: number }>(
      `select s.name, sum(s.line_count)::int as "lineCount", ${AMOUNTS} as amounts, count(*) over ()::int as all
       from (select t.name, l.currency, count(*) as line_count, sum(l.total_amount) as total_amount
             from (select l.* from ${OF_TRIP}) l
               left join lateral (select distinct name from unnest(l.traveler_names) n (name)) t on true
             group by 1, 2) s
       group by s.name order by max(s.total_amount) filter (where s.currency = $3) desc nulls last, s.name limit ${MOST_SHOWN}`,
      [...own, mostFrequent(sums)],
    )
    const documents = await sql<TripDocument & { all: number }>(
      `select s.connection_id as "connectionId", s.serial as "serialNumber", i.issuing_date::text as "issuingDate", i.mode,
              sum(s.line_count)::int as "lineCount", ${AMOUNTS} as amounts, count(*) over ()::int as all
       from (select l.connection_id, l.invoice_serial_number as serial, l.currency, count(*) as line_count,
                    sum(l.total_amount) as total_amount
             from ${OF_TRIP} group by 1, 2, 3) s
         left join invoice i on i.organization_id = $1 and i.connection_id = s.connection_id and i.serial_number = s.serial
       group by s.connection_id, s.serial, i.issuing_date, i.mode
       order by i.issuing_date nulls last, s.serial limit ${MOST_SHOWN}`,
      own,
    )
    return {
      id,
      ...known,
      cost: toTripCost(sums),
      travelers: travelers.map(({ all: _all, ...traveler }) => traveler),
      travelerCount: travelers[0]?.all ?? 0,
      documents: documents.map(({ all: _all, ...document }) => document),
      documentCount: documents[0]?.all ?? 0,
    }
  })
}

/** Amounts of different currencies do not compare. */
function mostFrequent(sums: readonly TripSum[]): string | null {
  const counts = new Map<string, number>()
  for (const { currency, lineCount } of sums) counts.set(currency, (counts.get(currency) ?? 0) + lineCount)
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? null
}
