/**
 * The reasons that an organization offers for accepting and disputing lines, and how their list
 * changes (docs/decisions/061-own-reasons.md). Pure: the store, the dialog and the page of settings
 * have it from here.
 */

export const REASON_KINDS = ['accept', 'dispute'] as const
export type ReasonKind = (typeof REASON_KINDS)[number]

/** `code` never changes; `words` are what people choose, and what a decision keeps. */
export type Reason = { kind: ReasonKind; code: string; words: string; isRetired: boolean }

/** As much as fits on a line of the dialog. */
export const MOST_WORDS = 80
/** Of a kind: all of them are offered beside each other. */
const MOST_REASONS = 40

const BUILT_IN = {
  accept: {
    as_explained: 'As explained on each line',
    agreed: 'Agreed with the platform',
    too_small: 'Too small to follow up',
    elsewhere: 'Handled elsewhere',
    other: 'Another reason',
  },
  dispute: {
    too_much: 'More than was agreed',
    wrong_tax: 'Wrong tax',
    not_ours: 'Not booked by us',
    twice: 'Charged twice',
    other: 'Another reason',
  },
} as const satisfies Record<ReasonKind, Record<string, string>>

/** What every organization begins with. */
export const BUILT_IN_REASONS: readonly Reason[] = REASON_KINDS.flatMap((kind) =>
  Object.entries(BUILT_IN[kind]).map(([code, words]) => ({ kind, code, words, isRetired: false })),
)

/** Reasons that the product itself speaks of: they may be named otherwise, and stay. */
const STAYING: readonly string[] = ['as_explained', 'elsewhere']

/** Whether people may do without it. */
export function mayRetire({ kind, code }: Pick<Reason, 'kind' | 'code'>): boolean {
  return kind !== 'accept' || !STAYING.includes(code)
}

/** False for the reason that points at an explanation: money that nothing explains has none. */
export function explainsAny(code: string): boolean {
  return code !== 'as_explained'
}

/** A stored list, with what a later version has built in at its end. */
export function withBuiltIn(stored: readonly Reason[]): Reason[] {
  const isStored = (reason: Reason) => stored.some(isSame(reason))
  return [...stored, ...BUILT_IN_REASONS.filter((reason) => !isStored(reason))]
}

/** What may be chosen, in its order. `isAny`: for money that nothing explains. */
export function listOffered(reasons: readonly Reason[], kind: ReasonKind, isAny: boolean): Reason[] {
  return reasons.filter((each) => each.kind === kind && !each.isRetired && (!isAny || explainsAny(each.code)))
}

/** One change of the list. `up`, `down`: one place among those of its kind that are offered. */
export type ReasonChange =
  | { change: 'add'; kind: ReasonKind; words: string }
  | { change: 'rename'; kind: ReasonKind; code: string; words: string }
  | { change: 'retire' | 'restore' | 'up' | 'down'; kind: ReasonKind; code: string }

/**
 * Why nothing was changed. `gone`: there is no such reason. `taken`, `taken-retired`: another one
 * reads like this. `stays`: the product needs it. `last`: a dispute always has a reason. `full`.
 */
export type ReasonRefusal = 'gone' | 'taken' | 'taken-retired' | 'stays' | 'last' | 'full'

/** The list after the change, and the reason that it was about; or why it cannot be made. */
export function changeReasons(
  reasons: readonly Reason[],
  asked: ReasonChange,
): { reasons: Reason[]; reason: Reason } | ReasonRefusal {
  if (asked.change === 'add') return addReason(reasons, asked)
  const reason = reasons.find(isSame(asked))
  if (reason === undefined) return 'gone'
  if (asked.change === 'rename')
    return findTaken(reasons, asked, reason) ?? replace(reasons, { ...reason, words: asked.words })
  if (asked.change === 'restore') return replace(reasons, { ...reason, isRetired: false })
  if (asked.change === 'retire') return retire(reasons, reason)
  return { reasons: move(reasons, reason, asked.change === 'up' ? -1 : 1), reason }
}

function addReason(reasons: readonly Reason[], { kind, words }: { kind: ReasonKind; words: string }) {
  const refusal = findTaken(reasons, { kind, words }, null)
  if (refusal !== null) return refusal
  if (reasons.filter((each) => each.kind === kind).length >= MOST_REASONS) return 'full'
  const reason = { kind, code: toCode(reasons, kind, words), words, isRetired: false }
  return { reasons: [...reasons, reason], reason }
}

function retire(reasons: readonly Reason[], reason: Reason) {
  if (!mayRetire(reason)) return 'stays'
  const isLeft = listOffered(reasons, reason.kind, true).some((each) => each.code !== reason.code)
  return isLeft ? replace(reasons, { ...reason, isRetired: true }) : 'last'
}

function replace(reasons: readonly Reason[], reason: Reason) {
  return { reasons: reasons.map((each) => (isSame(reason)(each) ? reason : each)), reason }
}

/** Changes places with its neighbor; at the end of the list nothing moves. */
function move(reasons: readonly Reason[], reason: Reason, by: -1 | 1): Reason[] {
  const offered = listOffered(reasons, reason.kind, false)
  const other = offered[offered.findIndex(isSame(reason)) + by]
  if (reason.isRetired || other === undefined) return [...reasons]
  return reasons.map((each) => (isSame(reason)(each) ? other : isSame(other)(each) ? reason : each))
}

type Named = Pick<Reason, 'kind' | 'code'>
const isSame = (reason: Named) => (each: Named) => each.kind === reason.kind && each.code === reason.code

/** Words that people could not tell apart are taken; a reason may keep its own. */
function findTaken(
  reasons: readonly Reason[],
  { kind, words }: { kind: ReasonKind; words: string },
  own: Reason | null,
): 'taken' | 'taken-retired' | null {
  const other = reasons.find(
    (each) => each.kind === kind && each.code !== own?.code && toLook(each.words) === toLook(words),
  )
  if (other === undefined) return null
  return other.isRetired ? 'taken-retired' : 'taken'
}

function toLook(words: string): string {
  return words.normalize('NFKC').replace(/\s+/gu, ' ').trim().toLowerCase()
}

/** A code that its first words can be told by, and that no version builds in. */
function toCode(reasons: readonly Reason[], kind: ReasonKind, words: string): string {
  const plain = words.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  const stem = `own_${plain.replace(/[^a-z0-9]+/g, '_').replace(/^_|_$/g, '') || 'reason'}`.slice(0, 30)
  const isFree = (code: string) => !reasons.some(isSame({ kind, code }))
  let code = stem
  for (let number = 2; !isFree(code); number++) code = `${stem}_${number}`
  return code
}
