/** One Parquet file, written row group by row group: memory does not grow with it. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { fileWriter, ParquetWriter } from 'hyparquet-writer'
import type { LakeRow } from '#lib/ledger/lake/model.ts'
import { addDecimals, type DecimalText } from '#lib/reconcile/money.ts'
import type { LakeColumn, LakeTable, LakeType } from './lake-columns.ts'
import { DECIMAL, type LakeValue, TO_LAKE_VALUE } from './lake-values.ts'
import type { LakeFile } from './manifest.ts'

/** So many rows are in memory at a time. */
const GROUP_ROWS = 20_000

const ELEMENTS = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  decimal: { type: 'FIXED_LEN_BYTE_ARRAY', type_length: 16, converted_type: 'DECIMAL', ...DECIMAL },
  day: { type: 'INT32', converted_type: 'DATE' },
  count: { type: 'INT64' },
  boolean: { type: 'BOOLEAN' },
  moment: { type: 'INT64', converted_type: 'TIMESTAMP_MICROS' },
} as const satisfies Record<LakeType, object>

type Written = Pick<LakeFile, 'rows' | 'bytes' | 'sha256' | 'keys_sha256' | 'sums'>

/**
 * Writes the rows into a new file at `path`, to the disk, and says what is in it. The same rows
 * make the same bytes.
 * @throws OperationalError `lake-amount`; what reading the rows and writing the file throw.
 */
export async function writeParquet(
  path: string,
  { columns, amount, key }: LakeTable,
  batches: AsyncIterable<LakeRow[]>,
): Promise<Written> {
  const writer = new ParquetWriter({ writer: fileWriter(path), schema: toSchema(columns), createdBy: 'tieout' })
  const keys = createHash('sha256')
  const sums = new Map<string, { rows: number; amount: DecimalText }>()
  let rows = 0
  let group = openGroup(columns)
  const writeGroup = () => {
    writer.write({ columnData: group.map(({ name, data }) => ({ name, data })), rowGroupSize: GROUP_ROWS })
    group = openGroup(columns)
  }
  for await (const batch of batches) {
    for (const row of batch) {
      for (const { field, data, toValue } of group) {
        const text = row[field] ?? null
        data.push(text === null ? null : toValue(text))
      }
      keys.update(`${key.map((field) => row[field]).join('/')}\n`)
      if (row.isGone !== 'true') addTo(sums, row.currency ?? '', row[amount] as DecimalText)
    }
    rows += batch.length
    if ((group[0]?.data.length ?? 0) >= GROUP_ROWS) writeGroup()
  }
  if ((group[0]?.data.length ?? 0) > 0) writeGroup()
  writer.finish()
  const sorted = [...sums].sort(([a], [b]) => (a < b ? -1 : 1))
  return { rows, ...(await settle(path)), keys_sha256: keys.digest('hex'), sums: Object.fromEntries(sorted) }
}

function toSchema(columns: readonly LakeColumn[]) {
  const elements = columns.map(({ name, type }) => ({ name, repetition_type: 'OPTIONAL' as const, ...ELEMENTS[type] }))
  return [{ name: 'root', num_children: columns.length }, ...elements]
}

const openGroup = (columns: readonly LakeColumn[]) =>
  columns.map(({ name, field, type }) => ({ name, field, toValue: TO_LAKE_VALUE[type], data: [] as LakeValue[] }))

function addTo(sums: Map<string, { rows: number; amount: DecimalText }>, currency: string, amount: DecimalText): void {
  const sum = sums.get(currency)
  sums.set(currency, {
    rows: (sum?.rows ?? 0) + 1,
    amount: sum === undefined ? amount : addDecimals(sum.amount, amount),
  })
}

/** What the file has, read back; on return a loss of power does not take it. */
async function settle(path: string): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of createReadStream(path)) {
    hash.update(chunk)
    bytes += chunk.length
  }
  const file = await open(path, 'r')
  await file.sync().finally(() => file.close())
  return { bytes, sha256: hash.digest('hex') }
}
