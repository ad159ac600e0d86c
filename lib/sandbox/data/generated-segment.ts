import { addFixed, fixed, ZERO } from './decimal.ts'
import { expenseDatePasses, filtersLines, invoicePasses } from './filters.ts'
import { type GeneratedLedger, LINES_PER_INVOICE, minorText } from './generated.ts'
import type { GroundTruth, LineFact, ListFilter, Segment, StoredInvoice } from './model.ts'
import { toWireInvoice, toWireLine } from './wire/invoice-wire.ts'
import type { JsonObject } from './wire/json.ts'

/**
 * Header fields that tests changed on single generated invoices, by index (unpaid to paid, for
 * instance).
 */
export type HeaderChanges = Map<number, JsonObject>

/**
 * A segment over a generated ledger. Date windows become index ranges; other filters check headers
 * one by one.
 */
export function createGeneratedSegment(ledger: GeneratedLedger, changes: HeaderChanges): Segment {
  const invoiceAt = (j: number): Pick<StoredInvoice, 'serialNumber' | 'header'> => ({
    serialNumber: ledger.serialNumber(j),
    header: { ...ledger.invoiceHeader(j), ...changes.get(j) },
  })
  const firstLine = (j: number) => Math.min(j * LINES_PER_INVOICE, ledger.lineCount)
  const storedAt = (j: number): StoredInvoice => ({
    ...invoiceAt(j),
    // the lines list serves its lines; here they only make up its taxes and total
    lines: range(firstLine(j), firstLine(j + 1)).map((i) => ({ wire: ledger.wireTax(i) })),
    linesShape: 'absent',
  })

  /** The runs of invoices [from, to) that match; a single run for dates alone. */
  function* runs(filter: ListFilter): Iterable<readonly [number, number]> {
    const from =
      filter.issuingDateFrom === undefined ? 0 : firstIssued(ledger, (day) => day >= String(filter.issuingDateFrom))
    const to =
      filter.issuingDateTo === undefined
        ? ledger.invoiceCount
        : firstIssued(ledger, (day) => day > String(filter.issuingDateTo))
    const {
      issuingDateFrom: _from,
      issuingDateTo: _to,
      expenseDateFrom: _since,
      expenseDateTo: _until,
      ...rest
    } = filter
    if (Object.values(rest).every((rule) => rule === undefined)) {
      if (from < to) yield [from, to]
      return
    }
    const { profileId, ...others } = rest
    const byProfileOnly = Object.values(others).every((rule) => rule === undefined)
    for (let j = from; j < to; j += 1) {
      // the profile is cheap to compute, a header is not
      if (profileId !== undefined && ledger.profileId(j) !== profileId) continue
      if (byProfileOnly || invoicePasses(invoiceAt(j), others)) yield [j, j + 1]
    }
  }

  function countLines(filter: ListFilter): number {
    let count = 0
    for (const [from, to] of runs(filter)) {
      if (!filtersLines(filter)) count += firstLine(to) - firstLine(from)
      else
        for (let i = firstLine(from); i < firstLine(to); i += 1)
          if (expenseDatePasses(ledger.expenseDate(i), filter)) count += 1
    }
    return count
  }

  function readLines(filter: ListFilter, offset: number, limit: number): JsonObject[] {
    const found: number[] = []
    let skip = offset
    for (const [from, to] of runs(filter)) {
      if (found.length === limit) break
      let i = firstLine(from)
      if (!filtersLines(filter)) {
        const jump = Math.min(skip, firstLine(to) - i)
        skip -= jump
        i += jump
      }
      for (; i < firstLine(to) && found.length < limit; i += 1) {
        if (!expenseDatePasses(filtersLines(filter) ? ledger.expenseDate(i) : null, filter)) continue
        if (skip > 0) skip -= 1
        else found.push(i)
      }
    }
    const invoices = new Map<number, Pick<StoredInvoice, 'serialNumber' | 'header'>>()
    return found.map((i) => {
      const j = Math.floor(i / LINES_PER_INVOICE)
      const invoice = invoices.get(j) ?? invoiceAt(j)
      invoices.set(j, invoice)
      return toWireLine(invoice, ledger.wireLine(i))
    })
  }

  function readInvoices(filter: ListFilter, offset: number, limit: number): StoredInvoice[] {
    const found: number[] = []
    let skip = offset
    for (const [from, to] of runs(filter)) {
      const jump = Math.min(skip, to - from)
      skip -= jump
      for (let j = from + jump; j < to && found.length < limit; j += 1) found.push(j)
      if (found.length === limit) break
    }
    return found.map(storedAt)
  }

  return {
    countInvoices: (filter) => {
      let count = 0
      for (const [from, to] of runs(filter)) count += to - from
      return count
    },
    readInvoices,
    countLines,
    readLines,
    findInvoice: (serialNumber) => {
      const index = ledger.indexOfInvoice(serialNumber)
      return index < 0 ? null : storedAt(index)
    },
    facts: () => factsOf(ledger),
    invoiceFacts: () =>
      range(0, ledger.invoiceCount).map((j) => {
        const invoice = storedAt(j)
        const { header, lines } = invoice
        return {
          currency: String(header.currency),
          issuingDate: String(header.issuing_date),
          lines: lines.reduce((sum, { wire }) => addFixed(sum, fixed(String(wire.total_amount))), ZERO),
          // every line can be read
          notImported: ZERO,
          creditUsed: fixed(String(header.credit_used_for_customer_payment)),
          total: fixed(String(toWireInvoice(invoice, 0).total)),
          planted: null,
        }
      }),
    groundTruth: (account) => truthOf(ledger, account),
  }
}

/** The first invoice whose day meets a condition that stays true from then on. */
function firstIssued(ledger: GeneratedLedger, reached: (day: string) => boolean): number {
  let low = 0
  let high = ledger.invoiceCount
  while (low < high) {
    const middle = (low + high) >> 1
    if (reached(ledger.issuingDate(middle))) high = middle
    else low = middle + 1
  }
  return low
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index)
}

function* factsOf(ledger: GeneratedLedger): Iterable<LineFact> {
  for (let i = 0; i < ledger.lineCount; i += 1) {
    const { currency, total, digits, codes } = ledger.money(i)
    yield { currency, totalUnits: BigInt(total), totalScale: digits, ...ledger.keys(i), codes, rejected: null }
  }
}

function truthOf(ledger: GeneratedLedger, account: { id: string; name: string }): GroundTruth {
  const truth: GroundTruth = { findings: [], notes: [], rejected: [], invoices: [] }
  for (const i of ledger.planted()) {
    const money = ledger.money(i)
    const write = (minor: number) => minorText(minor, money.digits)
    truth.findings.push({
      accountId: account.id,
      account: account.name,
      lineId: ledger.lineId(i),
      invoiceSerialNumber: ledger.serialNumber(Math.floor(i / LINES_PER_INVOICE)),
      currency: money.currency,
      plant: money.plant,
      codes: [...money.codes],
      expectedTotal: write(money.rightTotal),
      statedTotal: write(money.total),
      difference: write(money.total - money.rightTotal),
      expectedTax: write(money.rightTax),
      statedTax: write(money.tax),
      taxDifference: write(money.tax - money.rightTax),
    })
  }
  return truth
}
