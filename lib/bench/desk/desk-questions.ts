/**
 * The questions of `npm run bench -- desk`: each as an address of ours and as DuckDB's SQL.
 * Both answer with the same cells, one for each group and currency.
 */

/** How DuckDB spells each key of a summary. */
const KEYS = {
  month: `strftime(expense_date, '%Y-%m')`,
  month_issued: `strftime(issuing_date, '%Y-%m')`,
  currency: 'currency',
  vertical: 'related_vertical',
  cost_center: 'cost_center',
  profile: 'profile_id',
  tax_regime: 'tax_regime',
  tax_percentage: 'tax_percentage::varchar',
  trip: 'trip_id',
  service: 'service',
}

type Key = keyof typeof KEYS

export type Question = {
  kind: 'summary' | 'ad hoc'
  name: string
  by: Key[]
  /** The filters of the address. */
  filters: Record<string, string>
  /** The same for DuckDB. */
  where: string
  /** Asked for by the groups' address, which answers a page. */
  isPage?: true
}

const SUMMARIES: Key[][] = [
  ['month', 'currency'],
  ['vertical'],
  ['cost_center'],
  ['profile'],
  ['tax_regime'],
  ['tax_percentage'],
  ['service'],
  ['month', 'vertical'],
  ['month', 'cost_center'],
  ['cost_center', 'vertical'],
  ['profile', 'month'],
]

/** The first page of a few hundred thousand trips, by name; nobody asks for all of them at once. */
const TRIPS: Question = {
  kind: 'summary',
  name: 'trips, the first 50',
  by: ['trip'],
  filters: {},
  where: `trip_id in (
    select trip_id from (select trip_id, substr(max(expense_date::varchar || ' ' || trip_name), 12) as label from line group by trip_id)
    order by coalesce(label, trip_id), trip_id limit 50)`,
  isPage: true,
}

/** Groups of few values: all of them are on the first page. */
const GROUPS = (['month', 'month_issued', 'tax_regime', 'tax_percentage', 'service', 'profile'] as const).map(
  (key): Question => ({
    kind: 'summary',
    name: `groups by ${key}`,
    by: [key],
    filters: { size: '200' },
    where: 'true',
    isPage: true,
  }),
)

/** DuckDB's words for a text anywhere in what ours searches. */
const toSearch = (text: string) =>
  `(concat_ws(chr(31), description, trip_name, trip_id, invoice_serial_number, vendor_name, cost_center, id, traveler_names) ilike '%${text}%')`

/** An amount in any of a line's figures, whatever its sign. */
const toAmount = (amount: string) =>
  `(${[
    'total_amount',
    'tax_amount',
    'unit_price',
    'non_taxable_unit_price',
    'difference',
    'tax_difference',
    'difference + tax_difference',
  ]
    .map((column) => `abs(${column}) = ${amount}`)
    .join(' or ')})`

const toDays = (column: string, from: string, to: string) => `${column} between '${from}' and '${to}'`

const AD_HOC: Omit<Question, 'kind'>[] = [
  {
    name: 'verticals of 74 days',
    by: ['vertical'],
    filters: { from: '2026-03-05', to: '2026-05-17' },
    where: toDays('expense_date', '2026-03-05', '2026-05-17'),
  },
  {
    name: 'cost centers of 41 days',
    by: ['cost_center'],
    filters: { from: '2026-06-10', to: '2026-07-20' },
    where: toDays('expense_date', '2026-06-10', '2026-07-20'),
  },
  {
    name: 'trips of nine days in hotels',
    by: ['trip'],
    filters: { vertical: 'hotel', from: '2026-09-02', to: '2026-09-10' },
    where: `related_vertical = 'hotel' and ${toDays('expense_date', '2026-09-02', '2026-09-10')}`,
  },
  {
    name: 'verticals, searched by text',
    by: ['vertical'],
    filters: { q: '"lisbon 12"' },
    where: toSearch('lisbon 12'),
  },
  {
    name: 'months of an exact amount',
    by: ['month'],
    filters: { q: '119.00' },
    where: `(${toSearch('119.00')} or ${toAmount('119.00')})`,
  },
  {
    name: 'verticals of words in any order',
    by: ['vertical'],
    filters: { q: 'hotel lisbon 1234' },
    where: `${toSearch('hotel')} and ${toSearch('lisbon')} and (${toSearch('1234')} or ${toAmount('1234')} or credit_card_last_4_digits = '1234')`,
  },
  {
    name: 'cost centers of a range and a currency',
    by: ['cost_center'],
    filters: { q: '301-302 CHF' },
    where: `(${toSearch('301-302')} or abs(total_amount) between 301 and 302) and (${toSearch('chf')} or currency = 'CHF')`,
  },
  {
    name: 'cost centers of lines with findings',
    by: ['cost_center'],
    filters: { findings: '1' },
    where: 'finding_count > 0',
  },
  {
    name: 'months of a service in a cost center',
    by: ['month'],
    filters: { service: 'hotel', cost_center: '4010 Department 1' },
    where: `service = 'hotel' and cost_center = '4010 Department 1'`,
  },
  {
    name: 'tax rates by month of agency lines issued in 101 days',
    by: ['tax_percentage', 'month'],
    filters: { mode: 'agency', currency: 'EUR', date: 'issued', from: '2026-01-10', to: '2026-04-20' },
    where: `invoice_mode = 'agency' and currency = 'EUR' and ${toDays('issuing_date', '2026-01-10', '2026-04-20')}`,
  },
]

export const QUESTIONS: Question[] = [
  TRIPS,
  ...SUMMARIES.map((by): Question => ({ kind: 'summary', name: by.join(' × '), by, filters: {}, where: 'true' })),
  ...GROUPS,
  ...AD_HOC.map((question): Question => ({ kind: 'ad hoc', ...question })),
]

export function toAddress({ by, filters, isPage }: Question): string {
  return `/api/${isPage ? 'groups' : 'summaries'}?${new URLSearchParams({ by: by.join(), ...filters })}`
}

export function toDuckSql({ by, where }: Question): string {
  const keys = by.map((key, at) => `${KEYS[key]} as key_${at}`)
  return `select ${keys.join(', ')}, currency, count(*) as lines, sum(total_amount)::varchar as total, sum(finding_count)::bigint as findings
          from line where ${where} group by ${keys.map((_, at) => `key_${at}`).join(', ')}, currency`
}

/** A cell's key and figures as texts that are equal exactly when the cells are. */
export type Cells = Map<string, { lines: string; total: string; findings: string | null }>

type Cell = {
  values: unknown[]
  currency: unknown
  lineCount: unknown
  totalAmount: unknown
  /** Undefined where an answer has none per currency. */
  findingCount?: unknown
}

/** @throws Error when a cell comes twice, or a summary is cut. */
export function readAnswer({ isPage }: Question, body: string): Cells {
  if (isPage) return readGroups(body)
  const { rows, isWhole } = JSON.parse(body) as { rows: Cell[]; isWhole: boolean }
  if (!isWhole) throw new Error('The summary has more rows than were answered.')
  return toCells(rows)
}

/** @throws Error when a cell comes twice. */
export function readDuckRows(rows: unknown[][]): Cells {
  return toCells(
    rows.map((row) => {
      const [currency, lineCount, totalAmount, findingCount] = row.slice(-4)
      return { values: row.slice(0, -4), currency, lineCount, totalAmount, findingCount }
    }),
  )
}

/** The groups page has findings for a group, not for its currencies. */
function readGroups(body: string): Cells {
  const { rows } = JSON.parse(body) as { rows: { values: { value: string | null }[]; totals: Cell[] }[] }
  return toCells(
    rows.flatMap(({ values, totals }) =>
      totals.map((total) => ({ ...total, values: values.map(({ value }) => value) })),
    ),
  )
}

function toCells(rows: Cell[]): Cells {
  const cells: Cells = new Map()
  for (const { values, currency, lineCount, totalAmount, findingCount } of rows) {
    const key = JSON.stringify([...values, currency].map((value) => (value === null ? null : trimScale(String(value)))))
    if (cells.has(key)) throw new Error(`The cell ${key} comes twice.`)
    cells.set(key, {
      lines: String(lineCount),
      total: trimScale(String(totalAmount)),
      findings: findingCount === undefined ? null : String(findingCount),
    })
  }
  return cells
}

/** Zeros at the end say nothing here: "19.00" is "19". */
function trimScale(text: string): string {
  return /^-?\d+\.\d+$/.test(text) ? text.replace(/\.?0+$/, '') : text
}

/** What differs, for people; null if the answers are equal. */
export function compareCells(ours: Cells, theirs: Cells): string | null {
  if (ours.size !== theirs.size) return `${ours.size} cells here, ${theirs.size} in DuckDB`
  for (const [key, mine] of ours) {
    const other = theirs.get(key)
    const isEqual =
      mine.lines === other?.lines &&
      mine.total === other.total &&
      (mine.findings === null || mine.findings === other.findings)
    if (!isEqual) return `${key} is ${JSON.stringify(mine)} here, ${JSON.stringify(other)} in DuckDB`
  }
  return null
}
