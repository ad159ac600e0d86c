/** Finds the reasons of findings that were stored before reasons were looked for. */
import { withSystemSql } from '#lib/db/tenant.ts'
import { type ProvableLine, proveLine } from '#lib/reconcile/line-proof.ts'
import { toKeptReasons } from '#lib/reconcile/reason.ts'
import { explainLine } from '#lib/reconcile/reasons/explain-line.ts'

/** Lines per transaction: few enough that no sync waits for it. */
const BATCH_LINES = 500

type StoredLine = ProvableLine & {
  organizationId: string
  connectionId: string
  id: string
  invoiceMode: string | null
}

/**
 * Explains one batch of lines, of any organization, whose findings nobody has looked at yet. Their
 * proof stays as it is. Several workers may do it at once. @returns how many lines it looked at.
 */
export async function explainStoredBatch(limit = BATCH_LINES): Promise<number> {
  return withSystemSql(async (sql) => {
    const lines = await sql<StoredLine>(
      `select organization_id as "organizationId", connection_id as "connectionId", id, invoice_mode as "invoiceMode",
         quantity::text, unit_price::text as "unitPrice", non_taxable_unit_price::text as "nonTaxableUnitPrice",
         tax_percentage::text as "taxPercentage", tax_amount::text as "taxAmount", total_amount::text as "totalAmount", currency
       from line where finding_count > 0 and explained_codes is null
       limit $1 for update skip locked`,
      [limit],
    )
    const kept = lines.map((line) => {
      const reasons = toKeptReasons(explainLine(line, proveLine(line)))
      return {
        o: line.organizationId,
        c: line.connectionId,
        i: line.id,
        e: reasons?.explained ?? [],
        r: reasons?.reasons ?? [],
      }
    })
    if (kept.length > 0)
      await sql(
        `update line l set explained_codes = k.e, reason_codes = k.r
         from json_to_recordset($1::json) as k(o uuid, c uuid, i text, e text[], r text[])
         where l.organization_id = k.o and l.connection_id = k.c and l.id = k.i`,
        [JSON.stringify(kept)],
      )
    return lines.length
  })
}
