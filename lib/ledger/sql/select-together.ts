import type { Sql } from '#lib/db/tenant.ts'

/**
 * Runs several queries as one statement, so they see the same moment: no sync can commit between a
 * list and its totals. Each query's rows come back as plain objects. Columns must be JSON-safe:
 * cast figures to text.
 * @param queries SQL texts by name; they share `values`.
 */
export async function selectTogether<Result extends Record<string, object[]>>(
  sql: Sql,
  queries: { [Name in keyof Result & string]: string },
  values: unknown[],
  commonTables = '',
): Promise<Result> {
  const parts = Object.entries<string>(queries).map(
    ([name, query]) => `(select coalesce(json_agg(row_to_json(part)), '[]') from (${query}) part) as "${name}"`,
  )
  const [row] = await sql<Result>(`${commonTables} select ${parts.join(',\n')}`, values)
  return row as Result
}
