/** Where two statements that should give the same rows do not: sums of their hashes say so. */

export type Query = <Row extends Record<string, unknown>>(text: string, values: unknown[]) => Promise<Row[]>

type Pair = { key: string; value: string }
/** What one statement gives for a key and the other one does not; null for no such key. */
type Difference = { key: string; kept: string | null; computed: string | null }

/** What differs between rows of two statements, in the order of their keys. */
function compareRows(kept: readonly Pair[], computed: readonly Pair[]): Difference[] {
  const [before, after] = [kept, computed].map((rows) => new Map(rows.map(({ key, value }) => [key, value])))
  const keys = [...new Set([...kept, ...computed].map(({ key }) => key))].sort()
  return keys
    .map((key) => ({ key, kept: before?.get(key) ?? null, computed: after?.get(key) ?? null }))
    .filter((each) => each.kept !== each.computed)
}

/** SQL of rows of `key` and `value`, both text, a key at most once; `own`: the values of both. */
type Sides = { kept: string; computed: string | null; own: unknown[] }

/** So many are named: a broken trigger would name thousands. */
export const MOST_NAMED = 20

/** Rows that are read to say what differs among them: some megabytes. */
const MOST_READ = 20_000

const MARK = `hashtextextended(key || chr(31) || coalesce(value, chr(30)), 0)`
const BUCKET = `(${MARK} & 1023)::int`

/**
 * At most twenty differences, in the order of their keys. The two are asked one after the other: a
 * cluster joins no table of an organization with what a function reads (decision 067). Rows are
 * summed up by parts of their hashes, and read where two sums differ. Rows that differ have the
 * same sum once in some 10^18 times.
 */
export async function findDifferences(sql: Query, { kept, computed, own }: Sides): Promise<Difference[]> {
  const ask = async <Row extends Record<string, unknown>>(
    columns: string,
    rows: string | null,
    end: string,
    values = own,
  ) => (rows === null ? [] : sql<Row>(`select ${columns} from (${rows}) each ${end}`, values))
  const sumUp = (rows: string | null) =>
    ask<{ bucket: number; count: number; sum: string }>(
      `${BUCKET} as bucket, count(*)::int as count, sum(${MARK}::numeric)::text as sum`,
      rows,
      'group by 1',
    )
  const ofKept = new Map((await sumUp(kept)).map((each) => [each.bucket, each]))
  const ofComputed = new Map((await sumUp(computed)).map((each) => [each.bucket, each]))
  const differing = [...new Set([...ofKept.keys(), ...ofComputed.keys()])]
    .filter((bucket) => ofKept.get(bucket)?.sum !== ofComputed.get(bucket)?.sum)
    .sort((a, b) => a - b)
  if (differing.length === 0) return []
  const buckets: number[] = []
  let count = 0
  for (const bucket of differing) {
    count += (ofKept.get(bucket)?.count ?? 0) + (ofComputed.get(bucket)?.count ?? 0)
    if (buckets.length > 0 && count > MOST_READ) break
    buckets.push(bucket)
  }
  const read = (rows: string | null) =>
    ask<Pair>('key, value', rows, `where ${BUCKET} = any($3::int[])`, [...own, buckets])
  return compareRows(await read(kept), await read(computed)).slice(0, MOST_NAMED)
}
