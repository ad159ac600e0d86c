/** An account of which packs can be checked: its records are as the platform sends them. */
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import { seedInvoices, seedLines } from '#lib/ledger/test-support/seed.ts'
import { parseInvoice } from '#lib/partner/wire/wire-invoice.ts'
import { parseLine } from '#lib/partner/wire/wire-line.ts'
import { listLineNotes } from '#lib/reconcile/line-notes.ts'
import { proveLine } from '#lib/reconcile/line-proof.ts'
import { explainLine } from '#lib/reconcile/reasons/explain-line.ts'
import type { ProvedLine } from '#lib/reconcile/records.ts'

/**
 * A line of one night for 100.00 and 19 % unless `change` says otherwise, as the platform sends it.
 */
export function makeWireLine(id: string, invoice: string, change: Record<string, unknown> = {}): ProvedLine {
  const raw = JSON.stringify({
    id,
    invoice_serial_number: invoice,
    profile_id: 'profile-1',
    currency: 'EUR',
    expense_date: '2026-03-04',
    issuing_date: '2026-03-31',
    description: 'Hotel, 1 night',
    quantity: '1',
    unit_price: '100.00',
    non_taxable_unit_price: '0.00',
    tax_percentage: '19.00',
    tax_amount: '19.00',
    total_amount: '119.00',
    tax_regime: 'G-VAT-R',
    metadata: { trip_id: '10223', cost_center: '4100' },
    ...change,
  })
  const read = parseLine(raw)
  if (!read.ok) throw new Error(`The line cannot be read: ${raw}`)
  const proof = proveLine(read.line)
  return { ...read.line, proof, explanations: explainLine(read.line, proof), notes: listLineNotes(read.line) }
}

/** Stores an invoice of March 2026 that states what its lines come to, and these. */
export async function seedPackInvoice(
  organizationId: OrganizationId,
  connectionId: ConnectionId,
  serialNumber: string,
  { total, lines, ...change }: { total: string; lines: ProvedLine[] } & Record<string, unknown>,
): Promise<void> {
  const raw = JSON.stringify({
    serial_number: serialNumber,
    profile_id: 'profile-1',
    profile_name: 'Acme GmbH',
    issuing_date: '2026-03-31',
    currency: 'EUR',
    pdf: 'https://example.com/signed',
    total,
    ...change,
  })
  const read = parseInvoice(raw)
  if (!read.ok) throw new Error(`The invoice cannot be read: ${raw}`)
  await seedInvoices(organizationId, connectionId, [read.invoice])
  await seedLines(organizationId, connectionId, lines)
}
