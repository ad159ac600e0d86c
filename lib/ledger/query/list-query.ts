/**
 * The parts of a list's query. One table of parameters gives its type, its defaults, the reader and
 * the writer of the address, and the filter bar. Pure; the browser uses it too.
 */
import type { Day } from '#lib/reconcile/day.ts'
import { findPeriod, parsePeriod } from '#lib/reconcile/period.ts'
import {
  type Beside,
  PLACE_PARAMETERS,
  type RowKey,
  writeBeside,
  writePage,
  writePairs,
  writeSort,
} from './list-place.ts'
import {
  type RawSearchParams,
  readDay,
  readPage,
  readPageSize,
  readSort,
  readText,
  readValue,
  readValues,
  type Sort,
} from './search-params.ts'

export { type Beside, FIRST_PAGE, type RowKey } from './list-place.ts'

type Pair = [name: string, value: string]

/** One member of a query. */
export type Parameter<Value> = {
  /** Its value when the address does not say. */
  empty: Value
  /** Never throws; what cannot be read counts as not given. */
  read: (raw: RawSearchParams) => Value
  /** As in the address; an empty value writes nothing. */
  write: (value: Value) => Pair[]
  /** Whether it leaves records out, unlike an order or a page. */
  narrows: boolean
}

/**
 * `frequent`: the most common stored values. `connections`: the organization's own. `searched`: too
 * many to list. `fixed`: a list the bar knows. `link`: only a link sets the filter.
 */
type ChoiceSource = 'frequent' | 'connections' | 'searched' | 'fixed' | 'link'

/** A filter as the bar offers it. */
export type FilterSpec = {
  /** Its name for people. */
  label: string
  /** The word for a value the platform leaves out; absent if it never does. */
  unknown?: string
  /**
   * The record's field to compare with the values. The list's own SQL handles filters without one.
   */
  of?: string
  /** Where its choices come from; by default, all stored values of the field. */
  choices?: ChoiceSource
  /** The field that names a stored value that is an id. */
  nameOf?: string
  /** Whether it comes before the others in the menu. */
  isFirst?: true
}

/** A choice of values, a switch, or a span of days that begins with this one. */
export type Editor = 'values' | 'switch' | 'days'

/** A member that the filter bar offers, with an editor of its kind. */
type Filter<Value, Kind extends Editor, Spec> = Parameter<Value> & { editor: Kind; filter: Spec }

export type Parameters = Record<
  string,
  Omit<Parameter<unknown>, 'write'> & { write: (value: never) => Pair[]; editor?: Editor; filter?: FilterSpec }
>

export type QueryOf<Table extends Parameters> = { [Name in keyof Table]: Table[Name]['empty'] }

/** A table whose filters compare only these fields. */
export type FilterTable<Field extends string> = Record<
  string,
  Parameters[string] & { filter?: FilterSpec & { of?: Field; nameOf?: Field } }
>

/** Names of the filters that compare a field of the record. */
export type ComparedIn<Table extends Parameters> = {
  [Name in keyof Table]: Table[Name] extends { filter: { of: string } } ? Name : never
}[keyof Table]

/** Names of the filters whose choices have this source; `stored` where none is named. */
export type ChosenFrom<Table extends Parameters, Source extends ChoiceSource | 'stored'> = {
  [Name in keyof Table]: Table[Name] extends { editor: 'values'; filter: infer Spec }
    ? (Spec extends { choices: infer Own } ? Own : Spec extends { of: string } ? 'stored' : never) extends Source
      ? Name
      : never
    : never
}[keyof Table]

/**
 * Any number of values, each once, in order. An empty text means "unknown"; an empty list filters
 * nothing.
 */
export function valuesOf<const Spec extends FilterSpec>(name: string, filter: Spec): Filter<string[], 'values', Spec> {
  return toValues(name, filter, (raw) => readValues(raw, name))
}

/** As `valuesOf`, for currency codes: upper-cases them and drops what is not three letters. */
export function currenciesOf<const Spec extends FilterSpec>(
  name: string,
  filter: Spec,
): Filter<string[], 'values', Spec> {
  return toValues(name, filter, (raw) => {
    const codes = readValues(raw, name).map((code) => code.toUpperCase())
    return [...new Set(codes.filter((code) => /^[A-Z]{3}$/.test(code)))]
  })
}

/** As `valuesOf`, for values of a known list, in its order. */
export function someOf<Known extends string, const Spec extends FilterSpec>(
  name: string,
  known: readonly Known[],
  filter: Spec,
): Filter<Known[], 'values', Spec> {
  return toValues(name, filter, (raw) => {
    const given = readValues(raw, name)
    return known.filter((each) => given.includes(each))
  })
}

function toValues<Value extends string, Spec extends FilterSpec>(
  name: string,
  filter: Spec,
  read: (raw: RawSearchParams) => Value[],
): Filter<Value[], 'values', Spec> {
  const write = (values: Value[]) => values.map((value): Pair => [name, value])
  return { empty: [], read, write, narrows: true, editor: 'values', filter }
}

/** On or off: `1` in the address. */
export function switchOf<const Spec extends FilterSpec>(name: string, filter: Spec): Filter<boolean, 'switch', Spec> {
  return {
    empty: false,
    read: (raw) => readValue(raw, name) === '1',
    write: (isOn) => (isOn ? [[name, '1']] : []),
    narrows: true,
    editor: 'switch',
    filter,
  }
}

/** A calendar day or none. */
export function dayOf(name: string): Parameter<Day | null> {
  return {
    empty: null,
    read: (raw) => readDay(raw, name),
    write: (day) => (day === null ? [] : [[name, day]]),
    narrows: true,
  }
}

/** As `dayOf`, for the first day of the span that the bar offers. */
export function firstDayOf<const Spec extends FilterSpec>(
  name: string,
  filter: Spec,
): Filter<Day | null, 'days', Spec> {
  return { ...dayOf(name), editor: 'days', filter }
}

/** A text to search for. */
export function textOf(name: string): Parameter<string> {
  return {
    empty: '',
    read: (raw) => readText(raw, name),
    write: (text) => (text === '' ? [] : [[name, text]]),
    narrows: true,
  }
}

/** One of a known list; its first is the default. */
export function oneOf<Known extends string>(name: string, known: readonly [Known, ...Known[]]): Parameter<Known> {
  const [empty] = known
  return {
    empty,
    read: (raw) => known.find((each) => each === readValue(raw, name)) ?? empty,
    write: (value) => (value === empty ? [] : [[name, value]]),
    narrows: false,
  }
}

/**
 * The list's order: a key of its allow-list, else its own order. `-` before the key means
 * descending.
 */
export function sortOf<Key extends string>(keys: readonly Key[], empty: Sort<Key>): Parameter<Sort<Key>> {
  return {
    empty,
    read: (raw) => readSort(raw, keys, empty),
    write: (sort) => writeSort(sort, empty),
    narrows: false,
  }
}

/**
 * What to group by, outermost first: `by=trip,vertical`. Ignores unknown keys and those after the
 * third.
 */
export function groupedBy<Key extends string>(known: readonly Key[], empty: Key[]): Parameter<Key[]> {
  return {
    empty,
    read: (raw) => {
      const given = readValues(raw, 'by').flatMap((value) => value.split(','))
      const by = [...new Set(given.flatMap((key) => known.find((each) => each === key) ?? []))].slice(0, MAX_KEYS)
      return by.length === 0 ? empty : by
    },
    write: (by) => (by.join() === empty.join() ? [] : [['by', by.join()]]),
    narrows: false,
  }
}

/** The page, counted from 1. */
export const PAGE: Parameter<number> = {
  empty: 1,
  read: readPage,
  write: writePage,
  narrows: false,
}

const DEFAULT_PAGE_SIZE = 50
/** Keys in one nesting. */
export const MAX_KEYS = 3

/** Rows per page: 25 to 200. */
export const PAGE_SIZE: Parameter<number> = {
  empty: DEFAULT_PAGE_SIZE,
  read: (raw) => readPageSize(raw, DEFAULT_PAGE_SIZE),
  write: (size) => (size === DEFAULT_PAGE_SIZE ? [] : [['size', String(size)]]),
  narrows: false,
}

/**
 * The record beside the page: `after=<connection id>~<id>`, `before=…`. Where records come and go,
 * it keeps the place; a page's number does not.
 */
export const BESIDE: Parameter<Beside | null> = {
  empty: null,
  read: (raw) => {
    const after = toRowKey(readValue(raw, 'after') ?? '')
    if (after !== null) return { side: 'after', row: after }
    const before = readValue(raw, 'before')
    const row = toRowKey(before ?? '')
    return row !== null || before === '' ? { side: 'before', row } : null
  },
  write: writeBeside,
  narrows: false,
}

function toRowKey(text: string): RowKey | null {
  const at = text.indexOf('~')
  const row = { connectionId: text.slice(0, Math.max(at, 0)), id: text.slice(at + 1) }
  return row.connectionId !== '' && row.id !== '' ? row : null
}

export type QueryDefinition<Table extends Parameters> = {
  parameters: Table
  empty: QueryOf<Table>
  /**
   * Never throws; what cannot be read counts as not given. `parse(write(query))` equals `query`.
   */
  parse: (raw: RawSearchParams) => QueryOf<Table>
  /** The search part of an address, without `?`: in the table's order, defaults left out. */
  write: (query: QueryOf<Table>) => string
}

/** A list's query from its table of parameters. */
export function defineQuery<const Table extends Parameters>(parameters: Table): QueryDefinition<Table> {
  return {
    parameters,
    empty: mapValues(parameters, ({ empty }) => empty),
    parse: (raw) => {
      const given = withDays(raw)
      return mapValues(parameters, ({ read }) => read(given))
    },
    write: (query) => {
      const pairs = Object.keys(parameters).flatMap((name) => listPairs(parameters, query, name))
      return writePairs(parameters.from?.editor === 'days' ? withPeriod(pairs, 'dateField' in parameters) : pairs)
    },
  }
}

/** `period=2026-Q4` stands for the days in it: of issue, unless the address says of expense. */
function withDays(raw: RawSearchParams): RawSearchParams {
  const period = parsePeriod(readValue(raw, 'period') ?? '')
  if (period === null) return raw
  const date = readValue(raw, 'date') === 'expense' ? 'expense' : 'issued'
  return { ...raw, from: period.from, to: period.to, date }
}

/** The same the other way: days that are exactly a period have its name on every page. */
function withPeriod(pairs: Pair[], hasDateField: boolean): Pair[] {
  const read = (name: string) => (pairs.find(([each]) => each === name)?.[1] ?? null) as Day | null
  const period = findPeriod(read('from'), read('to'))
  if (period === null) return pairs
  const isOfExpense = hasDateField && read('date') === null
  return pairs.flatMap((pair): Pair[] => {
    const [name] = pair
    if (name === 'from')
      return isOfExpense
        ? [
            ['period', period.text],
            ['date', 'expense'],
          ]
        : [['period', period.text]]
    return name === 'to' || name === 'date' ? [] : [pair]
  })
}

/** Whether any filter is set: an empty list because of a filter is not an empty ledger. */
export function hasFilters<Table extends Parameters>(parameters: Table, query: QueryOf<Table>): boolean {
  return Object.keys(parameters).some(
    (name) => parameters[name]?.narrows && listPairs(parameters, query, name).length > 0,
  )
}

const OF_A_MATRIX = ['across', 'measure', 'in', 'against']

/** Of which view it is, and what became of a change of it. */
const OF_A_VIEW = ['view', 'said', 'error']

/** Parameters of a list's page that leave no record out. */
const OF_THE_PAGE = [
  ...PLACE_PARAMETERS,
  'tab',
  'size',
  'sort',
  'columns',
  'density',
  'by',
  ...OF_A_MATRIX,
  'date',
  'line',
  'open',
]

/**
 * What an address says that no filter of these understands, as `name=value`: unknown names, and
 * values that cannot be read. The list then shows more than the address asked for.
 */
export function listUnread<Table extends Parameters>(parameters: Table, raw: RawSearchParams): string[] {
  const isRead = (name: string, value: string) =>
    (name === 'period' && 'from' in parameters && (value === 'all' || parsePeriod(value) !== null)) ||
    Object.values<Parameters[string]>(parameters).some(({ read, empty, narrows }) => {
      return narrows && JSON.stringify(read({ [name]: value })) !== JSON.stringify(empty)
    })
  return Object.entries(raw).flatMap(([name, given]) =>
    [given ?? []]
      .flat()
      .filter((value) => ![...OF_THE_PAGE, ...OF_A_VIEW].includes(name) && !isRead(name, value))
      .map((value) => `${name}=${value}`),
  )
}

function listPairs<Table extends Parameters>(parameters: Table, query: QueryOf<Table>, name: string): Pair[] {
  return parameters[name]?.write(query[name] as never) ?? []
}

function mapValues<Table extends Parameters>(
  parameters: Table,
  toValue: (parameter: Parameters[string]) => unknown,
): QueryOf<Table> {
  const members = Object.entries(parameters).map(([name, parameter]) => [name, toValue(parameter)])
  return Object.fromEntries(members) as QueryOf<Table>
}
