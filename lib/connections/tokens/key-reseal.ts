import { withSystemSql } from '#lib/db/tenant.ts'
import { OperationalError } from '#lib/errors.ts'
import { log } from '#lib/log.ts'
import { openingKeys, sealingKeys } from './key-ring.ts'
import { SEALED_PLACES, type SealedPlace, type SealedRow } from './key-sealed-rows.ts'
import { reseal } from './vault.ts'

/** Rows per transaction: few enough that nobody waits for them. */
const BATCH = 20

export type ResealProgress = { resealed: number; unreadable: number; remaining: number }

/**
 * Reseals to the active key everything sealed to another, in small transactions, until nothing is
 * left or `signal` fires. Skips a row that changes meanwhile. What cannot be opened stays as it is.
 */
export async function resealAll(signal: AbortSignal): Promise<ResealProgress> {
  const progress = { resealed: 0, unreadable: 0, remaining: 0 }
  const activeKeyId = sealingKeys().keys[0]?.kid ?? ''
  for (const place of SEALED_PLACES) {
    let after: string[] | null = null
    while (!signal.aborted) {
      const rows: SealedRow[] = await readBatch(place, activeKeyId, after)
      if (rows.length === 0) break
      for (const row of rows) progress[await resealRow(place, row)] += 1
      after = rows.at(-1)?.key ?? null
    }
    progress.remaining += await countOthers(place, activeKeyId)
  }
  if (progress.resealed > 0) log.info({ ...progress, keyId: activeKeyId }, 'sealed anew to the active key')
  if (progress.unreadable > 0) log.error({ ...progress }, 'some sealed rows cannot be opened with the keys at hand')
  return progress
}

function readBatch(place: SealedPlace, activeKeyId: string, after: string[] | null): Promise<SealedRow[]> {
  const { table, keyColumns, sealedColumn, keyIdColumn, contextColumn } = place
  const key = keyColumns.join(', ')
  return withSystemSql((sql) =>
    sql<SealedRow>(
      `select array[${keyColumns.map((column) => `${column}::text`).join(', ')}] as key, ${sealedColumn} as sealed,
              ${contextColumn}::text as "contextId", generation
       from ${table} where ${keyIdColumn} <> $1 and ($2::uuid is null or (${key}) > ($2, $3::uuid))
       order by ${key} limit ${BATCH}`,
      [activeKeyId, ...(after ?? [null, null])],
    ),
  )
}

async function resealRow(place: SealedPlace, row: SealedRow): Promise<'resealed' | 'unreadable'> {
  const keys = { publicKeys: sealingKeys(), privateKeys: openingKeys() }
  try {
    const { sealed, keyId } = await reseal(row.sealed, place.toContext(row.contextId, row.generation), keys)
    const where = place.keyColumns.map((column, index) => `${column} = $${index + 4}`).join(' and ')
    await withSystemSql((sql) =>
      sql(
        `update ${place.table} set ${place.sealedColumn} = $1, ${place.keyIdColumn} = $2
         where ${place.sealedColumn} = $3 and ${where}`,
        [sealed, keyId, row.sealed, ...row.key],
      ),
    )
    return 'resealed'
  } catch (thrown) {
    if (!(thrown instanceof OperationalError) || thrown.code !== 'token-unreadable') throw thrown
    return 'unreadable'
  }
}

async function countOthers({ table, keyIdColumn }: SealedPlace, activeKeyId: string): Promise<number> {
  const [row] = await withSystemSql((sql) =>
    sql<{ count: number }>(`select count(*)::int as count from ${table} where ${keyIdColumn} <> $1`, [activeKeyId]),
  )
  return row?.count ?? 0
}
