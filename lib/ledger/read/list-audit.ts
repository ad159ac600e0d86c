/** Reads the audit: a page, what its filters offer, and all of it for a file. */
import { AUDIT_COLUMNS } from '#lib/audit/audit-rows.ts'
import type { AuditEntry } from '#lib/audit/model.ts'
import { withTenantSql } from '#lib/db/tenant.ts'
import type { OrganizationId } from '#lib/ids.ts'
import { AUDIT_ENTRIES_PER_PAGE, type AuditQuery } from '../query/audit-query.ts'
import { type CursorReader, openTenantCursor, type RowCursor } from '../sql/tenant-cursor.ts'

export type AuditPage = {
  /** Newest first. */
  entries: AuditEntry[]
  hasOlder: boolean
  /** What the filters offer: every value that an entry has. */
  people: string[]
  actions: string[]
  subjects: string[]
}

/** Of any text, also of an entry that somebody else wrote. */
const toFile = (after: string) => `substring(${after} from '"file":"([0-9a-f-]{36})"')`

/**
 * A file that was begun and ended is shown once, by how it ended. A download ends after minutes: an
 * end that is thousands of entries away has both shown.
 */
const ONE_ENTRY = `not (action in ('export.started', 'audit.export-started') and exists (
  select from audit_entry ended where ended.organization_id = audit_entry.organization_id
    and ended.number > audit_entry.number and ended.number < audit_entry.number + 5000
    and ended.action in ('export.ended', 'audit.export-ended')
    and ${toFile('ended.after')} = ${toFile('audit_entry.after')}))`

const BATCH_ROWS = 1_000

/** One page of the entries that match. */
export function listAudit(organizationId: OrganizationId, query: AuditQuery): Promise<AuditPage> {
  const { text, values } = toSelect(organizationId, query, query.action === '' ? [ONE_ENTRY] : [])
  return withTenantSql(organizationId, async (sql) => {
    const rows = await sql<AuditEntry>(`${text} limit ${AUDIT_ENTRIES_PER_PAGE + 1}`, values)
    const [choices] = await sql<Pick<AuditPage, 'people' | 'actions' | 'subjects'>>(
      `select ${toDistinct('actor_name')} as people, ${toDistinct('action')} as actions,
              ${toDistinct('subject_kind')} as subjects`,
      [organizationId],
    )
    return {
      entries: rows.slice(0, AUDIT_ENTRIES_PER_PAGE),
      hasOlder: rows.length > AUDIT_ENTRIES_PER_PAGE,
      people: choices?.people ?? [],
      actions: choices?.actions ?? [],
      subjects: choices?.subjects ?? [],
    }
  })
}

/**
 * All entries that match, newest first, whatever the page.
 * @throws like `openTenantCursor`
 */
export function openAuditExport(
  organizationId: OrganizationId,
  reader: CursorReader,
  query: AuditQuery,
): Promise<RowCursor<AuditEntry>> {
  return openTenantCursor(organizationId, reader, toSelect(organizationId, { ...query, below: null }), BATCH_ROWS)
}

function toSelect(
  organizationId: OrganizationId,
  { who, action, subject, from, to, below }: AuditQuery,
  further: string[] = [],
): { text: string; values: unknown[] } {
  const values: unknown[] = [organizationId]
  const conditions = ['organization_id = $1', ...further]
  const add = (condition: (parameter: string) => string, value: string | null) => {
    if (value !== null && value !== '') conditions.push(condition(`$${values.push(value)}`))
  }
  add((each) => `actor_name = ${each}`, who)
  add((each) => `action = ${each}`, action)
  add((each) => `subject_kind = ${each}`, subject)
  add((each) => `at >= ${each}::date`, from)
  add((each) => `at < ${each}::date + 1`, to)
  add((each) => `number < ${each}::bigint`, below)
  return {
    text: `select ${AUDIT_COLUMNS} from audit_entry where ${conditions.join(' and ')} order by audit_entry.number desc`,
    values,
  }
}

/** A column's values in order, at most 200: one look into its index for each, however many rows. */
function toDistinct(column: 'actor_name' | 'action' | 'subject_kind'): string {
  const next = (after: string) =>
    `(select ${column} from audit_entry where organization_id = $1 and ${column} ${after} order by ${column} limit 1)`
  return `array(
    with recursive found (value, count) as (
      select ${next('is not null')}, 1
      union all
      select ${next('> found.value')}, count + 1 from found where value is not null and count <= 200)
    select value from found where value is not null)`
}
