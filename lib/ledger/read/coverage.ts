import { type Sql, withTenantSnapshot } from '#lib/db/tenant.ts'
import { type ConnectionId, type OrganizationId, parseConnectionId } from '#lib/ids.ts'
import { chooseLineSource } from '../conditions/line-source.ts'
import { type CompletenessSurvey, surveyCompleteness } from '../kept/plain-invoices/read-completeness.ts'
import type { CompactCoverage, Coverage } from '../model.ts'
import { DEFAULT_LINE_QUERY } from '../query/line-query.ts'
import { selectTogether } from '../sql/select-together.ts'
import {
  type CompleteReading,
  type CountedInvoices,
  countFlagged,
  countInvoices,
  FIRST_MONTH,
  type FlaggedLines,
  type KnownProfile,
  listMonths,
  mergeProfiles,
  monthsBefore,
  toCoverage,
  toVerifiedAt,
} from './coverage-cells.ts'

type OfConnection<T> = T & { connectionId: ConnectionId }

/**
 * A connection's coverage by month and profile: what we hold, whether it equals the platform's own
 * figures, and when it was last read completely. Starts with the year of the first invoice, or with
 * 2019 while that far back has not been read. Null when the organization has no such connection.
 */
export async function getCoverage(
  organizationId: OrganizationId,
  connection: string,
  now: Date,
): Promise<Coverage | null> {
  const connectionId = parseConnectionId(connection)
  if (connectionId === null) return null
  return withTenantSnapshot(organizationId, async (sql) => {
    const [connection] = await sql('select from connection where organization_id = $1 and id = $2', [
      organizationId,
      connectionId,
    ])
    if (connection === undefined) return null
    const invoices = countInvoices(await surveyCompleteness(sql, organizationId, { connectionId }))
    const { flagged, readings, profiles } = await readBesideInvoices(sql, organizationId, connectionId, invoices)
    const months = listMonths(firstMonth(profiles, readings), lastMonth(invoices, now))
    return {
      connectionId,
      months,
      profiles: toCoverage(months, profiles, [...invoices, ...countFlagged(flagged)], readings),
      lists: await readLists(sql, organizationId, connectionId, sumHeld(invoices)),
      undatedInvoices: invoices.reduce(
        (sum, { month, counts }) => (month === null ? sum + counts.invoiceCount : sum),
        0,
      ),
    }
  })
}

const COMPACT_MONTHS = 12

/**
 * The last months of every connection, its profiles taken together; oldest month first. The survey
 * has these months at least.
 */
export async function listCompactCoverage(
  sql: Sql,
  organizationId: OrganizationId,
  survey: CompletenessSurvey,
  now: Date,
): Promise<CompactCoverage[]> {
  const last = toMonth(now)
  const months = listMonths(monthsBefore(last, COMPACT_MONTHS - 1), last)
  const invoices = countInvoices(survey)
  const { flagged, readings, profiles } = await readBesideInvoices(sql, organizationId, null, invoices)
  const counted = [...invoices, ...countFlagged(flagged)]
  const connectionIds = [...new Set(profiles.map(({ connectionId }) => connectionId))]
  return connectionIds.map((connectionId) => {
    const mine = <T extends { connectionId: ConnectionId }>(all: T[]) =>
      all.filter((each) => each.connectionId === connectionId)
    const cells = mergeProfiles(toCoverage(months, mine(profiles), mine(counted), mine(readings)))
    return { connectionId, cells }
  })
}

/**
 * Lines with findings by the profile and the month of issue that they repeat from their invoice: of
 * the sums of invoices, those alone that have such lines.
 */
const FLAGGED_LINES = `
  select connection_id as "connectionId", profile_id as "profileId", left(issuing_date::text, 7) as month, currency,
         unpack_states(sum(line_states)) as "lineStates"
  from invoice_rollup where organization_id = $1 and line_states > 0 and ($2::uuid is null or connection_id = $2)
  group by 1, 2, 3, 4`

/** The completely read parts of accounts, only the latest reading of each part. */
export const COMPLETE_READINGS = `
  select r.connection_id as "connectionId", w.list, w.issued_from as "from", w.issued_upto as upto,
         to_char(max(w.completed_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at
  from sync_window w join sync_run r on r.organization_id = w.organization_id and r.id = w.run_id
  where w.organization_id = $1 and ($2::uuid is null or r.connection_id = $2) and w.list in ('invoices', 'lines')
    and w.state = 'complete' and w.invoice_status is null and w.serial_number is null
  group by 1, 2, 3, 4`

/**
 * Profiles listed by the platform or named by the given invoices, with the month of their first
 * invoice.
 */
const KNOWN_PROFILES = `
  select coalesce(p.connection_id, i.connection_id) as "connectionId", coalesce(p.id, i.profile_id) as id,
         coalesce(p.name, (select n.name from named n where n.connection_id = coalesce(p.connection_id, i.connection_id)
                             and n.profile_id is not distinct from coalesce(p.id, i.profile_id))) as name,
         coalesce(p.currency, i.currency) as currency, i.first_month as "firstMonth"
  from (select connection_id, id, name, currency from profile
        where organization_id = $1 and ($2::uuid is null or connection_id = $2)) p
  full join (select connection_id, profile_id, min(month) as first_month,
                    case when count(distinct currency) = 1 then max(currency) end as currency
             from unnest($3::uuid[], $4::text[], $5::text[], $6::text[]) as c (connection_id, profile_id, month, currency)
             group by 1, 2) i
    on i.connection_id = p.connection_id and i.profile_id = p.id
  order by 1, 3 nulls last, 2`

/**
 * The names that invoices have for their profiles. They are read only for a profile whose name the
 * platform does not list: a common table that nothing asks for is not made.
 */
const NAMED_BY_INVOICES = `
  with named as materialized (
    select connection_id, profile_id, max(profile_name) as name
    from invoice where organization_id = $1 and ($2::uuid is null or connection_id = $2) group by 1, 2)`

type BesideInvoices = {
  flagged: FlaggedLines[]
  readings: OfConnection<CompleteReading>[]
  profiles: OfConnection<KnownProfile>[]
}

function readBesideInvoices(
  sql: Sql,
  organizationId: OrganizationId,
  connectionId: ConnectionId | null,
  invoices: readonly CountedInvoices[],
) {
  return selectTogether<BesideInvoices>(
    sql,
    { flagged: FLAGGED_LINES, readings: COMPLETE_READINGS, profiles: KNOWN_PROFILES },
    [
      organizationId,
      connectionId,
      invoices.map((each) => each.connectionId),
      invoices.map((each) => each.profileId),
      invoices.map((each) => each.month),
      invoices.map((each) => each.currency),
    ],
    NAMED_BY_INVOICES,
  )
}

/** How many of these invoices the platform still has. */
function sumHeld(invoices: readonly CountedInvoices[]): number {
  return invoices.reduce((sum, { counts }) => sum + counts.invoiceCount, 0)
}

/**
 * What we hold beside the platform's last count of the whole list. Rows gone from the platform are
 * not in its count.
 */
async function readLists(sql: Sql, organizationId: OrganizationId, connectionId: ConnectionId, heldInvoices: number) {
  const { from, lineCount, condition } = chooseLineSource(DEFAULT_LINE_QUERY, ['connection_id'])
  const heldLines = `(select coalesce(${lineCount}, 0)::int from ${from}
                      where l.organization_id = $1 and l.connection_id = $2 and ${condition})`
  // one list after the other: a cluster looks nothing up for each row of a list of values
  const read = (list: Coverage['lists'][number]['list']) =>
    sql<Coverage['lists'][number]>(
      `select $3::text as list,
            (select w.expected from sync_window w join sync_run r on r.organization_id = w.organization_id and r.id = w.run_id
             where w.organization_id = $1 and r.connection_id = $2 and w.list = $3::text and w.issued_from is null
               and w.issued_upto is null and w.invoice_status is null and w.serial_number is null and w.expected is not null
             order by coalesce(w.completed_at, w.created_at) desc limit 1) as reported,
            case $3::text when 'lines' then ${heldLines} else $4::int end as held,
            (select count(*)::int from rejected_line j where j.organization_id = $1 and j.connection_id = $2
               and j.list = $3::text and j.resolved_at is null) as rejected`,
      [organizationId, connectionId, list, heldInvoices],
    )
  return [...(await read('invoices')), ...(await read('lines'))]
}

function firstMonth(profiles: KnownProfile[], readings: CompleteReading[]): string {
  const issued = profiles.flatMap((profile) => profile.firstMonth ?? []).sort()
  const isReadBack = toVerifiedAt(FIRST_MONTH, readings) !== null
  const [first = FIRST_MONTH] = issued
  // whole years, to show that the time before the first invoice was read
  return isReadBack || first < FIRST_MONTH ? `${first.slice(0, 4)}-01` : FIRST_MONTH
}

function lastMonth(invoices: CountedInvoices[], now: Date): string {
  const months = invoices.flatMap(({ month }) => month ?? [])
  return [toMonth(now), ...months].sort().at(-1) as string
}

function toMonth(moment: Date): string {
  return moment.toISOString().slice(0, 7)
}
