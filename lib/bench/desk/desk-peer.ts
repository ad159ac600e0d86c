/** DuckDB with the lines of one organization, beside the desk. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { copyToFile } from '#lib/db/copy-file.ts'
import { withSystemSql } from '#lib/db/tenant.ts'
import type { OrganizationId } from '#lib/ids.ts'

/** What the questions read. */
const COLUMNS: DuckColumn[] = [
  { name: 'id', type: 'VARCHAR' },
  { name: 'invoice_serial_number', type: 'VARCHAR' },
  { name: 'profile_id', type: 'VARCHAR' },
  { name: 'invoice_mode', type: 'VARCHAR' },
  { name: 'invoice_status', type: 'VARCHAR' },
  { name: 'issuing_date', type: 'DATE' },
  { name: 'currency', type: 'VARCHAR' },
  { name: 'expense_date', type: 'DATE' },
  { name: 'description', type: 'VARCHAR' },
  { name: 'tax_percentage', type: 'DECIMAL(9, 4)' },
  { name: 'tax_regime', type: 'VARCHAR' },
  { name: 'total_amount', type: 'DECIMAL(18, 4)' },
  { name: 'tax_amount', type: 'DECIMAL(18, 4)' },
  { name: 'unit_price', type: 'DECIMAL(18, 4)' },
  { name: 'non_taxable_unit_price', type: 'DECIMAL(18, 4)' },
  { name: 'difference', type: 'DECIMAL(18, 4)' },
  { name: 'tax_difference', type: 'DECIMAL(18, 4)' },
  { name: 'credit_card_last_4_digits', type: 'VARCHAR' },
  { name: 'trip_id', type: 'VARCHAR' },
  { name: 'trip_name', type: 'VARCHAR' },
  { name: 'service', type: 'VARCHAR' },
  { name: 'related_vertical', type: 'VARCHAR' },
  { name: 'cost_center', type: 'VARCHAR' },
  { name: 'vendor_name', type: 'VARCHAR' },
  { name: 'traveler_names', type: 'VARCHAR', sql: `array_to_string(traveler_names, chr(31))` },
  { name: 'finding_codes', type: 'VARCHAR', sql: `array_to_string(finding_codes, ' ')` },
  { name: 'finding_count', type: 'INTEGER' },
]

/** Its table `line` in memory, two threads. The folder holds a file of the rows meanwhile. */
export async function openDuckDb(organizationId: OrganizationId, folder: string): Promise<DuckDBConnection> {
  // an id of ours, which openOwnWorld made
  const rows = `from line where organization_id = '${organizationId}' and missing_since is null`
  const instance = await DuckDBInstance.create(':memory:', { threads: '2' })
  const duck = await instance.connect()
  await loadDuckTable(duck, 'line', COLUMNS, rows, folder)
  return duck
}

/** A column of a table there: our name of it, its type there, and how COPY writes it. */
export type DuckColumn = { name: string; type: string; sql?: string }

/** Makes a table of rows of ours. `rows`: SQL from `from` on, our own text. */
export async function loadDuckTable(
  duck: DuckDBConnection,
  table: string,
  columns: readonly DuckColumn[],
  rows: string,
  folder: string,
): Promise<void> {
  const file = join(folder, `${table}.tsv`)
  const selected = columns.map(({ name, sql }) => sql ?? name).join(', ')
  await withSystemSql((sql) => copyToFile(sql, `select ${selected} ${rows}`, file))
  const types = columns.map(({ name, type }) => `'${name}': '${type}'`).join(', ')
  await duck.run(
    `create or replace table ${table} as select * from read_csv('${file}', delim = '\t', header = false, nullstr = '\\N', quote = '',
       escape = '', columns = {${types}})`,
  )
  rmSync(file)
}

/** Reads the whole answer, each row as values that JSON can hold. */
export async function askDuckDb(duck: DuckDBConnection, sql: string): Promise<unknown[][]> {
  return (await duck.runAndReadAll(sql)).getRowsJson()
}
