import { type Sql, withTenantSnapshot } from '#lib/db/tenant.ts'
import type { OrganizationId } from '#lib/ids.ts'
import type { GroupKey } from '#lib/reconcile/group-keys.ts'
import { toComparedSpan } from '#lib/reconcile/matrix/compared-span.ts'
import { compareDecimals } from '#lib/reconcile/money.ts'
import { findInvoicesOfText } from '../../kept/invoice-words/find-invoices-of-text.ts'
import { spellOut } from '../../kept/name-looks/spell-out.ts'
import type { Matrix, MatrixRow } from '../../model.ts'
import { FILTER_OF } from '../../query/group-query.ts'
import type { LineFilters } from '../../query/line-query.ts'
import { type MatrixQuery, toMeasured } from '../../query/matrix-query.ts'
import { readGroups } from '../list-groups.ts'
import { createFigures, type Value } from './matrix-figures.ts'
import { type CellSum, sumCells } from './sum-cells.ts'

/** Wider is nothing that anybody reads; the totals are of all columns. */
const MOST_COLUMNS = 60

/** Of the groups inside an open one. */
const MOST_INSIDE = 200

/**
 * Groups of the filtered lines in rows, one or two levels, by another key in columns: exact sums of
 * one measure in one currency, read at one moment. The rows, their order and their pages are those
 * of `listGroups` in that currency.
 * A group that only the days compared with have is no row, and counts in their total.
 */
export function getMatrix(organizationId: OrganizationId, query: MatrixQuery): Promise<Matrix> {
  return withTenantSnapshot(organizationId, (sql) => readMatrix(sql, organizationId, toMeasured(query)))
}

async function readMatrix(sql: Sql, organizationId: OrganizationId, query: MatrixQuery): Promise<Matrix> {
  const sums = createSums(sql, organizationId, query)
  const currencies = await sums.of(query, [])
  const shown = chooseCurrency(currencies, query.shownCurrency)
  const scoped = shown === null ? query : toScoped(query, shown.currency)
  const list = await readGroups(sql, organizationId, scoped, query.measure)
  const [outer, inner] = scoped.by as [GroupKey, GroupKey | undefined]

  const groups: CellSum[] = list.rows.map(({ values: [of], totals: [total], lineCount }) => ({
    values: [of?.value ?? null],
    label: of?.label ?? null,
    currency: total?.currency ?? '',
    amount: total?.totalAmount ?? ZERO,
    lineCount,
  }))
  const opened = inner === undefined ? [] : groups.filter(({ values: [value = null] }) => query.open.includes(value))
  const inOpened = among(scoped, outer, opened)
  const inside =
    inner === undefined || opened.length === 0 ? [] : orderInside(await sums.of(inOpened, [outer, inner]), query.sort)
  const shownInside = cutInside(inside)

  const allColumns = await sums.of(scoped, [scoped.across])
  const columns = chooseColumns(allColumns)
  const cells = [
    ...allColumns,
    ...(groups.length === 0 ? [] : await sums.of(among(scoped, outer, groups), [outer, scoped.across])),
    ...(inside.length === 0 || inner === undefined ? [] : await sums.of(inOpened, [outer, inner, scoped.across])),
  ]
  const span = toComparedSpan(query.from, query.to, query.against)
  const before =
    span === null
      ? null
      : [
          ...(await sums.of({ ...scoped, ...span }, [])),
          ...(groups.length === 0 ? [] : await sums.of({ ...among(scoped, outer, groups), ...span }, [outer])),
          ...(inside.length === 0 || inner === undefined
            ? []
            : await sums.of({ ...inOpened, ...span }, [outer, inner])),
        ]
  const toFigures = createFigures({ columns, cells, before, grand: shown?.amount ?? ZERO })
  const toRow = ({ label, ...sum }: CellSum): MatrixRow => ({ values: sum.values, label, ...toFigures(sum) })
  return {
    currency: shown?.currency ?? null,
    currencies: currencies.map(({ currency, amount, lineCount }) => ({ currency, amount, lineCount })),
    columns: columns.map(({ values: [value = null], label }) => ({ value, label })),
    columnCount: allColumns.length,
    rows: groups.flatMap((group) => [group, ...shownInside.filter(isIn(group))].map(toRow)),
    all: toFigures(shown ?? { values: [], amount: ZERO, lineCount: 0 }),
    groupCount: list.groupCount,
    further: opened.flatMap((group) => {
      const count = inside.filter(isIn(group)).length - MOST_INSIDE
      return count > 0 ? { value: group.values[0] ?? null, count } : []
    }),
    comparedWith: span,
    lineCount: list.lineCount,
    allLineCount: list.allLineCount,
    page: list.page,
    pageCount: list.pageCount,
  }
}

/** The sums of a query, of its own days or of those compared with. */
function createSums(sql: Sql, organizationId: OrganizationId, { measure }: MatrixQuery) {
  return {
    of: async (asked: LineFilters, keys: readonly GroupKey[]): Promise<CellSum[]> => {
      const filters = await spellOut(sql, organizationId, asked)
      const found = await findInvoicesOfText(sql, organizationId, filters)
      return sumCells(sql, organizationId, { filters, keys, measure, found })
    },
  }
}

/** The one asked for, if lines have it; else that of most lines. */
function chooseCurrency(currencies: readonly CellSum[], asked: string | null): CellSum | null {
  const most = currencies.toSorted((a, b) => b.lineCount - a.lineCount)[0]
  return currencies.find(({ currency }) => currency === asked) ?? most ?? null
}

/** Lines of other currencies are in no cell; any currency's order is that of the one shown. */
function toScoped(query: MatrixQuery, currency: string): MatrixQuery {
  const { key, descending } = query.sort
  const sort = { key: key.startsWith('total_') ? ('total' as const) : key, descending }
  return { ...query, currencies: [currency], sort }
}

/** Lines of these groups alone. */
function among(query: MatrixQuery, key: GroupKey, groups: readonly CellSum[]): MatrixQuery {
  return { ...query, [FILTER_OF[key]]: groups.map(({ values: [value = null] }) => value ?? '') }
}

function chooseColumns(all: CellSum[]): CellSum[] {
  if (all.length <= MOST_COLUMNS) return all
  const most = new Set(all.toSorted((a, b) => b.lineCount - a.lineCount).slice(0, MOST_COLUMNS))
  return all.filter((column) => most.has(column))
}

/** They come in the order of their key. */
function orderInside(sums: CellSum[], { key, descending }: MatrixQuery['sort']): CellSum[] {
  const sign = descending ? -1 : 1
  if (key === 'lines') return sums.toSorted((a, b) => sign * (a.lineCount - b.lineCount))
  if (key === 'total' || key.startsWith('total_'))
    return sums.toSorted((a, b) => sign * compareDecimals(a.amount, b.amount))
  return sums
}

function cutInside(inside: readonly CellSum[]): CellSum[] {
  const counts = new Map<Value, number>()
  return inside.filter(({ values: [value = null] }) => {
    const count = (counts.get(value) ?? 0) + 1
    counts.set(value, count)
    return count <= MOST_INSIDE
  })
}

const ZERO = '0' as CellSum['amount']
const isIn =
  ({ values: [outer] }: CellSum) =>
  ({ values: [value] }: CellSum) =>
    value === outer
