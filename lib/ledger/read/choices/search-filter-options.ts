/** Choices of filters that have too many to list: those that have what is typed. */
import { type Sql, withTenantSnapshot } from '#lib/db/tenant.ts'
import type { OrganizationId } from '#lib/ids.ts'
import { toFoundCondition } from '../../conditions/found-invoices.ts'
import { toTripLabel } from '../../conditions/group-key-columns.ts'
import { chooseLineSource, LINES } from '../../conditions/line-source.ts'
import { readTyped, toNameCondition, toNameParts } from '../../conditions/name-conditions.ts'
import { toTextCondition } from '../../conditions/text-conditions.ts'
import { findInvoicesOfText } from '../../kept/invoice-words/find-invoices-of-text.ts'
import type { FoundOption } from '../../model.ts'
import { DEFAULT_LINE_QUERY, type LINE_FILTERS, type NamesReader } from '../../query/line-query.ts'
import type { ChosenFrom } from '../../query/list-query.ts'
import { joinLook, toLook } from '../../sql/name-look.ts'
import {
  createSqlParameters,
  joinConditions,
  type OwnPlaceholder,
  type SqlParameters,
  toOwnPlaceholder,
} from '../../sql/sql-parameters.ts'

export type SearchedFilter = ChosenFrom<typeof LINE_FILTERS, 'searched' | 'frequent'>

/** Names of lines are looked for among the latest first: what is asked for mostly is among them. */
const LATEST_LINES = 20_000

const TRIPS = chooseLineSource(DEFAULT_LINE_QUERY, ['trip_id'])
const COST_CENTERS = chooseLineSource(DEFAULT_LINE_QUERY, ['cost_center'])

/**
 * Up to `most` choices of a filter whose value or name has each of the words, without case and
 * accents; an empty text finds the latest trips, and the most frequent of the others. Names without
 * a place of their own in the ledger (vendors, travelers) are those of the latest lines, and of all
 * lines where these have too few.
 */
export function searchFilterOptions(
  { organizationId, foldsNames }: NamesReader,
  filter: SearchedFilter,
  typed: string,
  most: number,
): Promise<FoundOption[]> {
  const text = readTyped(typed)
  return withTenantSnapshot(organizationId, async (sql) => {
    return SEARCHES[filter]({ sql, organizationId, text, most, ...toNames(foldsNames) })
  })
}

/** How each is searched: a filter without one does not compile. */
const SEARCHES: Record<SearchedFilter, (asked: Asked) => Promise<FoundOption[]>> = {
  trips: searchTrips,
  costCenters: searchCostCenters,
  vendors: (asked) => searchNames(asked, 'lateral (select l.vendor_name) n (value)'),
  travelers: (asked) => searchNames(asked, 'lateral unnest(l.traveler_names) n (value)'),
}

/** The filters whose choices are searched. */
export const SEARCHED_FILTERS = Object.keys(SEARCHES) as SearchedFilter[]

type Asked = {
  sql: Sql
  organizationId: OrganizationId
  text: string
  most: number
  /** SQL that joins a name with its look, and the value that it counts as. */
  join: (name: string, own: OwnPlaceholder) => string
  value: (name: string) => string
}

function toNames(foldsNames: boolean): Pick<Asked, 'join' | 'value'> {
  return {
    // the line's own column, of rows that are no table, ended a cluster's server (decision 067)
    join: (name, own) => (foldsNames ? joinLook(own(), name, 'k') : ''),
    value: (name) => (foldsNames ? toLook(name, 'k') : name),
  }
}

async function searchTrips({ sql, organizationId, text, most }: Asked): Promise<FoundOption[]> {
  const parameters = createSqlParameters()
  const conditions = joinConditions([
    `l.organization_id = ${parameters.add(organizationId)}::uuid`,
    TRIPS.condition,
    'l.trip_id is not null',
    toNameCondition(text, ['l.trip_id', toTripLabel('l.dated_label')], parameters),
  ])
  return sql<FoundOption>(
    `select l.trip_id as value, ${toTripLabel(TRIPS.datedLabel)} as name from ${TRIPS.from} where ${conditions}
     group by l.trip_id order by left(${TRIPS.datedLabel}, 10) desc nulls last, l.trip_id limit ${parameters.add(most)}`,
    parameters.values,
  )
}

async function searchCostCenters({ sql, organizationId, text, most, join, value }: Asked): Promise<FoundOption[]> {
  const parameters = createSqlParameters()
  const joined = join('l.cost_center', toOwnPlaceholder(organizationId, parameters))
  const all = `select ${value('l.cost_center')} as value, ${COST_CENTERS.lineCount} as lines from ${COST_CENTERS.from} ${joined}
    where l.organization_id = ${parameters.add(organizationId)}::uuid and ${COST_CENTERS.condition}
      and l.cost_center is not null group by 1`
  const found = toNameCondition(text, ['c.value'], parameters) ?? 'true'
  return sql<FoundOption>(
    `select c.value, null::text as name from (${all}) c where c.value is not null and ${found} order by c.lines desc, c.value limit ${parameters.add(most)}`,
    parameters.values,
  )
}

/** `names`: SQL for those that lines `l` have, as rows of `n (value)`. */
async function searchNames(asked: Asked, names: string): Promise<FoundOption[]> {
  const { text, most, sql, organizationId } = asked
  const latest = await readNames(asked, names, () => `order by l.expense_date desc limit ${LATEST_LINES}`)
  // of one or two letters there are enough among the latest, or few that somebody would look for
  if (latest.length >= most || text.length < 3) return latest
  // as parts of a text alone, whatever else they could mean
  const phrases = toNameParts(text).flatMap((part) => (part.includes('"') ? [] : `"${part}"`))
  const searched = { ...DEFAULT_LINE_QUERY, text: phrases.join(' ') }
  const among = await findInvoicesOfText(sql, organizationId, searched)
  return readNames(asked, names, (parameters) =>
    [toFoundCondition(among, parameters), toTextCondition(searched.text, parameters)]
      .flatMap((condition) => (condition === null ? [] : [`and ${condition}`]))
      .join(' '),
  )
}

function readNames(
  { sql, organizationId, text, most, join, value }: Asked,
  names: string,
  toEnd: (parameters: SqlParameters) => string,
): Promise<FoundOption[]> {
  const parameters = createSqlParameters()
  const lines = `select l.vendor_name, l.traveler_names from ${LINES.from}
    where l.organization_id = ${parameters.add(organizationId)}::uuid and ${LINES.condition} ${toEnd(parameters)}`
  const joined = join('n.value', toOwnPlaceholder(organizationId, parameters))
  const counted = `select ${value('n.value')} as value, count(*) as lines from (${lines}) l cross join ${names} ${joined}
    where n.value is not null group by 1`
  const found = toNameCondition(text, ['c.value'], parameters) ?? 'true'
  return sql<FoundOption>(
    `select c.value, null::text as name from (${counted}) c where c.value is not null and ${found} order by c.lines desc, c.value limit ${parameters.add(most)}`,
    parameters.values,
  )
}
