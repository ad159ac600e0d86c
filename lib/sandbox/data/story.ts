import { addDays, monthEnd } from './calendar.ts'
import { type Entity, MERIDIAN_ENTITIES, NORDLICHT_ENTITIES } from './cast.ts'
import { buildCreditNote, CREDIT_NOTES } from './credit-notes.ts'
import { HOSTILE_LINES } from './hostile-text.ts'
import type { LinesShape, StoredInvoice, StoredLine } from './model.ts'
import { ODD_LINES, POISON_LINES } from './oddities.ts'
import { PLANTED_LINES } from './planted-faults.ts'
import { type Choices, createChoices } from './prng.ts'
import { inventTrip, lineOnTrip, linesOfTrip, type Trip } from './trips.ts'
import { buildInvoice } from './wire/invoice-builder.ts'
import type { SpecialLine } from './wire/special-line.ts'

const SHAPES: readonly LinesShape[] = ['absent', 'paged', 'flat']
export const LAST_DAY = '2026-11-20'

/** An invoice still being written, with its trips: special lines join one of them. */
type Draft = { entity: Entity; invoice: StoredInvoice; trips: Trip[] }

/**
 * The first customer account: four legal entities in EUR, GBP, JPY and KWD, about sixty invoices,
 * every oddity.
 */
export function createNordlichtStory(seed: number): StoredInvoice[] {
  const choices = createChoices(seed)
  const drafts = NORDLICHT_ENTITIES.flatMap((entity, index) =>
    writeInvoices(choices, entity, {
      firstTripId: 3_410_000 + index * 1000,
      serialFrom: 110 + index * 200,
      from: 0,
      months: 12,
    }),
  )
  placeSpecialLines(choices, drafts, [...PLANTED_LINES, ...ODD_LINES, ...HOSTILE_LINES, ...POISON_LINES])
  addRefundInsideInvoice(choices, drafts)
  applyHeaderOddities(drafts)
  const credits = CREDIT_NOTES.map((spec) => {
    const draft = drafts.findLast(
      ({ entity, invoice }) =>
        entity.profile.currency === spec.currency && String(invoice.header.issuing_date) < spec.issuingDate,
    )
    const trip = draft?.trips[0]
    if (!draft || !trip) throw new RangeError(`no trip to credit in ${spec.currency}`)
    return buildCreditNote(spec, draft.entity, trip, choices.uuid)
  })
  return inOrder([...drafts.map((draft) => draft.invoice), ...credits])
}

/**
 * The second customer account: smaller, EUR and USD, one planted fault, no oddities beyond the
 * usual.
 */
export function createMeridianStory(seed: number): StoredInvoice[] {
  const choices = createChoices(seed + 1)
  const drafts = MERIDIAN_ENTITIES.flatMap((entity, index) =>
    writeInvoices(choices, entity, {
      firstTripId: 5_200_000 + index * 1000,
      serialFrom: 20 + index * 100,
      from: 5,
      months: 12,
    }),
  )
  const draft = drafts.findLast((each) => each.entity.profile.currency === 'USD')
  const trip = draft?.trips[0]
  if (!draft || !trip) throw new RangeError('no trip in USD')
  const right = lineOnTrip(trip, 'hotel', {
    id: choices.uuid(),
    description: 'Conference block, 2 nights',
    quantity: 2,
    unitPrice: '189.00',
    taxPercentage: '5.7',
  })
  // 2 x 189.00 + 21.55 = 399.55
  draft.invoice.lines.push({ wire: { ...right, total_amount: '399.54' }, plant: 'usd_cent_below' })
  return inOrder(drafts.map((each) => each.invoice))
}

type Schedule = { firstTripId: number; serialFrom: number; from: number; months: number }

function writeInvoices(choices: Choices, entity: Entity, schedule: Schedule): Draft[] {
  const drafts: Draft[] = []
  let tripId = schedule.firstTripId
  for (const [index, issuingDate] of issuingDates(entity, schedule).entries()) {
    const style = index % 4 === 1 ? 'long' : 'short'
    const fares = [9_000, 68_000] as const
    const trips: Trip[] = []
    const lines: StoredLine[] = []
    for (let count = choices.int(1, 3); count > 0; count -= 1) {
      tripId += choices.int(1, 9)
      const trip = inventTrip(choices, entity, String(tripId), issuingDate)
      trips.push(trip)
      const habits = { style, fares, carDays: `${trip.nights} days` } as const
      lines.push(...linesOfTrip(choices, trip, habits).map((wire) => ({ wire })))
    }
    const prefix = entity.serialPrefixes[index % entity.serialPrefixes.length] ?? 'INV-01'
    const invoice = buildInvoice({
      entity,
      serialNumber: `${prefix}-${issuingDate.slice(0, 4)}-${String(schedule.serialFrom + index * 3).padStart(6, '0')}`,
      mode: prefix === 'INV-02' ? entity.modes.behalf : entity.modes.own,
      status: issuingDate < '2026-09-01' ? 'paid' : issuingDate < '2026-10-20' ? 'unpaid' : 'open',
      issuingDate,
      lines,
      linesShape: SHAPES[index % SHAPES.length] ?? 'absent',
      // the credit field is newer than the oldest invoices
      more: issuingDate < '2026-02-01' ? { credit_used_for_customer_payment: undefined } : {},
    })
    drafts.push({ entity, invoice, trips })
  }
  return drafts
}

export function issuingDates(entity: Entity, { from, months }: Pick<Schedule, 'from' | 'months'>): string[] {
  const dates: string[] = []
  for (let month = from; month < months; month += 1) {
    const end = monthEnd(month)
    if (entity.profile.billingPeriod === 'biweekly') dates.push(`${end.slice(0, 8)}15`)
    dates.push(end)
  }
  return dates.filter((day) => day <= LAST_DAY)
}

/** Deals the special lines out to the invoices of their currency. */
function placeSpecialLines(choices: Choices, drafts: readonly Draft[], lines: readonly SpecialLine[]): void {
  const turn = new Map<string, number>()
  for (const special of lines) {
    const candidates = drafts.filter((draft) => draft.entity.profile.currency === special.currency)
    const index = turn.get(special.currency) ?? 0
    turn.set(special.currency, index + 1)
    const draft = candidates[(index * 5 + 2) % candidates.length]
    const trip = draft?.trips[0]
    if (!draft || !trip) throw new RangeError(`no invoice in ${special.currency} for ${special.name}`)
    draft.invoice.lines.push(special.make(trip, choices.uuid()))
  }
}

function addRefundInsideInvoice(choices: Choices, drafts: readonly Draft[]): void {
  const draft = drafts[4]
  const trip = draft?.trips[0]
  if (!draft || !trip) throw new RangeError('no invoice for the refund')
  const description = 'Refund: train ticket, not used'
  const wire = lineOnTrip(trip, 'train', {
    id: choices.uuid(),
    description,
    quantity: -2,
    unitPrice: '46.73',
    taxPercentage: '7',
  })
  // posted long after the purchase: a client with expense_date as its cursor misses it
  draft.invoice.lines.push({ wire: { ...wire, expense_date: addDays(trip.start, -45) } })
}

function applyHeaderOddities(drafts: readonly Draft[]): void {
  const inCurrency = (currency: string) => drafts.filter((draft) => draft.entity.profile.currency === currency)
  const change = (currency: string, index: number, more: StoredInvoice['header']) => {
    const draft = inCurrency(currency)[index]
    if (draft) Object.assign(draft.invoice.header, more)
  }
  change('EUR', 6, { credit_used_for_customer_payment: '50.00' })
  change('GBP', 3, { credit_used_for_customer_payment: '12.75' })
  change('EUR', 8, { mode: 'Mixed' })
  change('EUR', 11, { mode: 'hybrid-v3' })
  change('GBP', 5, { due_date: null })
  change('GBP', 7, { status: 'partially_paid' })
  change('JPY', 4, { billing_period: 'fortnightly', e_invoice: { format: 'peppol', sent: null } })
  change('EUR', 22, { status: 'draft' })
}

export function inOrder(invoices: StoredInvoice[]): StoredInvoice[] {
  const key = (invoice: StoredInvoice) => `${String(invoice.header.issuing_date)} ${invoice.serialNumber}`
  return invoices.sort((a, b) => (key(a) < key(b) ? -1 : 1))
}
