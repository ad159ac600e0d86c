import type { Account } from './account.ts'
import { addDays } from './calendar.ts'
import { type Entity, MERIDIAN_ENTITIES, NORDLICHT_ENTITIES } from './cast.ts'
import type { StoredInvoice, StoredLine } from './model.ts'
import { type Choices, createChoices } from './prng.ts'
import { inventTrip, lineOnTrip, price } from './trips.ts'
import { buildInvoice } from './wire/invoice-builder.ts'
import { applyPatch } from './wire/invoice-wire.ts'
import { type JsonObject, scalarText } from './wire/json.ts'

export type IssueRequest = {
  profileId?: string
  /** Where the new invoice goes in the list; at the front it shifts all later offsets. */
  position?: 'front' | 'back'
  /** Number of lines (default 2). */
  lines?: number
  issuingDate?: string
  status?: string
}

/**
 * What tests change while the sandbox runs. An unknown name throws RangeError and changes nothing.
 */
export type Mutations = {
  issueInvoice(account: Account, request: IssueRequest, today: string): { serialNumber: string; lineIds: string[] }
  updateInvoice(account: Account, serialNumber: string, patch: JsonObject, rawJson?: Record<string, string>): void
  /** Removes an invoice and its lines from every list. */
  removeInvoice(account: Account, serialNumber: string): void
  updateLine(account: Account, lineId: string, patch: JsonObject, rawJson?: Record<string, string>): void
  removeLine(account: Account, lineId: string): void
}

/** Mutations whose new ids follow from the seed and the order of calls. */
export function createMutations(seed: number): Mutations {
  const choices: Choices = createChoices(seed + 7_919)
  let issued = 0
  return {
    issueInvoice: (account, request, today) => {
      const entity = entityOf(account, request.profileId)
      issued += 1
      const issuingDate = request.issuingDate ?? today
      const serialNumber = `INV-01-${issuingDate.slice(0, 4)}-9${String(issued).padStart(5, '0')}`
      const trip = inventTrip(choices, entity, String(9_100_000 + issued), issuingDate)
      const lines: StoredLine[] = Array.from({ length: request.lines ?? 2 }, (_, index) => ({
        wire: lineOnTrip(trip, 'hotel', {
          id: choices.uuid(),
          description: `Newly issued hotel night ${index + 1}`,
          quantity: 1,
          unitPrice: price(entity, choices.int(7_000, 19_000)),
          taxPercentage: entity.rates.hotel,
          expenseDate: addDays(issuingDate, -1),
        }),
      }))
      const status = request.status ?? 'unpaid'
      const invoice = buildInvoice({
        entity,
        serialNumber,
        mode: entity.modes.own,
        status,
        issuingDate,
        lines,
        linesShape: 'paged',
      })
      if (request.position === 'front') account.front.unshift(invoice)
      else account.back.push(invoice)
      account.revision += 1
      return { serialNumber, lineIds: lines.map((line) => scalarText(line.wire.id) ?? '') }
    },
    updateInvoice: (account, serialNumber, patch, rawJson) => {
      const index = account.generatedIndex(serialNumber)
      const stored = allStored(account).find((invoice) => invoice.serialNumber === serialNumber)
      if (stored) stored.header = applyPatch(stored.header, patch, rawJson)
      else if (index >= 0)
        account.headerChanges.set(index, applyPatch(account.headerChanges.get(index) ?? {}, patch, rawJson))
      else throw new RangeError(`no invoice ${serialNumber}`)
      account.revision += 1
    },
    removeInvoice: (account, serialNumber) => {
      for (const list of [account.front, account.story, account.back]) {
        const index = list.findIndex((invoice) => invoice.serialNumber === serialNumber)
        if (index < 0) continue
        list.splice(index, 1)
        account.revision += 1
        return
      }
      throw new RangeError(`no invoice ${serialNumber} that can be removed`)
    },
    updateLine: (account, lineId, patch, rawJson) => {
      const { line } = requireLine(account, lineId)
      line.wire = applyPatch(line.wire, patch, rawJson)
      account.revision += 1
    },
    removeLine: (account, lineId) => {
      const { invoice, line } = requireLine(account, lineId)
      invoice.lines.splice(invoice.lines.indexOf(line), 1)
      account.revision += 1
    },
  }
}

function allStored(account: Account): StoredInvoice[] {
  return [...account.front, ...account.story, ...account.back]
}

function requireLine(account: Account, lineId: string): { invoice: StoredInvoice; line: StoredLine } {
  for (const invoice of allStored(account)) {
    const line = invoice.lines.find((each) => scalarText(each.wire.id) === lineId)
    if (line) return { invoice, line }
  }
  throw new RangeError(`no line ${lineId} that can be changed`)
}

function entityOf(account: Account, profileId: string | undefined): Entity {
  const mine = [...NORDLICHT_ENTITIES, ...MERIDIAN_ENTITIES].filter((entity) =>
    account.profiles.includes(entity.profile),
  )
  const entity = profileId === undefined ? mine[0] : mine.find((each) => each.profile.id === profileId)
  if (!entity) throw new RangeError(`no profile ${profileId}`)
  return entity
}
