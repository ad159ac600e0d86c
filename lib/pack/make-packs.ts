/** Makes the packs that were asked for, one after another; by a worker. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WORKER } from '#lib/audit/model.ts'
import { recordAudit } from '#lib/audit/record-audit.ts'
import { momentIf } from '#lib/db/cluster/written-moments.ts'
import { withSystemSql, withTenantSnapshot, withTenantSql } from '#lib/db/tenant.ts'
import { claim } from '#lib/db/work/claim.ts'
import type { OrganizationId } from '#lib/ids.ts'
import { log } from '#lib/log.ts'
import { writeScope } from '#lib/reconcile/close/scope.ts'
import { storeMade, toHash } from '#lib/talk/file-store.ts'
import { toPackFileName } from './ask-pack.ts'
import { toDocument } from './document.ts'
import { makePdf } from './make-pdf.ts'
import { type PackScope, SCOPE_COLUMNS, type ScopeColumns, toPackScope } from './pack-scope.ts'
import { readSignatures } from './read-signatures.ts'
import { writeContents } from './write-contents.ts'

/** For as long one worker has a pack: longer than the largest one takes. */
const LEASE_MINUTES = 15
const MOST_TRIES = 3

type Wanted = ScopeColumns & {
  organizationId: OrganizationId
  id: string
  askedAt: Date
  askedBy: string
  tries: number
}

/** Makes every pack that waits. One that cannot be made after three tries says so. */
export async function makePacks(signal: AbortSignal): Promise<number> {
  let made = 0
  while (!signal.aborted) {
    const wanted = await claimPack()
    if (wanted === null) break
    try {
      // one that has ended its workers
      if (wanted.tries > MOST_TRIES) throw new Error('tried too often')
      await makePack(wanted, signal)
      made += 1
    } catch (thrown) {
      if (signal.aborted) break
      const reason = thrown instanceof Error ? thrown.message : String(thrown)
      log.error({ pack: wanted.id, tries: wanted.tries, reason }, 'pack not made')
      await putBack(wanted)
    }
  }
  return made
}

/** A pack that broke off with its worker is another one's when the lease ends. */
function claimPack(): Promise<Wanted | null> {
  return withSystemSql((sql) =>
    claim<Wanted>(sql, {
      table: 'pack',
      key: 'organization_id, id',
      isDue: `state = 'waiting' and coalesce(lease_until, '-infinity') <= statement_timestamp()`,
      order: 'asked_at',
      hold: `lease_until = statement_timestamp() + interval '${LEASE_MINUTES} minutes', tries = tries + 1`,
      returning: `organization_id as "organizationId", id, asked_at as "askedAt", asked_by_name as "askedBy", tries, ${SCOPE_COLUMNS}`,
    }),
  )
}

async function makePack(wanted: Wanted, signal: AbortSignal): Promise<void> {
  const { organizationId, id, askedAt } = wanted
  const scope = toPackScope(wanted)
  const folder = await mkdtemp(join(tmpdir(), 'tieout-pack-'))
  try {
    const { bytes, seal, lineCount, invoiceCount } = await writePack(wanted, scope, folder, signal)
    const hash = toHash(bytes)
    const sha256 = hash.toString('hex')
    await withTenantSql(organizationId, async (sql) => {
      await storeMade(sql, organizationId, hash, bytes)
      const [own] = await sql(
        `update pack set state = 'made', ended_at = statement_timestamp(), lease_until = null, hash = $4, size = $5, seal = decode($6, 'hex'),
           line_count = $7, invoice_count = $8
         where organization_id = $1 and id = $2 and tries = $3 and state = 'waiting' returning 1 as own`,
        [organizationId, id, wanted.tries, hash, bytes.length, seal, lineCount, invoiceCount],
      )
      if (own === undefined) return
      await recordAudit(sql, organizationId, {
        actor: WORKER,
        action: 'pack.made',
        subject: { kind: 'pack', id, name: writeScope(scope) },
        after: { sha256, seal, invoices: invoiceCount, lines: lineCount },
      })
    })
    log.info({ pack: id, lines: lineCount, bytes: bytes.length, asked: askedAt }, 'pack made')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * The pack's bytes, of the ledger as it is now, made in the folder.
 * @throws Error when it cannot be made.
 */
export async function writePack(
  { organizationId, askedAt, askedBy }: Pick<Wanted, 'organizationId' | 'askedAt' | 'askedBy'>,
  scope: PackScope,
  folder: string,
  signal: AbortSignal,
): Promise<{ bytes: Buffer; seal: string; lineCount: number; invoiceCount: number }> {
  const { head, contents } = await withTenantSnapshot(organizationId, async (sql) => {
    const [names] = await sql<{ organization: string; connection: string | null }>(
      `select o.name as organization, c.name as connection from organization o
       join connection c on c.organization_id = o.id where o.id = $1 and c.id = $2`,
      [organizationId, scope.connectionId],
    )
    const head = {
      organizationId,
      organization: names?.organization ?? '',
      connection: names?.connection ?? scope.connectionId,
      scope,
      askedAt: `${askedAt.toISOString().slice(0, 19)}Z`,
      askedBy,
      signatures: await readSignatures(sql, organizationId, scope),
    }
    return { head, contents: await writeContents(sql, head, folder) }
  })
  const document = toDocument(head, contents, toPackFileName(scope, askedAt))
  const bytes = await makePdf(folder, document, askedAt, signal)
  return { bytes, seal: contents.seal, lineCount: contents.lineCount, invoiceCount: contents.invoices.length }
}

/** Tried again at once, or given up. */
async function putBack({ organizationId, id, tries }: Wanted): Promise<void> {
  await withTenantSql(organizationId, (sql) =>
    sql(
      `update pack set lease_until = null, state = case when tries >= ${MOST_TRIES} then 'failed' else state end,
         ended_at = ${momentIf(`tries >= ${MOST_TRIES}`, 'statement_timestamp()')}
       where organization_id = $1 and id = $2 and tries = $3 and state = 'waiting'`,
      [organizationId, id, tries],
    ),
  )
}
