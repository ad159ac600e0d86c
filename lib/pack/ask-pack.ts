/** Packs that were asked for, and what became of them. */

import { type Actor, userIdOf } from '#lib/audit/model.ts'
import { recordAudit } from '#lib/audit/record-audit.ts'
import { type Sql, withTenantSql } from '#lib/db/tenant.ts'
import { wakeWorkers } from '#lib/db/work/wake.ts'
import type { OrganizationId } from '#lib/ids.ts'
import { writeScope } from '#lib/reconcile/close/scope.ts'
import { readBytes } from '#lib/talk/file-store.ts'
import { MOST_PACK_LINES, type PackLink, type PackRow } from './model.ts'
import {
  IS_OF_SCOPE,
  listPackInvoices,
  type PackScope,
  SCOPE_COLUMNS,
  type ScopeColumns,
  toPackScope,
  toScopeValues,
} from './pack-scope.ts'

/** So many packs of an organization may wait at a time. */
const MOST_WAITING = 5
/** So many packs of a scope are shown, the newest first. */
const MOST_LISTED = 20

/** `nothing`: no invoice is in the scope. `busy`: many are waited for already. */
export type Asked = { kind: 'asked'; id: string } | { kind: 'nothing' | 'too-large' | 'busy' }

/** Asks the worker for a pack of the scope, as its invoices and lines are when it is made. */
export function askForPack(
  organizationId: OrganizationId,
  scope: PackScope,
  { actor, name }: { actor: Actor; name: string },
): Promise<Asked> {
  return withTenantSql(organizationId, async (sql) => {
    const { serialNumbers, lineCount } = await listPackInvoices(sql, organizationId, scope)
    if (serialNumbers.length === 0) return { kind: 'nothing' }
    if (lineCount > MOST_PACK_LINES) return { kind: 'too-large' }
    const [waiting] = await sql<{ count: number }>(
      `select count(*)::int as count from pack where organization_id = $1 and state = 'waiting'`,
      [organizationId],
    )
    if ((waiting?.count ?? 0) >= MOST_WAITING) return { kind: 'busy' }
    const [made] = await sql<{ id: string }>(
      `insert into pack (organization_id, scope_kind, connection_id, profile_id, month, invoice_serial_number, asked_by, asked_by_name)
       values ($1, $2, $3, $4, $5::date, $6, $7, $8) returning id`,
      [organizationId, ...toScopeValues(scope), userIdOf(actor), name],
    )
    await wakeWorkers(sql)
    const id = made?.id as string
    await recordAudit(sql, organizationId, {
      actor,
      action: 'pack.asked',
      subject: { kind: 'pack', id, name: writeScope(scope) },
    })
    return { kind: 'asked', id }
  })
}

type StoredRow = Omit<PackRow, 'links' | 'askedAt'> & { askedAt: Date }
type StoredLink = Omit<PackLink, 'expiresAt' | 'openedAt' | 'state'> & {
  pack: string
  expiresAt: Date
  openedAt: Date | null
  isWithdrawn: boolean
}

/** The packs of a scope, the newest first, with the links to each. */
export function listPacks(organizationId: OrganizationId, scope: PackScope, now: Date): Promise<PackRow[]> {
  return withTenantSql(organizationId, async (sql) => {
    const rows = await sql<StoredRow>(
      `select id, state, asked_by_name as "askedBy", asked_at as "askedAt", encode(hash, 'hex') as hash, size,
         encode(seal, 'hex') as seal, line_count as "lineCount"
       from pack where organization_id = $1 and ${IS_OF_SCOPE} order by asked_at desc, id limit ${MOST_LISTED}`,
      [organizationId, ...toScopeValues(scope)],
    )
    const links = await sql<StoredLink>(
      `select id, pack_id as pack, made_by_name as "madeBy", expires_at as "expiresAt", withdrawn_at is not null as "isWithdrawn",
         open_count as "openCount", opened_at as "openedAt"
       from pack_link where organization_id = $1 and pack_id = any($2::uuid[]) order by made_at desc, id`,
      [organizationId, rows.map(({ id }) => id)],
    )
    return rows.map(({ askedAt, ...row }) => ({
      ...row,
      askedAt: askedAt.toISOString(),
      links: links.filter(({ pack }) => pack === row.id).map((link) => toLink(link, now)),
    }))
  })
}

function toLink({ id, madeBy, openCount, expiresAt, openedAt, isWithdrawn }: StoredLink, now: Date): PackLink {
  const state = isWithdrawn ? 'withdrawn' : expiresAt <= now ? 'expired' : 'open'
  return { id, madeBy, openCount, state, expiresAt: expiresAt.toISOString(), openedAt: openedAt?.toISOString() ?? null }
}

/** A pack to download: its bytes, and a name for its file. */
export type OpenedPack = { bytes: Buffer; fileName: string }

/**
 * The pack's bytes, exactly those that were made, for somebody who is signed in; null where there
 * is none. The audit has it.
 * @throws OperationalError attachments-unavailable
 */
export function openPack(organizationId: OrganizationId, id: string, actor: Actor): Promise<OpenedPack | null> {
  return withTenantSql(organizationId, async (sql) => {
    const opened = await readPack(sql, organizationId, id)
    if (opened === null) return null
    const subject = { kind: 'pack', id, name: opened.name }
    await recordAudit(sql, organizationId, {
      actor,
      action: 'pack.downloaded',
      subject,
      after: { sha256: opened.sha256 },
    })
    return opened
  })
}

/** The same in the caller's transaction, who writes the audit. */
export async function readPack(
  sql: Sql,
  organizationId: OrganizationId,
  id: string,
): Promise<(OpenedPack & { sha256: string; name: string }) | null> {
  const [row] = await sql<ScopeColumns & { hash: Buffer; askedAt: Date }>(
    `select ${SCOPE_COLUMNS}, hash, asked_at as "askedAt" from pack where organization_id = $1 and id = $2 and state = 'made'`,
    [organizationId, id],
  )
  if (row === undefined) return null
  const scope = toPackScope(row)
  const bytes = await readBytes(sql, organizationId, row.hash)
  return {
    bytes,
    fileName: toPackFileName(scope, row.askedAt),
    sha256: row.hash.toString('hex'),
    name: writeScope(scope),
  }
}

/** `tieout-pack-INV-1-2026-11-28.pdf`, of letters that every system takes. */
export function toPackFileName(scope: PackScope, askedAt: Date): string {
  const own =
    scope.kind === 'invoice'
      ? scope.serialNumber
      : scope.kind === 'profile_month'
        ? `${scope.month}-${scope.profileId}`
        : scope.month
  return `tieout-pack-${own.replace(/[^\w.-]+/g, '_').slice(0, 80)}-${askedAt.toISOString().slice(0, 10)}.pdf`
}
