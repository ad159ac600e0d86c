import type { Sql } from '../db/tenant.ts'
import { hashText } from '../hash-text.ts'
import {
  applyRecords,
  createPacker,
  type PackedRecords,
  type Packer,
  toApplyTarget,
  type WrittenOfPart,
} from './apply-records.ts'
import { PROOF_VERSION } from './proof-version.ts'
import type { ProvedLine } from './records-to-apply.ts'

const LINES = toApplyTarget<ProvedLine>({
  table: 'line',
  key: 'id',
  keyOf: (line) => line.id,
  compared: ['content_hash', 'text_hash', 'proof_version'],
  columns: [
    { name: 'id', type: 'text', value: (line) => line.id },
    { name: 'invoice_serial_number', type: 'text', value: (line) => line.invoiceSerialNumber },
    { name: 'profile_id', type: 'text', value: (line) => line.profileId },
    { name: 'profile_name', type: 'text', value: (line) => line.profileName },
    { name: 'invoice_mode', type: 'text', value: (line) => line.invoiceMode },
    { name: 'invoice_status', type: 'text', value: (line) => line.invoiceStatus },
    { name: 'issuing_date', type: 'date', value: (line) => line.issuingDate },
    { name: 'due_date', type: 'date', value: (line) => line.dueDate },
    { name: 'currency', type: 'text', value: (line) => line.currency },
    { name: 'expense_date', type: 'date', value: (line) => line.expenseDate },
    { name: 'description', type: 'text', value: (line) => line.description },
    { name: 'quantity', type: 'numeric', value: (line) => line.quantity },
    { name: 'unit_price', type: 'numeric', value: (line) => line.unitPrice },
    { name: 'non_taxable_unit_price', type: 'numeric', value: (line) => line.nonTaxableUnitPrice },
    { name: 'tax_percentage', type: 'numeric', value: (line) => line.taxPercentage },
    { name: 'tax_amount', type: 'numeric', value: (line) => line.taxAmount },
    { name: 'tax_regime', type: 'text', value: (line) => line.taxRegime },
    { name: 'total_amount', type: 'numeric', value: (line) => line.totalAmount },
    { name: 'trip_id', type: 'text', value: (line) => line.tripId },
    { name: 'trip_name', type: 'text', value: (line) => line.tripName },
    { name: 'service', type: 'text', value: (line) => line.service },
    { name: 'related_vertical', type: 'text', value: (line) => line.relatedVertical },
    { name: 'cost_center', type: 'text', value: (line) => line.costCenter },
    { name: 'start_date', type: 'date', value: (line) => line.startDate },
    { name: 'end_date', type: 'date', value: (line) => line.endDate },
    { name: 'credit_card_last_4_digits', type: 'text', value: (line) => line.creditCardLast4 },
    { name: 'labels', type: 'text[]', value: (line) => line.labels },
    { name: 'out_of_policy', type: 'boolean', value: (line) => line.outOfPolicy },
    { name: 'vendor_code', type: 'text', value: (line) => line.vendorCode },
    { name: 'vendor_name', type: 'text', value: (line) => line.vendorName },
    { name: 'traveler_names', type: 'text[]', value: (line) => line.travelerNames },
    { name: 'booker_name', type: 'text', value: (line) => line.bookerName },
    { name: 'include_breakfast', type: 'boolean', value: (line) => line.includeBreakfast },
    { name: 'raw', type: 'json', value: (line) => line.raw },
    { name: 'content_hash', type: 'text', value: (line) => line.contentHash },
    { name: 'text_hash', type: 'bytea', value: (line) => line.textHash ?? hashText(line.raw) },
    { name: 'proof_version', type: 'smallint', value: () => PROOF_VERSION },
    { name: 'expected_total_amount', type: 'numeric', value: (line) => line.proof.expectedTotal },
    { name: 'difference', type: 'numeric', value: (line) => line.proof.difference },
    { name: 'expected_tax_amount', type: 'numeric', value: (line) => line.proof.expectedTax },
    { name: 'tax_difference', type: 'numeric', value: (line) => line.proof.taxDifference },
    { name: 'finding_codes', type: 'text[]', value: (line) => line.proof.findings.map(({ code }) => code) },
    { name: 'note_codes', type: 'text[]', value: (line) => line.notes },
  ],
})

/** @internal Exported so that a test can look at its plan. */
export const APPLY_LINES_SQL = LINES.statement

type Owner = { organizationId: string; connectionId: string }

/** Lines as they go to the database; ids and text hashes (hex) are for the rejected records that they resolve. */
export type PackedLines = PackedRecords & { ids: string[]; textHashes: string[] }

/** Its `add` throws when an id comes twice. */
export function createLinePacker(): Packer<ProvedLine, PackedLines> {
  const packer = createPacker(LINES)
  const ids: string[] = []
  const textHashes: string[] = []
  return {
    add: (record) => {
      packer.add(record)
      ids.push(record.item.id)
      textHashes.push(record.item.textHash ?? hashText(record.item.raw))
    },
    end: () => ({ ...packer.end(), ids, textHashes }),
  }
}

/**
 * Brings proved lines into the ledger, in the caller's transaction. Lines whose content and proof version are stored already
 * are not rewritten. A rejected record that can be read now (same text, or same id) counts as resolved.
 * @returns what was written of each part.
 */
export async function applyPackedLines(sql: Sql, owner: Owner, lines: PackedLines): Promise<WrittenOfPart[]> {
  const written = await applyRecords(sql, LINES, owner, lines)
  if (lines.count > 0) await resolveRejected(sql, owner, lines)
  return written
}

async function resolveRejected(sql: Sql, { organizationId, connectionId }: Owner, lines: PackedLines) {
  const owner = [organizationId, connectionId]
  const open = `from rejected_line where organization_id = $1 and connection_id = $2 and list = 'lines' and resolved_at is null`
  // there rarely is anything to resolve
  const [isAny] = await sql(`select ${open} limit 1`, owner)
  if (isAny === undefined) return
  await sql(
    `update rejected_line set resolved_at = now() where (organization_id, connection_id, list, raw_hash) in
       (select organization_id, connection_id, list, raw_hash ${open}
          and (raw_hash = any($3::text[]) or record_id = any($4::text[])))`,
    [...owner, lines.textHashes, lines.ids],
  )
}
