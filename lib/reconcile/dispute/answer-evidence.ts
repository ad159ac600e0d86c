/** What links a later line to a dispute, and what says that it belongs to another. */
import { foldName } from '../look-alikes.ts'
import type { Candidate, Evidence, OpenDispute, Strength } from './answer.ts'

export type Link = { evidence: Evidence[]; strength: Strength }

/** A dispute with what is looked for in texts, folded; empty where it would say nothing. */
export type SoughtDispute = {
  dispute: OpenDispute
  line: string
  serial: string
  /** The form of its serial number, which others of the platform have, too: `inv-#-#-#`. */
  form: string
  description: string
  names: Names
}

/** A candidate with what it says of open disputes of its account, prepared once. */
export type ReadCandidate = {
  candidate: Candidate
  /** Its description and reference, folded. */
  text: string
  /** Forms of the words in it that may be numbers of other invoices than its own. */
  forms: ReadonlySet<string>
  /** Disputes whose line it names. */
  namedLines: ReadonlySet<string>
  /** Whether a dispute is open on its trip. */
  isOnDisputedTrip: boolean
  names: Names
}

/** Names folded, so that they are compared as people see them. */
type Names = { vendor: string; service: string; travelers: ReadonlySet<string> }

/** A shorter id or number stands in a text by chance. */
const SHORTEST_NAME = 5
const SHORTEST_DESCRIPTION = 4

export function seekDispute(dispute: OpenDispute): SoughtDispute {
  const serial = atLeast(SHORTEST_NAME, fold(dispute.invoiceSerialNumber))
  const isTelling = /\d/.test(serial)
  return {
    dispute,
    line: atLeast(SHORTEST_NAME, fold(dispute.lineId)),
    serial: isTelling ? serial : '',
    // of digits alone any number would be one
    form: isTelling && /\p{L}/u.test(serial) ? toForm(serial) : '',
    description: atLeast(SHORTEST_DESCRIPTION, fold(dispute.description)),
    names: foldNames(dispute),
  }
}

/** @param sought All open disputes of the candidate's account. */
export function readCandidate(candidate: Candidate, sought: readonly SoughtDispute[]): ReadCandidate {
  const text = fold(`${candidate.description} | ${candidate.reference ?? '-'}`)
  const serial = fold(candidate.invoiceSerialNumber)
  return {
    candidate,
    text,
    forms: new Set((text.match(NUMBER_WORDS) ?? []).filter((word) => word !== serial).map(toForm)),
    namedLines: new Set(sought.filter(({ line }) => hasWord(text, line)).map(({ dispute }) => dispute.id)),
    isOnDisputedTrip: sought.some(({ dispute }) => dispute.tripId !== null && dispute.tripId === candidate.tripId),
    names: foldNames(candidate),
  }
}

/**
 * What links a candidate to a dispute; null for nothing, or if it says that it belongs elsewhere:
 * it is a correction of another line, names another line or another invoice, or is of another trip
 * on which there is an open dispute.
 */
export function linkOf(sought: SoughtDispute, read: ReadCandidate): Link | null {
  const { dispute } = sought
  const { candidate, text } = read
  const isSameLine = candidate.lineId === dispute.lineId
  if (candidate.kind === 'correction') return isSameLine ? { evidence: ['line_corrected'], strength: 'explicit' } : null
  if (isSameLine) return null

  const evidence: Evidence[] = []
  if (read.namedLines.has(dispute.id)) evidence.push('line_named')
  else if (read.namedLines.size > 0) return null
  if (candidate.invoiceSerialNumber === dispute.invoiceSerialNumber || hasWord(text, sought.serial))
    evidence.push('invoice_named')
  // a number of the same form: `INV-01-2026-000777` beside `…-000158`
  else if (evidence.length === 0 && read.forms.has(sought.form)) return null
  const isExplicit = evidence.length > 0

  const isSameTrip = dispute.tripId !== null && dispute.tripId === candidate.tripId
  const isOtherTrip = dispute.tripId !== null && candidate.tripId !== null && !isSameTrip
  if (isOtherTrip && read.isOnDisputedTrip && !isExplicit) return null
  const isSameTraveler = hasCommon(sought.names.travelers, read.names.travelers)
  const isOtherTraveler = sought.names.travelers.size > 0 && read.names.travelers.size > 0 && !isSameTraveler
  const isDoubtful = isOtherTrip || (isOtherTraveler && !isSameTrip)

  if (isSameTrip) evidence.push('same_trip')
  if (hasWord(text, sought.description)) evidence.push('description_named')
  if (isSameTraveler && isSameName(sought.names.vendor, read.names.vendor)) evidence.push('same_vendor_and_traveler')
  // so many lines have the same service that it says nothing against what else is said
  if (!isDoubtful && isSameName(sought.names.service, read.names.service)) evidence.push('same_service')
  if (evidence.length === 0) return null
  return { evidence, strength: isExplicit ? 'explicit' : isDoubtful ? 'doubtful' : 'linked' }
}

function hasCommon(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  for (const each of some) if (others.has(each)) return true
  return false
}

/** Two that are not known are not the same. */
function isSameName(one: string, other: string): boolean {
  return one !== '' && one === other
}

function foldNames({ vendorName, service, travelerNames }: OpenDispute | Candidate): Names {
  return {
    vendor: fold(vendorName ?? ''),
    service: fold(service ?? ''),
    travelers: new Set(travelerNames.map(fold).filter((name) => name !== '')),
  }
}

/** What most texts are already, and need not be folded to become. */
const PLAIN = /^[!-~]*(?: [!-~]+)*$/

function fold(text: string): string {
  return (PLAIN.test(text) ? text : foldName(text)).toLowerCase()
}

function atLeast(length: number, text: string): string {
  return text.length < length ? '' : text
}

/** Words of letters and digits, with what joins them. */
const NUMBER_WORDS = /[\p{L}\p{N}]+(?:[-_/.][\p{L}\p{N}]+)*/gu

function toForm(serial: string): string {
  return serial.replace(/\d+/g, '#')
}

const WORD_BEFORE = /[\p{L}\p{N}][-_]?$/u
const WORD_AFTER = /^[-_]?[\p{L}\p{N}]/u

/**
 * Whether a text has a word, or words, as such: `…-000158` is neither in `…-0001580` nor in
 * `…-000158-2`. Not a pattern for each word: making thousands of them takes seconds.
 */
function hasWord(text: string, word: string): boolean {
  if (word === '') return false
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const end = at + word.length
    const isWithin = WORD_BEFORE.test(text.slice(Math.max(0, at - 3), at)) || WORD_AFTER.test(text.slice(end, end + 3))
    if (!isWithin) return true
  }
  return false
}
