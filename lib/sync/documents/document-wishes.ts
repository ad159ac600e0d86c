/** Wishes to see an invoice's original document: web processes ask, workers bring it. */

import { setTimeout as delay } from 'node:timers/promises'
import { type Actor, userIdOf } from '#lib/audit/model.ts'
import { recordAudit } from '#lib/audit/record-audit.ts'
import { type Sql, withSystemSql, withTenantSql } from '#lib/db/tenant.ts'
import { claim } from '#lib/db/work/claim.ts'
import { wakeWorkers } from '#lib/db/work/wake.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'

/**
 * Why there is no document: the platform has none; its answer is no PDF, or too large; the account
 * does not allow it; its link has ended; the platform cannot be reached.
 */
export type DocumentFailure = 'none' | 'not_pdf' | 'too_large' | 'forbidden' | 'needs_reconnect' | 'unreachable'

/**
 * `unknown`: we hold no such invoice. `busy`: too many documents are under way. `late`: no worker
 * brought it in time.
 */
export type AskedDocument = { content: Buffer } | { failure: DocumentFailure | 'unknown' | 'busy' | 'late' }

export type WantedDocument = {
  organizationId: OrganizationId
  connectionId: ConnectionId
  serialNumber: string
  actor: Actor
}

/** How long a person waits, with room for the platform's own deadline and a second try. */
const WAIT_MS = 45_000
const LOOK_EVERY_MS = 150
/** Documents under way per organization: each may hold many megabytes. */
const MOST_OPEN = 5
/** Nobody waits any more for a wish this old. */
const FORGOTTEN_SECONDS = 120

/**
 * The original document, brought by a worker while the caller waits. It is handed out only together
 * with its entry in the audit. Nothing of it stays: the wish
 * and its bytes are removed, also when `signal` fires.
 */
export async function askForDocument(
  wanted: WantedDocument,
  signal: AbortSignal,
  waitMs = WAIT_MS,
): Promise<AskedDocument> {
  const { organizationId } = wanted
  const id = await storeWish(wanted)
  if (id === 'unknown' || id === 'busy') return { failure: id }
  try {
    for (const deadline = Date.now() + waitMs; Date.now() < deadline && !signal.aborted; await delay(LOOK_EVERY_MS)) {
      const answer = await withTenantSql(organizationId, (sql) => readAnswer(sql, wanted, id))
      if (answer !== null) return answer
    }
    return { failure: 'late' }
  } finally {
    await withTenantSql(organizationId, (sql) =>
      sql('delete from document_wish where organization_id = $1 and id = $2', [organizationId, id]),
    )
  }
}

async function readAnswer(sql: Sql, wanted: WantedDocument, id: string): Promise<AskedDocument | null> {
  const { organizationId, connectionId, serialNumber, actor } = wanted
  const [wish] = await sql<{ failure: DocumentFailure | null; content: Buffer | null }>(
    'select failure, content from document_wish where organization_id = $1 and id = $2',
    [organizationId, id],
  )
  if (wish?.failure) return { failure: wish.failure }
  if (!wish?.content) return null
  await recordAudit(sql, organizationId, {
    actor,
    action: 'document.downloaded',
    subject: { kind: 'invoice', id: `${connectionId}~${serialNumber}`, name: serialNumber },
    after: { bytes: wish.content.length },
  })
  return { content: wish.content }
}

async function storeWish(wanted: WantedDocument): Promise<string> {
  const { organizationId, connectionId, serialNumber, actor } = wanted
  return withTenantSql(organizationId, async (sql) => {
    const [open] = await sql<{ count: number }>(
      `select count(*)::int as count from document_wish
       where organization_id = $1 and requested_at > now() - make_interval(secs => $2)`,
      [organizationId, FORGOTTEN_SECONDS],
    )
    if ((open?.count ?? 0) >= MOST_OPEN) return 'busy'
    const [wish] = await sql<{ id: string }>(
      `insert into document_wish (organization_id, connection_id, invoice_serial_number, requested_by)
       select organization_id, connection_id, serial_number, $4 from invoice
       where organization_id = $1 and connection_id = $2 and serial_number = $3
       returning id`,
      [organizationId, connectionId, serialNumber, userIdOf(actor)],
    )
    if (wish) await wakeWorkers(sql)
    return wish?.id ?? 'unknown'
  })
}

/** A wish that this worker answers. */
export type ClaimedDocument = {
  organizationId: OrganizationId
  id: string
  connectionId: ConnectionId
  serialNumber: string
}

/**
 * Claims the oldest wish of any organization; null when there is none. A wish is claimed once: when
 * its worker dies, the person is told that nobody answered, and asks again. Removes forgotten ones.
 */
export async function claimDocument(): Promise<ClaimedDocument | null> {
  return withSystemSql(async (sql) => {
    await sql('delete from document_wish where requested_at < now() - make_interval(secs => $1)', [FORGOTTEN_SECONDS])
    return claim<ClaimedDocument>(sql, {
      table: 'document_wish',
      key: 'organization_id, id',
      isDue: `status = 'queued'`,
      order: 'requested_at',
      hold: `status = 'running'`,
      returning: `organization_id as "organizationId", id, connection_id as "connectionId",
        invoice_serial_number as "serialNumber"`,
    })
  })
}

/** Hands the document over, unless nobody waits for it any more. */
export async function bringDocument({ organizationId, id }: ClaimedDocument, content: Buffer): Promise<void> {
  await withTenantSql(organizationId, (sql) =>
    sql(`update document_wish set status = 'done', content = $3 where organization_id = $1 and id = $2`, [
      organizationId,
      id,
      content,
    ]),
  )
}

/** Says why there is none, unless nobody waits any more. */
export async function refuseDocument({ organizationId, id }: ClaimedDocument, failure: DocumentFailure): Promise<void> {
  await withTenantSql(organizationId, (sql) =>
    sql(`update document_wish set status = 'failed', failure = $3 where organization_id = $1 and id = $2`, [
      organizationId,
      id,
      failure,
    ]),
  )
}
