/**
 * Verifies the chain of an organization's audit: every hash made again here from the columns,
 * without the database's own function (chain.sql).
 */
import { createHash } from 'node:crypto'
import { type Sql, withTenantSnapshot } from '#lib/db/tenant.ts'
import type { OrganizationId } from '#lib/ids.ts'
import { AUDIT_COLUMNS } from './audit-rows.ts'
import type { AuditEntry } from './model.ts'

/** The hash before the first entry. */
const FIRST_HASH = createHash('sha256').digest('hex')

const BATCH = 2_000

/** An entry's number and hash, as somebody may have noted them elsewhere. */
export type ChainPoint = { number: number; hash: string }

/**
 * `holds`: the entries from `from` to `head` are the ones that were written, in their order and
 * without a gap. `broken`: the first entry that is not, and in what way.
 */
export type ChainReport =
  | { kind: 'holds'; from: number; count: number; head: ChainPoint }
  | { kind: 'broken'; at: number; problem: string; head: ChainPoint }

export type ChainOptions = {
  /** Only the newest entries, at most; the one before them is believed. */
  newest?: number
  /** What was noted earlier: the chain has to hold this very entry. */
  expect?: ChainPoint
}

/** The SHA-256 of the entry before and an entry's fields, each with its length in bytes. */
export function hashEntry(entry: AuditEntry): string {
  const fields = [
    entry.organizationId,
    entry.number,
    entry.at,
    entry.actorKind,
    entry.actorId,
    entry.actorName,
    entry.network,
    entry.action,
    entry.subjectKind,
    entry.subjectId,
    entry.subjectName,
    entry.before,
    entry.after,
  ]
  const text = fields.map((field) => (field === null ? '-' : `${Buffer.byteLength(field)}:${field}`)).join(',')
  return createHash('sha256').update(Buffer.from(entry.previousHash, 'hex')).update(text).digest('hex')
}

/**
 * Reads the chain as of one moment, in batches, and verifies it up to its head. Without an entry it
 * holds. Whoever owns the database could rewrite all of it: only `expect` shows that.
 */
export function verifyChain(organizationId: OrganizationId, options: ChainOptions = {}): Promise<ChainReport> {
  return withTenantSnapshot(organizationId, async (sql) => {
    const head = await readHead(sql, organizationId)
    const { newest = head.number, expect } = options
    let last = await readStart(sql, organizationId, Math.max(0, head.number - newest))
    const from = last.number + 1
    let isMet = expect === undefined
    for (;;) {
      const entries = await readAfter(sql, organizationId, last.number)
      for (const entry of entries) {
        const problem = findProblem(entry, last)
        if (problem !== null) return { kind: 'broken', at: last.number + 1, problem, head }
        last = { number: last.number + 1, hash: entry.hash }
        if (expect?.number === last.number) {
          if (expect.hash !== last.hash)
            return { kind: 'broken', at: last.number, problem: 'its hash is not the one that was noted', head }
          isMet = true
        }
      }
      if (entries.length < BATCH) break
    }
    if (last.number !== head.number || last.hash !== head.hash)
      return { kind: 'broken', at: last.number + 1, problem: `the chain ends at ${head.number}`, head }
    if (!isMet && expect !== undefined)
      return { kind: 'broken', at: expect.number, problem: 'it was noted, and is not there', head }
    return { kind: 'holds', from, count: last.number - from + 1, head }
  })
}

/** In what way an entry does not follow the one before; null when it does. */
function findProblem(entry: AuditEntry, before: ChainPoint): string | null {
  if (entry.number !== `${before.number + 1}`) return `the next entry has the number ${entry.number}`
  if (entry.previousHash !== before.hash) return 'it does not follow the entry before'
  return hashEntry(entry) === entry.hash ? null : 'it is not what was written'
}

async function readHead(sql: Sql, organizationId: OrganizationId): Promise<ChainPoint> {
  const [head] = await sql<{ number: string; hash: string }>(
    `select number::text as number, encode(hash, 'hex') as hash from audit_head where organization_id = $1`,
    [organizationId],
  )
  return head === undefined ? { number: 0, hash: FIRST_HASH } : { ...head, number: Number(head.number) }
}

/** The entry to begin after. One that is missing leads to a broken next one. */
async function readStart(sql: Sql, organizationId: OrganizationId, number: number): Promise<ChainPoint> {
  if (number === 0) return { number, hash: FIRST_HASH }
  const [entry] = await sql<{ hash: string }>(
    `select encode(hash, 'hex') as hash from audit_entry where organization_id = $1 and number = $2`,
    [organizationId, number],
  )
  return { number, hash: entry?.hash ?? '' }
}

function readAfter(sql: Sql, organizationId: OrganizationId, number: number): Promise<AuditEntry[]> {
  return sql<AuditEntry>(
    `select ${AUDIT_COLUMNS} from audit_entry where organization_id = $1 and number > $2
     order by audit_entry.number limit ${BATCH}`,
    [organizationId, number],
  )
}
