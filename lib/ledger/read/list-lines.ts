import { type Sql, withTenantSnapshot } from '#lib/db/tenant.ts'
import type { OrganizationId } from '#lib/ids.ts'
import { toLineCountQuery } from '../conditions/count-lines.ts'
import type { FoundInvoices } from '../conditions/found-invoices.ts'
import { areFlagged, toLineConditions } from '../conditions/line-conditions.ts'
import { LINES, toLines } from '../conditions/line-source.ts'
import { toLineRowColumns, withPayloadWords } from '../fields/line-column-fields.ts'
import { PACKED_STATE, STATE_OF_FLAGGED, toPackedState } from '../fields/line-fields.ts'
import { findInvoicesOfText } from '../kept/invoice-words/find-invoices-of-text.ts'
import { asksForWords } from '../kept/invoice-words/may-say.ts'
import { spellOut } from '../kept/name-looks/spell-out.ts'
import type { LineList, LineRow, LinesAhead, LineTotal } from '../model.ts'
import { DEFAULT_LINE_QUERY, type LineQuery, type LineSortKey } from '../query/line-query.ts'
import { type ListSource, toPage, withPlace } from '../sql/page-of-list.ts'
import { selectTogether } from '../sql/select-together.ts'
import { type SortColumn, type SortKey, toSortKey, writeOrder } from '../sql/sql-order.ts'
import { createSqlParameters, joinConditions } from '../sql/sql-parameters.ts'
import { countTotalled, sumByCurrency, toAllCountQuery, toTotalsQuery } from './line-totals.ts'
import { findPageLimit, type PageLimit, toExpenseLimits, toJump, toPageLimits } from './page-limits.ts'

const BY_CURRENCY: SortColumn = { sql: 'l.currency', isNullable: false, isAlwaysUp: true }

/** The allow-list of sort orders: nothing else reaches ORDER BY. */
const SORT_COLUMNS: Record<LineSortKey, SortColumn[]> = {
  expense_date: [{ sql: 'l.expense_date', isNullable: false }],
  issuing_date: [{ sql: 'l.issuing_date', isNullable: true }],
  description: [{ sql: 'l.description', isNullable: false }],
  trip: [
    { sql: 'l.trip_name', isNullable: true },
    { sql: 'l.trip_id', isNullable: true },
  ],
  vertical: [{ sql: 'l.related_vertical', isNullable: true }],
  cost_center: [{ sql: 'l.cost_center', isNullable: true }],
  quantity: [{ sql: 'l.quantity', isNullable: false }],
  // amounts of different currencies do not compare
  total_amount: [BY_CURRENCY, { sql: 'l.total_amount', isNullable: false }],
  // unexplained before explained over all currencies, then by size whatever its sign: clean lines
  // have none
  difference: [
    { sql: PACKED_STATE, isNullable: false },
    BY_CURRENCY,
    { sql: 'greatest(abs(l.difference), abs(l.tax_difference))', isNullable: false },
  ],
  invoice: [{ sql: 'l.invoice_serial_number', isNullable: false }],
  status: [{ sql: 'l.invoice_status', isNullable: true }],
}

const LINE_LIST: ListSource = {
  one: (organizationId, connectionId, id) =>
    `line l where l.organization_id = ${organizationId}::uuid and l.connection_id = ${connectionId} and l.id = ${id}`,
  connectionId: 'l.connection_id',
  id: 'l.id',
}

/** Of lines that are gone. */
const REMOVED_ON = `, to_char(l.missing_since at time zone 'UTC', 'YYYY-MM-DD') as "removedOn"`

/** What a search keeps of each line it finds: enough for the totals and for the order. */
const HIT_COLUMNS = ['l.organization_id', 'l.connection_id', 'l.id', 'l.currency', 'l.total_amount', 'l.finding_count']

function toHitColumns({ sort: { key } }: Pick<LineQuery, 'sort'>): string {
  const ordered = key === 'difference' ? ['l.difference', 'l.tax_difference'] : SORT_COLUMNS[key].map(({ sql }) => sql)
  return [...new Set([...HIT_COLUMNS, ...ordered])].join(', ')
}

/** In so many lines from where it begins, a search's page is looked for before all are searched. */
const PROBED_LINES = 5000

const NO_WORDS = { text: '', vendors: [], travelers: [] }

/** And in so many where its invoices are not few: all lines of a large ledger are more. */
const FAR_PROBED_LINES = 25_000

/** To look through so many lines takes no longer than the rest of a page. */
const SOON_SEARCHED = 10_000

function toLineKey({ sort }: Pick<LineQuery, 'sort'>, columns: SortColumn[] = SORT_COLUMNS[sort.key]): SortKey {
  return toSortKey(columns, sort.descending, ['l.connection_id', 'l.id'])
}

/** The same, with another SQL for the state of a line. */
function toLineKeyBy(state: string, query: Pick<LineQuery, 'sort'>): SortKey {
  const columns = SORT_COLUMNS[query.sort.key].map((each) =>
    each.sql === PACKED_STATE ? { ...each, sql: state } : each,
  )
  return toLineKey(query, columns)
}

/**
 * ORDER BY for lines: the requested column, then connection and id. The order is total, so pages
 * never overlap.
 */
export function toLineOrder(query: Pick<LineQuery, 'sort'>): string {
  return writeOrder(toLineKey(query))
}

/**
 * One page of the filtered lines, with the totals per currency of all of them, read at one moment.
 */
export function listLines(organizationId: OrganizationId, query: LineQuery): Promise<LineList> {
  return withTenantSnapshot(organizationId, async (sql) =>
    readList(sql, organizationId, await findPage(sql, organizationId, query)),
  )
}

/**
 * As `listLines`, but without the count and the totals where these alone take long: the first page
 * of a search that finds more lines than the page has, in a ledger of many lines. What they add up
 * to is for `summarizeLines` then.
 */
export function listLinesAhead(organizationId: OrganizationId, query: LineQuery): Promise<LineList | LinesAhead> {
  return withTenantSnapshot(organizationId, async (sql) => {
    const goesAhead = query.page === 1 && query.beside === null
    const found = await findPage(sql, organizationId, query, goesAhead)
    const { page, beside } = found.placed
    if (!asksForWords(query) || page > 1 || beside !== null || found.isGathered)
      return readList(sql, organizationId, found)
    const allLineCount = await countLines(sql, organizationId)
    if (allLineCount <= SOON_SEARCHED) return readList(sql, organizationId, found)
    return {
      rows: await readRows(sql, organizationId, found),
      allLineCount,
      place: 0,
      lineCount: null,
      totals: null,
    }
  })
}

/** The page's lines alone, for a list that goes on: nothing is counted or summed. */
export function listLineRows(organizationId: OrganizationId, query: LineQuery): Promise<LineRow[]> {
  return withTenantSnapshot(organizationId, async (sql) =>
    readRows(sql, organizationId, await findPage(sql, organizationId, query, true)),
  )
}

/** A line as it is read: some columns need its own record. */
type ReadLine = LineRow & { rawText?: string | null }

/** The page that is asked for, and how its lines are found. */
type FoundPage = { placed: LineQuery; isGathered: boolean; among: FoundInvoices | null }

/** `isRows`: nothing is counted or summed, for which all lines would have to be searched anyway. */
async function findPage(
  sql: Sql,
  organizationId: OrganizationId,
  query: LineQuery,
  isRows = false,
): Promise<FoundPage> {
  const placed = await withPlace(sql, LINE_LIST, organizationId, await spellOut(sql, organizationId, query))
  if (!asksForWords(placed)) return { placed, isGathered: false, among: null }
  // only this order comes from an index
  const isOrdered = placed.sort.key === 'expense_date' && !placed.goneOnly
  const isFull = (lines: number) => isFullWithin(sql, organizationId, placed, lines)
  if (isOrdered && (await isFull(PROBED_LINES))) return { placed, isGathered: false, among: null }
  const among = await findInvoicesOfText(sql, organizationId, placed)
  const isGathered = !(among === null && isOrdered && isRows && (await isFull(FAR_PROBED_LINES)))
  return { placed, isGathered, among }
}

async function readList(sql: Sql, organizationId: OrganizationId, found: FoundPage): Promise<LineList> {
  const { placed, isGathered } = found
  const { list, page } = await withPageLimit(sql, organizationId, placed, async (limit) => {
    const { parameters, own, page, from, commonTables, rows } = toLinePage(organizationId, found, limit)
    const list = await selectTogether<{
      rows: ReadLine[]
      totals: LineTotal[]
      all: { count: number }[]
      before: { count: number }[]
    }>(
      sql,
      {
        rows,
        totals: isGathered
          ? sumByCurrency('hit l', LINES, () => own)
          : toTotalsQuery(organizationId, placed, parameters),
        all: toAllCountQuery(organizationId, placed, parameters),
        before: `select count(*)::int as count ${page.isBefore === null ? 'where false' : `from ${from} and ${page.isBefore}`}`,
      },
      parameters.values,
      commonTables,
    )
    return { list, page, rows: list.rows }
  })
  const lineCount = countTotalled(list.totals)
  return {
    rows: withPayloadWords(list.rows),
    lineCount,
    allLineCount: list.all[0]?.count ?? lineCount,
    totals: list.totals,
    place: page.toPlace(list.before[0]?.count ?? 0, list.rows.length, lineCount),
    page: placed.page,
    pageCount: Math.max(1, Math.ceil(lineCount / placed.pageSize)),
  }
}

async function readRows(sql: Sql, organizationId: OrganizationId, found: FoundPage): Promise<LineRow[]> {
  const { rows } = await withPageLimit(sql, organizationId, found.placed, async (limit) => {
    const { parameters, commonTables, rows } = toLinePage(organizationId, found, limit)
    return selectTogether<{ rows: ReadLine[] }>(sql, { rows }, parameters.values, commonTables)
  })
  return withPayloadWords(rows)
}

async function countLines(sql: Sql, organizationId: OrganizationId): Promise<number> {
  const parameters = createSqlParameters()
  const [all] = await sql<{ count: number }>(toLineCountQuery(organizationId, parameters), parameters.values)
  return all?.count ?? 0
}

/** Reads a page within the limit that is likely to hold it, and without one if it is not full. */
async function withPageLimit<Page extends { rows: LineRow[] }>(
  sql: Sql,
  organizationId: OrganizationId,
  query: LineQuery,
  read: (limit: PageLimit | null) => Promise<Page>,
): Promise<Page> {
  const limit = await findPageLimit(sql, organizationId, query)
  const page = await read(limit)
  return limit === null || page.rows.length === query.pageSize ? page : read(null)
}

/**
 * Whether a search fills its page with what so many lines of the list have, so that it need not go
 * through all lines. Both ways find the same. It has to find one more than the page has: so much
 * can be said of a list that is not counted.
 */
async function isFullWithin(
  sql: Sql,
  organizationId: OrganizationId,
  query: LineQuery,
  lines: number,
): Promise<boolean> {
  const parameters = createSqlParameters()
  const wanted = { ...query, pageSize: query.pageSize + 1 }
  const page = toPage(LINE_LIST, toLineKey(query), organizationId, wanted, parameters)
  const others = toLineConditions(organizationId, { ...query, ...NO_WORDS }, parameters)
  const { text, vendors, travelers } = query
  const words = toLineConditions(organizationId, { ...DEFAULT_LINE_QUERY, text, vendors, travelers }, parameters)
  const probed = `select * from line l where ${others} and ${page.condition} order by ${page.pickOrder} limit ${lines}`
  const rows = await sql(
    `${toWith(page.commonTables)} select from (${probed}) l where ${words} ${page.pick}`,
    parameters.values,
  )
  return rows.length === wanted.pageSize
}

const toWith = (tables: readonly string[]) => (tables.length === 0 ? '' : `with ${tables.join(', ')}`)

/**
 * SQL of a page of lines. What a search gathers is looked for once, and not for the page and for
 * the totals; else the page's keys come first: filters and order are then read from the index, and
 * only the page's lines are opened.
 */
function toLinePage(
  organizationId: OrganizationId,
  { placed: query, isGathered, among }: FoundPage,
  limit: PageLimit | null,
) {
  const parameters = createSqlParameters()
  const conditions = toLineConditions(organizationId, query, parameters, toLines(query), among)
  const jump = isGathered ? null : toJump(organizationId, query, parameters)
  const own = `${parameters.add(organizationId)}::uuid`
  // lines with findings alone are read themselves: nothing of them is looked up
  const state = isGathered ? toPackedState(own) : areFlagged(query) ? STATE_OF_FLAGGED : PACKED_STATE
  const key = toLineKeyBy(state, query)
  const page = toPage(LINE_LIST, key, organizationId, query, parameters, jump)
  const limits = () => [
    query.sort.key === 'expense_date' ? toExpenseLimits(organizationId, query, parameters) : null,
    limit === null ? null : toPageLimits(organizationId, query, limit, parameters),
  ]
  // only what is asked for adds parameters: the database refuses one that it does not find
  const from = isGathered ? 'hit l where true' : `line l where ${joinConditions([conditions, ...limits()])}`
  const hit = `hit as materialized (select ${toHitColumns(query)} from line l where ${conditions})`
  return {
    parameters,
    /** The placeholder of the organization, which the rows name anyway. */
    own,
    page,
    from,
    commonTables: toWith([...(isGathered ? [hit] : []), ...page.commonTables]),
    rows: `select ${toLineRowColumns(query.columns)} ${query.goneOnly ? REMOVED_ON : ''}
           from (select l.connection_id, l.id from ${from} and ${page.condition} ${page.pick}) k
           join line l on l.organization_id = ${own} and l.connection_id = k.connection_id and l.id = k.id
           order by ${page.order}`,
  }
}
