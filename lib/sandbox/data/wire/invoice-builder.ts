import { addDays } from '../calendar.ts'
import type { Entity } from '../cast.ts'
import type { LinesShape, StoredInvoice, StoredLine } from '../model.ts'
import type { JsonObject, JsonValue } from './json.ts'

export type InvoiceSpec = {
  entity: Entity
  serialNumber: string
  mode: string
  status: string
  issuingDate: string
  fromDate?: string
  lines: StoredLine[]
  linesShape: LinesShape
  reference?: string | null
  /** Members that replace the usual ones; undefined removes a member. */
  more?: { [key: string]: JsonValue | undefined }
}

/** An invoice as stored; serving derives its totals from its lines. */
export function buildInvoice(spec: InvoiceSpec): StoredInvoice {
  const { profile } = spec.entity
  const header: JsonObject = {
    profile_id: profile.id,
    profile_name: profile.name,
    billing_information: profile.billingInformation,
    mode: spec.mode,
    status: spec.status,
    issuing_date: spec.issuingDate,
    billing_period: profile.billingPeriod,
    from_date: spec.fromDate ?? addDays(spec.issuingDate, -14),
    to_date: addDays(spec.issuingDate, -1),
    due_date: addDays(spec.issuingDate, 30),
    currency: profile.currency,
    credit_used_for_customer_payment: '0.00',
    reference: spec.reference ?? null,
    bank_account:
      profile.paymentMethodType === 'wire_transfer'
        ? { bank_name: 'Sandbox Bank', iban: 'XX00 0000 0000 0000', bic: 'SNDBXX00' }
        : null,
    ...spec.more,
  }
  return { serialNumber: spec.serialNumber, header, lines: spec.lines, linesShape: spec.linesShape }
}
