import { expect, test } from 'vitest'
import type { ConnectionId } from '#lib/ids.ts'
import { currencyDigits } from '../currency.ts'
import type { Day } from '../day.ts'
import type { DecimalText } from '../money.ts'
import type { Answer, Candidate, OpenDispute } from './answer.ts'
import { findAnswers } from './find-answers.ts'
import { makeCorrection, makeCredit, makeDispute } from './test-support/test-disputes.ts'

const COUNT = 500
const PLANTS = [
  'exact on the trip',
  'exact by reference',
  'exact by vendor and traveler',
  'corrected',
  'split',
  'named beside one of the same amount',
  'partial',
  'two of the same amount',
  'one and a pair',
  'one for two disputes',
  'in another currency',
  'before the dispute',
  'used already',
  'in another account',
  'for another invoice',
  'a cent off',
] as const
type Plant = (typeof PLANTS)[number]
/** What is planted for a dispute: the candidates that answer it, or `tie`, or nothing. */
type Planted = {
  plant: Plant
  dispute: OpenDispute
  expected: { only: string[] } | { partial: string[] } | 'tie' | 'none'
}

const ACCOUNTS = [1, 2, 3].map((at) => `00000000-0000-4000-8000-00000000000${at}` as ConnectionId)
const ELSEWHERE = '00000000-0000-4000-8000-000000000009' as ConnectionId
const BEFORE = '2026-10-29' as Day

/** A small seeded generator (mulberry32), so a failing dispute fails again. */
function createRandom(seed: number) {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const int = (low: number, high: number) => low + Math.floor(next() * (high - low + 1))
  return { int, pick: <Item>(items: readonly Item[]): Item => items[int(0, items.length - 1)] as Item }
}
type Random = ReturnType<typeof createRandom>

/** How many sets of these amounts come to the target: every set is tried. */
function countSets(amounts: readonly number[], target: number): number {
  let count = 0
  for (let set = 1; set < 2 ** amounts.length; set += 1) {
    let sum = 0
    for (let at = 0; at < amounts.length; at += 1) if ((set >> at) & 1) sum += amounts[at] ?? 0
    if (sum === target) count += 1
  }
  return count
}

/** Whole amounts that come to `total`, in minor units. */
function split(random: Random, total: number, count: number): number[] {
  const cuts = new Set<number>()
  while (cuts.size < count - 1) cuts.add(random.int(1, total - 1))
  const ends = [...cuts, total].sort((a, b) => a - b)
  return ends.map((end, at) => end - (ends[at - 1] ?? 0))
}

function plant(random: Random, at: number, used: Set<string>): { planted: Planted[]; candidates: Candidate[] } {
  const kind = PLANTS[at % PLANTS.length] as Plant
  const currency = random.pick(['EUR', 'GBP', 'JPY', 'KWD'])
  const digits = currencyDigits(currency)
  const total = random.int(1_000, 90_000)
  const bearings = {
    connectionId: random.pick(ACCOUNTS),
    currency,
    tripId: `T-${at}`,
    vendorName: `Hotel ${random.int(1, 40)}`,
    travelerNames: [`Traveler ${at}`],
    service: random.pick(['hotel', 'flight', 'train']),
  }
  const write = (units: number) => (units / 10 ** digits).toFixed(digits)
  const dispute = makeDispute(`d${at}`, write(total), {
    ...bearings,
    invoiceSerialNumber: `INV-01-2026-${String(at).padStart(6, '0')}`,
    description: `Item ${at}`,
  })
  const reference = { reference: `Credit for ${dispute.invoiceSerialNumber}` }
  let made = 0
  const credit = (units: number, more: Partial<Candidate> = {}) => {
    made += 1
    return makeCredit(`c${at}-${made}`, `-${write(units)}`, { ...bearings, ...more })
  }
  const far = { tripId: null, vendorName: null, travelerNames: [], service: null }

  const parts = kind === 'split' ? split(random, total, random.int(2, 12)) : []
  const pair = split(random, total, 2)
  const own: Record<Plant, () => { candidates: Candidate[]; expected: Planted['expected'] | null }> = {
    'exact on the trip': () => ({ candidates: [credit(total)], expected: null }),
    'exact by reference': () => ({ candidates: [credit(total, { ...far, ...reference })], expected: null }),
    'exact by vendor and traveler': () => ({ candidates: [credit(total, { tripId: null })], expected: null }),
    corrected: () => ({
      candidates: [makeCorrection(`c${at}-v2`, dispute, write(total + 5_000), write(5_000))],
      expected: null,
    }),
    split: () => ({ candidates: parts.map((part) => credit(part)), expected: null }),
    'named beside one of the same amount': () => {
      const named = credit(total, { ...far, ...reference })
      return { candidates: [credit(total), named], expected: { only: [named.id] } }
    },
    partial: () => {
      const part = credit(random.int(1, total - 1), reference)
      return { candidates: [part], expected: { partial: [part.id] } }
    },
    'two of the same amount': () => ({ candidates: [credit(total), credit(total)], expected: 'tie' }),
    'one and a pair': () => ({ candidates: [credit(total), ...pair.map((part) => credit(part))], expected: 'tie' }),
    'one for two disputes': () => ({ candidates: [credit(total)], expected: 'tie' }),
    'in another currency': () => ({ candidates: [credit(total, { currency: 'USD' })], expected: 'none' }),
    'before the dispute': () => ({ candidates: [credit(total, { seenOn: BEFORE })], expected: 'none' }),
    'used already': () => {
      const spent = credit(total)
      used.add(spent.id)
      return { candidates: [spent], expected: 'none' }
    },
    'in another account': () => ({ candidates: [credit(total, { connectionId: ELSEWHERE })], expected: 'none' }),
    'for another invoice': () => ({
      candidates: [credit(total, { description: 'Refund of INV-01-2026-999999' })],
      expected: 'none',
    }),
    'a cent off': () => ({ candidates: [credit(total + random.pick([-1, 1]))], expected: 'none' }),
  }
  const { candidates, expected } = own[kind]()
  // decoys of the same trip that make no further sum with what is planted
  const inSums = candidates.filter(
    (each) => each.tripId === bearings.tripId && each.kind === 'credit' && !used.has(each.id),
  )
  const units = inSums
    .filter((each) => expected !== 'none' || kind === 'a cent off' || each.seenOn > BEFORE)
    .map((each) => Number(each.totalAmount.replace(/[-.]/g, '')))
  const before = countSets(units, total)
  const decoys: number[] = []
  for (let count = random.int(0, kind === 'split' ? 2 : 5); count > 0; count -= 1) {
    const more = random.int(1, total + 20_000)
    if (more !== total && countSets([...units, ...decoys, more], total) === before) decoys.push(more)
  }
  const planted: Planted = { plant: kind, dispute, expected: expected ?? { only: candidates.map(({ id }) => id) } }
  const twin: Planted = { ...planted, dispute: { ...dispute, id: `e${at}`, lineId: `line-of-e${at}` } }
  return {
    planted: kind === 'one for two disputes' ? [planted, twin] : [planted],
    candidates: [...candidates, ...decoys.map((each) => credit(each))],
  }
}

/** What is wrong with the answer to a planted dispute; null for nothing. */
function judge({ plant, dispute, expected }: Planted, answer: Answer | undefined): string | null {
  const ids =
    answer !== undefined && 'fit' in answer ? answer.fit.terms.map(({ candidateId }) => candidateId).sort() : []
  const isOnly = answer?.kind === 'exact' || answer?.kind === 'sum'
  const isAs = (wanted: readonly string[]) => ids.join() === [...wanted].sort().join()
  const isRight =
    expected === 'none'
      ? answer === undefined
      : expected === 'tie'
        ? answer?.kind === 'tie'
        : 'only' in expected
          ? isOnly && isAs(expected.only)
          : answer?.kind === 'partial' && isAs(expected.partial)
  if (isRight) return null
  return `${isOnly ? 'WRONG ' : ''}${plant}, ${dispute.id}: ${answer?.kind ?? 'none'} ${ids.join()}`
}

/** `left` is what is expected less every term, in minor units. */
function isArithmeticRight(answer: Answer): boolean {
  const toUnits = (value: DecimalText) => BigInt(value.replace('.', ''))
  const fits = 'fit' in answer ? [answer.fit] : answer.alternatives
  return fits.every(({ expected, terms, left }) => {
    const sum = terms.reduce((total, { amount }) => total + toUnits(amount), 0n)
    return toUnits(expected) - sum === toUnits(left) && (answer.kind === 'partial' || toUnits(left) === 0n)
  })
}

test('of 500 planted disputes every answer is found, and no wrong one is the only one', () => {
  const random = createRandom(2026)
  const used = new Set<string>()
  const world = Array.from({ length: COUNT }, (_, at) => plant(random, at, used))
  const planted = world.flatMap((each) => each.planted)
  const answers = findAnswers(
    planted.map(({ dispute }) => dispute),
    world.flatMap(({ candidates }) => candidates),
    used,
  )
  const byId = new Map(answers.map((answer) => [answer.disputeId, answer]))
  expect(planted.flatMap((each) => judge(each, byId.get(each.dispute.id)) ?? [])).toEqual([])
  expect(answers.filter((answer) => !isArithmeticRight(answer))).toEqual([])
})
