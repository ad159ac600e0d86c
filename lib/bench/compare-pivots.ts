/** Pivots beside DuckDB's answers to the same questions, over the product's own file of lines. */
import { createWriteStream, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { CSV_FILES } from '#lib/export/stream-csv.ts'
import type { OrganizationId, UserId } from '#lib/ids.ts'
import type { Matrix } from '#lib/ledger/model.ts'
import { DEFAULT_LINE_QUERY } from '#lib/ledger/query/line-query.ts'
import { MATRIX_QUERY, type MatrixQuery } from '#lib/ledger/query/matrix-query.ts'
import { getMatrix } from '#lib/ledger/read/matrix/get-matrix.ts'
import type { GroupKey } from '#lib/reconcile/group-keys.ts'
import { foldName } from '#lib/reconcile/look-alikes.ts'
import { toComparedSpan } from '#lib/reconcile/matrix/compared-span.ts'
import { askDuckDb } from './desk/desk-peer.ts'
import {
  askAtRandom,
  type Choices,
  createRandom,
  NAME_COLUMNS,
  toChoicesSql,
  toSumSql,
  toTable,
  toWhere,
} from './pivot-questions.ts'

/** DuckDB with the organization's file of lines, all texts. The folder holds it meanwhile. */
export async function openLinesFile(
  organizationId: OrganizationId,
  userId: UserId,
  folder: string,
): Promise<DuckDBConnection> {
  const file = join(folder, 'lines.csv')
  const reader = { userId, signal: new AbortController().signal }
  const stream = await CSV_FILES.lines.stream(organizationId, reader, DEFAULT_LINE_QUERY)
  await pipeline(Readable.fromWeb(stream as ReadableStream), createWriteStream(file))
  const duck = await (await DuckDBInstance.create(':memory:', { threads: '2' })).connect()
  await duck.run(
    `create table line as select * from read_csv('${file}', header = true, all_varchar = true, delim = ',', quote = '"', escape = '"')`,
  )
  rmSync(file)
  await addLooks(duck)
  return duck
}

/** The same lines with their names as these look, list by list. */
async function addLooks(duck: DuckDBConnection): Promise<void> {
  const texts = NAME_COLUMNS.map((column) => `select ${column} as text from line`).join(' union ')
  const found = await askDuckDb(duck, `select distinct text from (${texts}) where text is not null`)
  await duck.run('create table look (text varchar, look varchar)')
  const appender = await duck.createAppender('look')
  for (const [text] of found) {
    const names = String(text).split('; ').map(foldName)
    appender.appendVarchar(String(text))
    appender.appendVarchar(names.join('; '))
    appender.endRow()
  }
  appender.closeSync()
  const looks = NAME_COLUMNS.map((column) => `(select look from look where text = ${column}) as ${column}`)
  await duck.run(`create table line_of_looks as select * replace (${looks.join(', ')}) from line`)
}

type Compared = { asked: number; cells: number; rows: number; ms: number[] }

/** @throws Error with the question, at the first figure that differs. */
export async function comparePivots(
  organizationId: OrganizationId,
  duck: DuckDBConnection,
  { questions, seed }: { questions: number; seed: number },
): Promise<Compared> {
  const random = createRandom(seed)
  const choices = await readChoices(duck)
  const compared: Compared = { asked: 0, cells: 0, rows: 0, ms: [] }
  for (let at = 0; at < questions; at++) {
    const asked = askAtRandom(random, choices)
    const begin = performance.now()
    const first = await getMatrix(organizationId, asked)
    // the inner groups of the first of a page are as good as any
    const open = asked.by.length > 1 ? first.rows.slice(0, 3).map(({ values: [value = null] }) => value) : []
    const query = { ...asked, open }
    const matrix = open.length > 0 ? await getMatrix(organizationId, query) : first
    compared.ms.push(performance.now() - begin)
    const wrong = await findDifference(duck, query, matrix)
    if (wrong !== null) throw new Error(`${wrong}: ${MATRIX_QUERY.write(query)}`)
    compared.asked += 1
    compared.rows += matrix.rows.length
    compared.cells += matrix.rows.length * matrix.columns.length
  }
  return compared
}

const CHOICES: (keyof Choices)[] = [
  'cost_center',
  'vertical',
  'traveler',
  'label',
  'month',
  'month_issued',
  'out_of_policy',
]

async function readChoices(duck: DuckDBConnection): Promise<Choices> {
  const found = {} as Choices
  for (const key of CHOICES) found[key] = (await askDuckDb(duck, toChoicesSql(key))).map(([value]) => String(value))
  return found
}

type Sums = Map<string, { amount: string; lines: string }>

/** What differs, for people; null if nothing does. */
async function findDifference(duck: DuckDBConnection, query: MatrixQuery, matrix: Matrix): Promise<string | null> {
  const { by, across } = query
  const span = toComparedSpan(query.from, query.to, query.against)
  if (matrix.currency === null) {
    const [row] = await askDuckDb(
      duck,
      `select count(*)::varchar from ${toTable(query)} where ${toWhere(query, 'EUR')}`,
    )
    return row?.[0] === '0' ? null : 'no line here'
  }
  const where = toWhere(query, matrix.currency)
  const ask = async (keys: GroupKey[], condition = where): Promise<Sums> =>
    toSums(await askDuckDb(duck, toSumSql(query, keys, condition)))
  const before = span === null ? null : toWhere({ ...query, ...span }, matrix.currency)

  const columns = await ask([across])
  if (columns.size !== matrix.columnCount) return `${matrix.columnCount} columns here, ${columns.size} there`
  const levels = by.map((_, at) => by.slice(0, at + 1))
  const outer = await ask(levels[0] as GroupKey[])
  if (outer.size !== matrix.groupCount) return `${matrix.groupCount} groups here, ${outer.size} there`
  for (const keys of [[], ...levels]) {
    const rows =
      keys.length === 0
        ? [{ ...matrix.all, values: [] }]
        : matrix.rows.filter(({ values }) => values.length === keys.length)
    const [totals, cells] = [await ask(keys), await ask([...keys, across])]
    const earlier = before === null ? null : await ask(keys, before)
    for (const row of rows) {
      const total = totals.get(toKey(row.values))
      if (toPlain(row.total) !== total?.amount || String(row.lineCount) !== total.lines)
        return `the row ${toKey(row.values)} is ${row.total} of ${row.lineCount} here, ${JSON.stringify(total)} there`
      for (const [at, amount] of row.cells.entries()) {
        const cell = cells.get(toKey([...row.values, matrix.columns[at]?.value ?? null]))?.amount
        if ((amount === null ? undefined : toPlain(amount)) !== cell)
          return `a cell of ${toKey(row.values)} is ${amount} here, ${cell} there`
      }
      const compared = row.compared === null ? null : toPlain(row.compared.total)
      const expected = earlier === null ? null : (earlier.get(toKey(row.values))?.amount ?? '0')
      if (compared !== expected) return `${toKey(row.values)} was ${compared} here, ${expected} there`
    }
    // every column that has lines is shown, unless there are more than a screen takes
    if (matrix.columns.length === matrix.columnCount && keys.length === 0 && cells.size !== matrix.columns.length)
      return 'columns are missing'
  }
  return null
}

function toSums(rows: unknown[][]): Sums {
  return new Map(
    rows.map((row) => {
      const [amount, lines] = row.slice(-2)
      return [toKey(row.slice(0, -2)), { amount: toPlain(String(amount)), lines: String(lines) }]
    }),
  )
}

/** Zeros at the end say nothing here, in keys that are rates neither. */
const toKey = (values: readonly unknown[]) =>
  JSON.stringify(values.map((value) => (value === null || value === undefined ? null : toPlain(String(value)))))
const toPlain = (text: string) => {
  const plain = /^-?\d+\.\d+$/.test(text) ? text.replace(/\.?0+$/, '') : text
  return plain === '-0' ? '0' : plain
}
