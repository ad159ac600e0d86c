/** An organization's lake, brought up to date (docs/decisions/068-parquet-lake.md). */
import { join } from 'node:path'
import type { Actor } from '#lib/audit/model.ts'
import { type Sql, withTenantSnapshot } from '#lib/db/tenant.ts'
import { OperationalError } from '#lib/errors.ts'
import type { OrganizationId } from '#lib/ids.ts'
import { markMonths, readMonth } from '#lib/ledger/lake/lake-tables.ts'
import { LAKE_KINDS } from '#lib/ledger/lake/model.ts'
import { LIST_FILE, openAudited } from '../audited-file.ts'
import { LAKE_TABLES } from './lake-columns.ts'
import type { LakeStore } from './lake-store.ts'
import {
  LAKE_FORMAT,
  type LakeFile,
  type LakeMonth,
  type LakePlan,
  type Manifest,
  parseIntent,
  parseManifest,
  planLake,
  toLakePaths,
  writeJson,
} from './manifest.ts'
import { writeParquet } from './parquet-file.ts'

type Owner = { id: OrganizationId; name: string }
type Order = { store: LakeStore; actor: Actor; signal: AbortSignal }

/** What a run did. */
export type LakeReport = { written: LakeFile[]; kept: LakeFile[]; removed: string[] }

/**
 * Writes the files of months in which something changed, removes those of months without rows, and
 * leaves all others as they are. All of it is the ledger as of one moment. Files are finished
 * before the first one takes its place, and the manifest comes last: a run that is killed before
 * that has changed nothing, and after that the next one puts it right. The audit has when it was
 * asked for, and how it ended.
 * @throws OperationalError `lake-busy` while another run writes this organization's; `lake-amount`,
 * `lake-store`; the signal's reason.
 */
export function writeLake(owner: Owner, { store, actor, signal }: Order): Promise<LakeReport> {
  const asked = { format: 'parquet', to: store.where }
  const file = { actor, asked, actions: LIST_FILE, subject: { kind: 'file', name: 'lake' } }
  return openAudited(owner.id, file, async (onEnd) => {
    const report = await withTenantSnapshot(owner.id, (sql) => update(sql, owner, store, signal), {
      isEndAwaited: true,
    })
    const sum = (of: 'rows' | 'bytes') => report.written.reduce((total, each) => total + each[of], 0)
    await onEnd({ outcome: 'complete', rows: sum('rows'), bytes: sum('bytes') })
    return report
  })
}

async function update(sql: Sql, owner: Owner, store: LakeStore, signal: AbortSignal): Promise<LakeReport> {
  const asOf = await lock(sql, owner.id)
  const paths = toLakePaths(owner.id)
  const before = parseManifest(await store.read(paths.manifest))?.files ?? []
  const unfinished = parseIntent(await store.read(paths.intent))
  const months = await listMonths(sql, owner.id)
  const plan = planLake(months, before, unfinished, await readSizes(store, before))
  if (plan.written.length + plan.removed.length === 0) return { written: [], kept: plan.kept, removed: [] }
  const staging = await store.openStaging(paths.folder)
  try {
    const written: LakeFile[] = []
    for (const month of plan.written) {
      signal.throwIfAborted()
      written.push(await stage(sql, owner.id, month, staging, signal))
    }
    await publish(store, owner, { ...plan, written }, staging, asOf)
    return { written, kept: plan.kept, removed: plan.removed }
  } finally {
    await store.closeStaging(staging)
  }
}

/** Held to the end of the transaction, also by a reader; resolves to the moment that it sees. */
async function lock(sql: Sql, organizationId: OrganizationId): Promise<Date> {
  const [row] = await sql<{ isMine: boolean; asOf: Date }>(
    `select pg_try_advisory_xact_lock(hashtextextended('lake ' || $1, 0)) as "isMine", now() as "asOf"`,
    [organizationId],
  )
  if (row?.isMine !== true) throw new OperationalError('lake-busy', `the lake of ${organizationId} is being written`)
  return row.asOf
}

async function listMonths(sql: Sql, organizationId: OrganizationId): Promise<LakeMonth[]> {
  const { file } = toLakePaths(organizationId)
  const months: LakeMonth[] = []
  for (const kind of LAKE_KINDS)
    for (const { month, mark } of await markMonths(sql, organizationId, kind))
      months.push({ kind, month, mark, path: file(kind, month) })
  return months
}

async function readSizes(store: LakeStore, files: readonly LakeFile[]): Promise<Map<string, number>> {
  const sizes = new Map<string, number>()
  for (const { path } of files) {
    const size = await store.sizeOf(path)
    if (size !== null) sizes.set(path, size)
  }
  return sizes
}

const toStagedName = ({ kind, month }: { kind: string; month: string }) => `${kind}-${month}.part`

async function stage(
  sql: Sql,
  organizationId: OrganizationId,
  month: LakeMonth,
  staging: string,
  signal: AbortSignal,
): Promise<LakeFile> {
  async function* read() {
    for await (const rows of readMonth(sql, organizationId, month.kind, month.month)) {
      signal.throwIfAborted()
      yield rows
    }
  }
  const written = await writeParquet(join(staging, toStagedName(month)), LAKE_TABLES[month.kind], read())
  const { path, kind, mark } = month
  return { path, kind, month: month.month, mark, ...written }
}

/** A run killed in here leaves files of both moments, and says which: the next writes them. */
async function publish(
  store: LakeStore,
  owner: Owner,
  { kept, written, removed }: Omit<LakePlan, 'written'> & { written: LakeFile[] },
  staging: string,
  asOf: Date,
): Promise<void> {
  const paths = toLakePaths(owner.id)
  await store.write(paths.intent, writeJson({ paths: [...written.map(({ path }) => path), ...removed] }))
  for (const file of written) await store.publish(file.path, join(staging, toStagedName(file)), file.sha256)
  for (const path of removed) await store.remove(path)
  const files = [...kept, ...written].sort((a, b) => (a.path < b.path ? -1 : 1))
  const { id, name } = owner
  const manifest: Manifest = { format: LAKE_FORMAT, organization: { id, name }, as_of: asOf.toISOString(), files }
  await store.write(paths.manifest, writeJson(manifest))
  await store.remove(paths.intent)
}
