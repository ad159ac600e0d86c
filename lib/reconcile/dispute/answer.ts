/** Disputes, what may answer them, and the answers. Types, and no library: pages use them too. */
import type { ConnectionId } from '#lib/ids.ts'
import type { Day } from '../day.ts'
import type { DecimalText } from '../money.ts'

/** What ties a line to a trip, to people and to a place on paper. Null or empty: unknown. */
type Bearings = {
  connectionId: ConnectionId
  invoiceSerialNumber: string
  lineId: string
  description: string
  tripId: string | null
  service: string | null
  vendorName: string | null
  travelerNames: readonly string[]
  currency: string
}

/** A dispute that nobody has settled. */
export type OpenDispute = Bearings & {
  id: string
  /** Above zero. */
  expectedBack: DecimalText
  disputedOn: Day
}

/** A line, or the new version of one, that may give the money back. `id`: unlike any other's. */
export type Candidate = Bearings & {
  id: string
  /** The day on which it was first here. */
  seenOn: Day
  /** What its document says it refers to, such as `reference` of its invoice. */
  reference: string | null
  totalAmount: DecimalText
} & (
    | { kind: 'credit' }
    // the disputed line itself, as it is now
    | { kind: 'correction'; totalBefore: DecimalText }
  )

/** What links a candidate to a dispute, strongest first. */
export const EVIDENCE = [
  'line_corrected',
  'line_named',
  'invoice_named',
  'same_trip',
  'description_named',
  'same_vendor_and_traveler',
  'same_service',
] as const
export type Evidence = (typeof EVIDENCE)[number]

/**
 * How good the evidence is. `explicit`: it names the line or its invoice. `doubtful`: it says
 * another trip, or other travelers.
 */
export const STRENGTHS = ['explicit', 'linked', 'doubtful'] as const
export type Strength = (typeof STRENGTHS)[number]

/** A candidate in the arithmetic of an answer. */
export type AnswerTerm = {
  candidateId: string
  kind: Candidate['kind']
  lineId: string
  invoiceSerialNumber: string
  /** What it gives back, above zero. */
  amount: DecimalText
  evidence: Evidence[]
  strength: Strength
}

/** expected - all terms = left. */
export type Fit = { expected: DecimalText; terms: AnswerTerm[]; left: DecimalText }

/**
 * What may answer a dispute. `exact`: one candidate, nothing left, and nothing else fits as well.
 * `sum`: the same of several together. `partial`: one or more name the line or its invoice, and
 * something is left; `over`: less than nothing is. `tie`: more than one answer is as good, or one
 * is as good for another dispute (`sharedWith`); a person decides. `too_many`: too many candidates
 * to know whether it is the only one.
 */
export type Answer = { disputeId: string; currency: string } & (
  | { kind: 'exact' | 'sum' | 'partial' | 'over'; fit: Fit }
  | { kind: 'tie'; alternatives: Fit[]; sharedWith: string[] }
  | { kind: 'too_many'; alternatives: Fit[]; candidateCount: number }
)
