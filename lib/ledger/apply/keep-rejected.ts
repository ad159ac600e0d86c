import type { Sql } from '#lib/db/tenant.ts'
import { hashText } from '#lib/hash-text.ts'
import type { ConnectionId, OrganizationId, RunId } from '#lib/ids.ts'
import type { KeptRejection } from '#lib/reconcile/records.ts'
import type { SyncList } from '#lib/reconcile/sync-run.ts'
import { PROOF_VERSION } from './proof-version.ts'

/**
 * Keeps unreadable records with their text, in the caller's transaction. One already kept is marked
 * as seen again and reopened; earlier texts of the same record are closed. Call it after
 * `applyPackedLines` of the same page: a rejection then outlives a readable record of the same id.
 * Returns how many different records are kept, and how many of them are new.
 */
export async function keepRejected(
  sql: Sql,
  page: {
    organizationId: OrganizationId
    connectionId: ConnectionId
    runId: RunId
    list: SyncList
    rejections: readonly KeptRejection[]
  },
): Promise<{ kept: number; isNew: number }> {
  const byHash = new Map(page.rejections.map((rejection) => [hashText(rejection.raw), rejection]))
  if (byHash.size === 0) return { kept: 0, isNew: 0 }
  const document = [...byHash].map(([rawHash, { raw, recordId, invoiceSerialNumber, statedTotal, reason, path }]) => ({
    raw_hash: rawHash,
    raw,
    record_id: recordId,
    invoice_serial_number: invoiceSerialNumber,
    stated_total: statedTotal?.amount ?? null,
    stated_currency: statedTotal?.currency ?? null,
    reason,
    path,
  }))
  const [counts] = await sql<{ kept: number; isNew: number }>(
    `with written as (
       insert into rejected_line as stored (organization_id, connection_id, list, first_run_id, parser_version,
                                            raw_hash, raw, record_id, invoice_serial_number, stated_total, stated_currency, reason, path)
       select $1::uuid, $2::uuid, $3, $4::uuid, $6, r.*
       from json_to_recordset($5::json)
         as r (raw_hash text, raw text, record_id text, invoice_serial_number text, stated_total numeric,
                                       stated_currency text, reason text, path text)
       on conflict (organization_id, connection_id, list, raw_hash) do update
         set last_seen_at = excluded.last_seen_at, resolved_at = null, parser_version = excluded.parser_version, record_id = excluded.record_id,
             invoice_serial_number = excluded.invoice_serial_number, stated_total = excluded.stated_total,
             stated_currency = excluded.stated_currency, reason = excluded.reason, path = excluded.path
       returning xmax = 0 as is_new)
     select count(*)::int as kept, count(*) filter (where is_new)::int as "isNew" from written`,
    [page.organizationId, page.connectionId, page.list, page.runId, JSON.stringify(document), PROOF_VERSION],
  )
  const recordIds = [...byHash.values()].flatMap(({ recordId }) => recordId ?? [])
  if (recordIds.length > 0) {
    await closeEarlierTexts(sql, page, recordIds, [...byHash.keys()])
    await setAsideEarlierReadings(sql, page, recordIds)
  }
  return counts as { kept: number; isNew: number }
}

type Owner = { organizationId: OrganizationId; connectionId: ConnectionId; list: SyncList }

/** A record that changed and is still unreadable is one rejected record, not two. */
async function closeEarlierTexts(sql: Sql, owner: Owner, recordIds: string[], keptHashes: string[]): Promise<void> {
  await sql(
    `update rejected_line set resolved_at = now()
     where organization_id = $1 and connection_id = $2 and list = $3 and resolved_at is null
       and record_id = any($4::text[]) and raw_hash <> all($5::text[])`,
    [owner.organizationId, owner.connectionId, owner.list, recordIds, keptHashes],
  )
}

const SET_ASIDE = {
  profiles: null,
  invoices: 'update invoice set missing_since = now() where serial_number',
  lines: 'update line set missing_since = now() where id',
}

/**
 * Sets aside what was read of the record before, like a missing row: it is not what the platform
 * has now, and the record should count once. It comes back when the record can be read again.
 */
async function setAsideEarlierReadings(sql: Sql, owner: Owner, recordIds: string[]): Promise<void> {
  const update = SET_ASIDE[owner.list]
  if (update === null) return
  await sql(`${update} = any($3::text[]) and organization_id = $1 and connection_id = $2 and missing_since is null`, [
    owner.organizationId,
    owner.connectionId,
    recordIds,
  ])
}
