import { withTenantSql } from '#lib/db/tenant.ts'
import type { OrganizationId } from '#lib/ids.ts'
import type { DecidedLoss } from '../model.ts'

type Row = Omit<DecidedLoss, 'foundAt' | 'decidedAt' | 'takenBack'> & {
  foundAt: Date
  decidedAt: Date
  takenBackAt: Date | null
  takenBackBy: string | null
  linesBack: number | null
  invoicesBack: number | null
}

/** The decided losses of these runs, newest decision first. */
export async function listDecidedLosses(
  organizationId: OrganizationId,
  runIds: readonly string[],
): Promise<DecidedLoss[]> {
  const rows = await withTenantSql(organizationId, (sql) =>
    sql<Row>(
      `select l.run_id as "runId", l.found_at as "foundAt", l.line_count as "lineCount", l.missing_lines as "missingLines",
              l.invoice_count as "invoiceCount", l.missing_invoices as "missingInvoices", l.totals, l.decision,
              l.decided_at as "decidedAt", u.name as "decidedBy", r.lines_missing as "linesMarked",
              r.invoices_missing as "invoicesMarked", l.taken_back_at as "takenBackAt", b.name as "takenBackBy",
              l.lines_back as "linesBack", l.invoices_back as "invoicesBack"
       from sync_loss l
       join sync_run r on r.organization_id = l.organization_id and r.id = l.run_id
       left join app_user u on u.organization_id = l.organization_id and u.id = l.decided_by
       left join app_user b on b.organization_id = l.organization_id and b.id = l.taken_back_by
       where l.organization_id = $1 and l.run_id = any($2::uuid[]) and l.decision in ('accepted', 'rejected')
       order by l.decided_at desc`,
      [organizationId, runIds],
    ),
  )
  return rows.map(({ takenBackAt, takenBackBy, linesBack, invoicesBack, ...row }) => ({
    ...row,
    foundAt: row.foundAt.toISOString(),
    decidedAt: row.decidedAt.toISOString(),
    takenBack: takenBackAt && {
      by: takenBackBy,
      at: takenBackAt.toISOString(),
      lineCount: linesBack ?? 0,
      invoiceCount: invoicesBack ?? 0,
    },
  }))
}
