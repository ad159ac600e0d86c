/** Disputes and later lines for tests: each knows what links it, and nothing else. */
import type { ConnectionId } from '#lib/ids.ts'
import type { Day } from '../../day.ts'
import type { DecimalText } from '../../money.ts'
import type { Candidate, OpenDispute } from '../answer.ts'

const ACCOUNT = '00000000-0000-4000-8000-000000000001' as ConnectionId

const BLANK = {
  connectionId: ACCOUNT,
  tripId: null,
  service: null,
  vendorName: null,
  travelerNames: [],
  currency: 'EUR',
} as const

/** Disputed on October 29 unless it says otherwise, on trip T-1. */
export function makeDispute(id: string, expectedBack: string, more: Partial<OpenDispute> = {}): OpenDispute {
  return {
    ...BLANK,
    id,
    invoiceSerialNumber: 'INV-01-2026-000158',
    lineId: `line-of-${id}`,
    description: 'Late check-out',
    tripId: 'T-1',
    expectedBack: expectedBack as DecimalText,
    disputedOn: '2026-10-29' as Day,
    ...more,
  }
}

/** A credit that was first here on November 13, on trip T-1, unless it says otherwise. */
export function makeCredit(id: string, totalAmount: string, more: Partial<Candidate> = {}): Candidate {
  return {
    ...BLANK,
    kind: 'credit',
    id,
    invoiceSerialNumber: 'CR-01-2026-000013',
    lineId: `line-of-${id}`,
    description: 'Refund',
    reference: null,
    tripId: 'T-1',
    seenOn: '2026-11-13' as Day,
    totalAmount: totalAmount as DecimalText,
    ...more,
  } as Candidate
}

/** A new version of the disputed line. */
export function makeCorrection(id: string, dispute: OpenDispute, before: string, after: string): Candidate {
  const { expectedBack: _, disputedOn: __, ...line } = dispute
  return {
    ...line,
    kind: 'correction',
    id,
    reference: null,
    seenOn: '2026-11-13' as Day,
    totalBefore: before as DecimalText,
    totalAmount: after as DecimalText,
  }
}
