import { withTenantSnapshot } from '#lib/db/tenant.ts'
import { type OrganizationId, parseConnectionId } from '#lib/ids.ts'
import type { Day } from '#lib/reconcile/day.ts'
import type { Letter } from '#lib/reconcile/dispute/letter.ts'
import { toLetterFigures } from '#lib/reconcile/dispute/letter-figures.ts'
import { type ProvableLine, proveLine } from '#lib/reconcile/line-proof.ts'
import type { DecimalText } from '#lib/reconcile/money.ts'
import type { LetterToSend } from '../model.ts'
import { readLastRecipient } from './sent-letters.ts'

type Disputed = ProvableLine & {
  lineId: string
  description: string
  expectedBack: DecimalText
  decision: string
  note: string | null
  issuedOn: Day | null
  issuer: string | null
}

/**
 * What a letter to the platform says about the disputed lines of an invoice, or about one of them,
 * in the first of their currencies; null where none is disputed.
 */
export async function getLetter(
  organizationId: OrganizationId,
  asked: { connection: string; invoice: string; line: string | null },
  person: Letter['person'],
): Promise<LetterToSend | null> {
  const connectionId = parseConnectionId(asked.connection)
  if (connectionId === null || [asked.invoice, asked.line ?? ''].some((text) => text.includes('\0'))) return null
  const [lines, recipient] = await withTenantSnapshot(organizationId, async (sql) => [
    await sql<Disputed>(
      `select l.id as "lineId", l.description, l.quantity::text, l.unit_price::text as "unitPrice", l.non_taxable_unit_price::text as "nonTaxableUnitPrice",
         l.tax_percentage::text as "taxPercentage", l.tax_amount::text as "taxAmount", l.total_amount::text as "totalAmount",
         l.currency, v.expected_back::text as "expectedBack", v.decision::text, d.note, l.issuing_date::text as "issuedOn",
         l.profile_name as issuer
       from line l
       join line_review v on v.organization_id = l.organization_id and v.connection_id = l.connection_id and v.line_id = l.id
       join decision d on d.organization_id = v.organization_id and d.number = v.decision
       where l.organization_id = $1 and l.connection_id = $2 and l.invoice_serial_number = $3 and v.state = 'disputed'
         and v.expected_back > 0 and ($4::text is null or l.id = $4) order by l.id`,
      [organizationId, connectionId, asked.invoice, asked.line],
    ),
    await readLastRecipient(sql, organizationId, connectionId),
  ])
  const own = lines.filter(({ currency }) => currency === lines[0]?.currency)
  const figures = toLetterFigures(
    own.map(({ description, expectedBack, ...line }) => ({
      number: null,
      description,
      line,
      proof: proveLine(line),
      expectedBack,
    })),
  )
  const [first] = own
  if (figures === null || first === undefined) return null
  return {
    ...figures,
    invoice: { serialNumber: asked.invoice, issuedOn: first.issuedOn, issuer: first.issuer },
    reference: `D-${first.decision}`,
    person,
    note: own.length === 1 ? first.note : null,
    disputes: own.map(({ lineId, decision }) => ({ lineId, decision })),
    recipient,
  }
}
