import { withTenantSql } from '#lib/db/tenant.ts'
import { type OrganizationId, parseConnectionId } from '#lib/ids.ts'
import { toIssuerKey } from '#lib/reconcile/checks/judge.ts'
import type { Finding, FindingCode } from '#lib/reconcile/line-proof.ts'
import { LINE_DETAIL_COLUMNS, LINE_ROW_COLUMNS } from '../fields/line-fields.ts'
import { listLineHistory } from '../history/history.ts'
import { COMPARISON_COLUMNS } from '../kept/comparisons/comparison-columns.ts'
import type { LineComparison, LineDetail } from '../model.ts'
import { readRules } from '../rules/read-rules.ts'
import { PAYLOAD_OF_LINE } from '../sql/payload-of-line.ts'

type StoredLine = Omit<LineDetail, 'findings' | 'habits' | 'comparisons' | 'history' | 'firstSeenAt' | 'changedAt'> & {
  firstSeenAt: Date
  changedAt: Date
}

/** One line with its proof, raw record and history; null when the organization has no such line. */
export async function getLine(
  organizationId: OrganizationId,
  connection: string,
  id: string,
): Promise<LineDetail | null> {
  const connectionId = parseConnectionId(connection)
  if (connectionId === null || id.includes('\0')) return null
  const { row, comparisons, history, rules } = await withTenantSql(organizationId, async (sql) => {
    const [row] = await sql<StoredLine>(
      `select ${LINE_ROW_COLUMNS}, ${LINE_DETAIL_COLUMNS}, p.raw::text as "rawText",
         l.first_seen_at as "firstSeenAt", l.changed_at as "changedAt"
       from line l join ${PAYLOAD_OF_LINE} join connection c on c.organization_id = l.organization_id and c.id = l.connection_id
       where l.organization_id = $1 and l.connection_id = $2 and l.id = $3`,
      [organizationId, connectionId, id],
    )
    if (row === undefined) return { row, comparisons: [], history: [], rules: null }
    const comparisons = await sql<LineComparison>(
      `select ${COMPARISON_COLUMNS} from line_comparison c
       where c.organization_id = $1 and c.connection_id = $2 and c.line_id = $3 order by c.code`,
      [organizationId, connectionId, id],
    )
    const history = await listLineHistory(sql, organizationId, connectionId, id)
    // only what fails asks for a habit
    const rules = row.reasonCodes === null ? null : await readRules(sql, organizationId)
    return { row, comparisons, history, rules }
  })
  if (row === undefined) return null
  return {
    ...row,
    comparisons,
    history,
    habits: rules?.ofConnection(connectionId).habits.get(toIssuerKey(row)) ?? {},
    findings: row.findingCodes.map((code) => toFinding(code as FindingCode, row)),
    firstSeenAt: row.firstSeenAt.toISOString(),
    changedAt: row.changedAt.toISOString(),
  }
}

/** A stored finding's figures are the line's own columns. */
function toFinding(code: FindingCode, row: StoredLine): Finding {
  const { currency } = row
  return code === 'tax'
    ? { code, expected: row.expectedTax, actual: row.taxAmount, difference: row.taxDifference, currency }
    : { code, expected: row.expectedTotal, actual: row.totalAmount, difference: row.difference, currency }
}
