/** What each key groups a line by, and how a group is named, without the product's SQL. */
import type { ConnectionId } from '#lib/ids.ts'
import { type GroupKey, SHARED_KEYS } from '#lib/reconcile/group-keys.ts'
import type { ProvedLine } from '#lib/reconcile/records.ts'
import { toPlainValue } from './seed-varied-lines.ts'

export type Held = { connectionId: ConnectionId; line: ProvedLine }

const VALUES: Record<GroupKey, (line: ProvedLine, connectionId: ConnectionId) => string | null | string[]> = {
  trip: ({ tripId }) => tripId,
  cost_center: ({ costCenter }) => costCenter,
  vertical: ({ relatedVertical }) => relatedVertical,
  service: ({ service }) => service,
  traveler: ({ travelerNames }) => travelerNames,
  booker: ({ bookerName }) => bookerName,
  vendor: ({ vendorName }) => vendorName,
  profile: ({ profileId }) => profileId,
  connection: (_line, connectionId) => connectionId,
  invoice: ({ invoiceSerialNumber }) => invoiceSerialNumber,
  month: ({ expenseDate }) => expenseDate.slice(0, 7),
  month_issued: ({ issuingDate }) => issuingDate?.slice(0, 7) ?? null,
  tax_regime: ({ taxRegime }) => taxRegime,
  tax_percentage: ({ taxPercentage }) => toPlainValue(taxPercentage),
  out_of_policy: ({ outOfPolicy }) => (outOfPolicy === null ? null : String(outOfPolicy)),
  label: ({ labels }) => labels,
  country: ({ country }) => country,
  custom_field: ({ customFields }) => customFields ?? [],
  finding: ({ proof }) => proof.findings.map(({ code }) => code),
}

/** The groups that a line is in: one, or one for each of several values; null where it has none. */
export function listValues(key: GroupKey, { line, connectionId }: Held): (string | null)[] {
  const value = VALUES[key](line, connectionId)
  if (!Array.isArray(value)) return [value]
  return value.length === 0 ? [null] : [...new Set(value)]
}

export const isShared = (key: GroupKey) => SHARED_KEYS.some((each) => each === key)
