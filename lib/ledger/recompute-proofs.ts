import type { Sql } from '../db/tenant.ts'
import { type ProvableLine, proveLine } from '../reconcile/line-proof.ts'
import { PROOF_VERSION } from './proof-version.ts'

const BATCH_ROWS = 1000

type StoredLine = ProvableLine & { connectionId: string; id: string }

/**
 * Proves stored lines again from their stored figures, all of the organization's or one connection's, in the caller's
 * transaction and in batches. Rows whose proof comes out the same are not rewritten; `changed_at`, which speaks of the
 * partner's content, stays.
 */
export async function recomputeProofs(
  sql: Sql,
  organizationId: string,
  connectionId: string | null,
): Promise<{ checked: number; changed: number }> {
  const done = { checked: 0, changed: 0 }
  let after: { connectionId: string; id: string } | null = null
  for (;;) {
    const lines: StoredLine[] = await readBatch(sql, organizationId, connectionId, after)
    if (lines.length === 0) return done
    done.checked += lines.length
    done.changed += await writeProofs(sql, organizationId, lines)
    after = lines.at(-1) ?? null
  }
}

function readBatch(
  sql: Sql,
  organizationId: string,
  connectionId: string | null,
  after: { connectionId: string; id: string } | null,
): Promise<StoredLine[]> {
  return sql<StoredLine>(
    `select connection_id as "connectionId", id, quantity::text, unit_price::text as "unitPrice",
            non_taxable_unit_price::text as "nonTaxableUnitPrice", tax_percentage::text as "taxPercentage",
            tax_amount::text as "taxAmount", total_amount::text as "totalAmount", currency
     from line
     where organization_id = $1 and ($2::uuid is null or connection_id = $2)
       and ($3::uuid is null or (connection_id, id) > ($3, $4::text))
     order by connection_id, id limit ${BATCH_ROWS}`,
    [organizationId, connectionId, after?.connectionId ?? null, after?.id ?? null],
  )
}

async function writeProofs(sql: Sql, organizationId: string, lines: readonly StoredLine[]): Promise<number> {
  const document = lines.map((line) => {
    const proof = proveLine(line)
    return {
      connection_id: line.connectionId,
      id: line.id,
      expected_total_amount: proof.expectedTotal,
      difference: proof.difference,
      expected_tax_amount: proof.expectedTax,
      tax_difference: proof.taxDifference,
      finding_codes: proof.findings.map(({ code }) => code),
    }
  })
  const changed = await sql(
    `update line l
     set expected_total_amount = p.expected_total_amount, difference = p.difference,
         expected_tax_amount = p.expected_tax_amount, tax_difference = p.tax_difference,
         finding_codes = p.finding_codes, proof_version = ${PROOF_VERSION}
     from json_to_recordset($2::json) as p (connection_id uuid, id text, expected_total_amount numeric, difference numeric,
       expected_tax_amount numeric, tax_difference numeric, finding_codes text[])
     where l.organization_id = $1 and l.connection_id = p.connection_id and l.id = p.id
       -- as text: the scale of a figure is part of it
       and (l.expected_total_amount::text, l.difference::text, l.expected_tax_amount::text, l.tax_difference::text,
            l.finding_codes, l.proof_version)
         is distinct from (p.expected_total_amount::text, p.difference::text, p.expected_tax_amount::text,
            p.tax_difference::text, p.finding_codes, ${PROOF_VERSION}::smallint)
     returning l.id`,
    [organizationId, JSON.stringify(document)],
  )
  return changed.length
}
