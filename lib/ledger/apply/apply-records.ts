import type { Sql } from '#lib/db/tenant.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import { stageRecords } from '../sql/stage-records.ts'
import type { ApplyTarget } from './apply-target.ts'
import type { PackedRecords } from './format-records.ts'

/** What was written of a part; its other records are stored already. */
export type WrittenOfPart = { part: number; inserted: number; updated: number }

/** Between staging and writing; what it throws is thrown, and nothing is written. */
export type BeforeWriting = () => Promise<void>

/**
 * Writes records to their table: inserts new ones, rewrites changed ones (`changed_at` moves),
 * leaves unchanged ones alone. Returns what was written, per part; omits parts without any. Until
 * `beforeWriting` it fills stages of the transaction's own and locks nothing.
 */
export async function applyRecords<Item>(
  sql: Sql,
  target: ApplyTarget<Item>,
  owner: { organizationId: OrganizationId; connectionId: ConnectionId },
  { ids, staged, stagedApart, isAllNew }: PackedRecords,
  beforeWriting?: BeforeWriting,
): Promise<WrittenOfPart[]> {
  if (ids.length === 0) {
    await beforeWriting?.()
    return []
  }
  const values = [owner.organizationId, owner.connectionId]
  await stageRecords(sql, target.stage, staged)
  if (target.apartStage !== null) await stageRecords(sql, target.apartStage, stagedApart)
  await beforeWriting?.()
  const inserted = isAllNew ? await insertAll(sql, target, values) : null
  if (inserted !== null) return inserted
  const written = await sql<WrittenOfPart>(target.statement, values)
  // after the records: a trigger keeps what a changed one was (versions.sql)
  if (written.length > 0 && target.apartStatement !== null) await sql(target.apartStatement, values)
  return written
}

const UNIQUE_VIOLATION = '23505'

/** Null when a record is stored already: then nothing was written. */
async function insertAll<Item>(sql: Sql, target: ApplyTarget<Item>, values: string[]): Promise<WrittenOfPart[] | null> {
  await sql('savepoint before_insertion')
  try {
    return await sql<WrittenOfPart>(target.insertion, values)
  } catch (error) {
    if ((error as { code?: unknown }).code !== UNIQUE_VIOLATION) throw error
    await sql('rollback to savepoint before_insertion')
    return null
  }
}
