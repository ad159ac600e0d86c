import * as z from 'zod'
import type { JsonObject } from '#lib/reconcile/json/value.ts'
import type { ProfileRecord } from '#lib/reconcile/records.ts'
import { hashContent } from './hash-content.ts'
import { type Rejected, readRecord, toObjectPath } from './wire-record.ts'
import { optionalCurrency, optionalKey, optionalObject, optionalText, requiredId } from './wire-values.ts'

/** The profile as observed on the wire; the contract only names it (assumption 11). */
export const wireProfile = z.object({
  id: requiredId,
  name: optionalText,
  currency: optionalCurrency,
  payment_method_type: optionalKey,
  billing_period: optionalKey,
  billing_information: optionalObject({ legal_name: optionalText }),
})

/**
 * Reads one payment/invoice profile from its source text. Never throws: an unreadable one becomes a
 * rejection.
 */
const OBJECT_PATHS = [toObjectPath('billing_information')]

export function parseProfile(raw: string): { ok: true; profile: ProfileRecord; value: JsonObject } | Rejected {
  const read = readRecord(raw, wireProfile, 'id', OBJECT_PATHS)
  if (!read.ok) return read
  const { value, wire, unreadablePaths } = read
  const profile: ProfileRecord = {
    id: wire.id,
    name: wire.name,
    currency: wire.currency,
    paymentMethodType: wire.payment_method_type,
    billingPeriod: wire.billing_period,
    legalName: wire.billing_information.legal_name,
    unreadablePaths,
    raw,
    contentHash: hashContent(value),
  }
  return { ok: true, profile, value }
}
