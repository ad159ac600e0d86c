import { describe, expect, test } from 'vitest'
import { proveCompleteness, type StatedTaxes } from './completeness.ts'
import type { Day } from './day.ts'
import type { InvoiceFinding } from './invoice-finding.ts'
import type { DecimalText } from './money.ts'
import { listInvoiceFindings, NOTHING_ASIDE, type SetAside, tieOutInvoice } from './tie-out.ts'

const d = (text: string) => text as DecimalText
const aside = (amount: string, lineCount = 1): SetAside => ({ lineCount, amount: d(amount), unknownCount: 0 })

type Case = {
  currency?: string
  total: string
  lines: string
  credit?: string
  notImported?: SetAside
  removed?: SetAside
  stated?: StatedTaxes[]
  statedLineCount?: number
  mode?: string
  issuingDate?: string
  dueDate?: string
  compared?: InvoiceFinding[]
}

function tie(invoice: Case) {
  const { currency = 'EUR', notImported = NOTHING_ASIDE, removed = NOTHING_ASIDE } = invoice
  const completeness = proveCompleteness({
    currency,
    total: d(invoice.total),
    creditUsed: invoice.credit === undefined ? null : d(invoice.credit),
    statedLineCount: invoice.statedLineCount ?? null,
    statedTaxes: invoice.stated ?? [],
    heldTaxes: [
      { taxRegime: 'R', taxPercentage: d('19'), lineCount: 2, taxAmount: d('19.00'), total: d(invoice.lines) },
    ],
    rejectedLineCount: notImported.lineCount,
    otherCurrencyLineCount: 0,
  })
  const tieOut = tieOutInvoice(currency, completeness, { notImported, removed })
  const facts = {
    mode: invoice.mode ?? null,
    issuingDate: (invoice.issuingDate ?? null) as Day | null,
    dueDate: (invoice.dueDate ?? null) as Day | null,
    compared: invoice.compared ?? [],
  }
  return {
    tieOut,
    findings: listInvoiceFindings(completeness, tieOut, facts).map(({ code, amount }) => [code, amount]),
  }
}

const taxes = (total: string, taxAmount: string): StatedTaxes => ({
  taxRegime: 'R',
  taxPercentage: d('19'),
  subtotal: null,
  taxAmount: d(taxAmount),
  total: d(total),
})

describe('an invoice ties out', () => {
  test.each<[why: string, invoice: Case, comesTo: string]>([
    ['its lines come to its total', { total: '119.00', lines: '119.00' }, '119'],
    ['credit used is taken off', { total: '69.00', lines: '119.00', credit: '50.00' }, '69'],
    ['credit used is stated below zero', { total: '69.00', lines: '119.00', credit: '-50.00' }, '69'],
    ['a line could not be imported', { total: '131.30', lines: '119.00', notImported: aside('12.30') }, '131.3'],
    [
      'what would explain a difference comes to nothing',
      { total: '69.00', lines: '119.00', credit: '50.00', removed: aside('-50.00') },
      '69',
    ],
    ['a removed line is no longer in its total', { total: '119.00', lines: '119.00', removed: aside('77.50') }, '119'],
  ])('when %s', (_why, invoice, comesTo) => {
    const { tieOut } = tie(invoice)
    expect(Number(tieOut.comesTo)).toBe(Number(comesTo))
    expect([Number(tieOut.difference), tieOut.explained, Number(tieOut.unexplained)]).toEqual([0, [], 0])
  })
})

describe('a difference is explained', () => {
  test.each<[reasons: string[], invoice: Case]>([
    [['rounding'], { total: '119.00', lines: '118.99999998' }],
    [['rounding'], { total: '119.01', lines: '119.005' }],
    [['removed_line'], { total: '196.50', lines: '119.00', removed: aside('77.50') }],
    [['credit_not_deducted'], { total: '119.00', lines: '119.00', credit: '50.00' }],
    [
      ['removed_line', 'credit_not_deducted'],
      { total: '196.50', lines: '119.00', credit: '5', removed: aside('77.50') },
    ],
    [['tax_per_document'], { total: '119.01', lines: '119.00', stated: [taxes('119.01', '19.01')] }],
    // the removed line and the credit come to the same cent: the fewest reasons count
    [
      ['tax_per_document'],
      {
        total: '114.01',
        lines: '119.00',
        credit: '5',
        removed: aside('-4.99'),
        stated: [taxes('119.01', '19.01')],
      },
    ],
    [['removed_line', 'rounding'], { total: '196.50', lines: '119.00000001', removed: aside('77.50') }],
  ])('by %j', (reasons, invoice) => {
    const { tieOut } = tie(invoice)
    expect(tieOut.explained.map(({ reason }) => reason)).toEqual(reasons)
    expect(Number(tieOut.unexplained)).toBe(0)
  })
})

describe('a difference stays unexplained', () => {
  test.each<[why: string, invoice: Case, unexplained: string]>([
    ['nothing comes to it', { total: '239.00', lines: '119.00' }, '120'],
    ['credit used is another amount', { total: '68.00', lines: '119.00', credit: '50.00' }, '-1'],
    ['the removed line was of another amount', { total: '196.49', lines: '119.00', removed: aside('77.50') }, '77.49'],
    [
      'it is more than rounding can cause',
      { total: '119.03', lines: '119.00', stated: [taxes('119.03', '19.03')] },
      '0.03',
    ],
    ['it rounds to another figure', { total: '119.00', lines: '119.005' }, '-0.005'],
    ['the currency has no such decimals', { currency: 'JPY', total: '120', lines: '119' }, '1'],
  ])('when %s', (_why, invoice, unexplained) => {
    const { tieOut } = tie(invoice)
    expect(tieOut.explained).toEqual([])
    expect(Number(tieOut.unexplained)).toBe(Number(unexplained))
  })
})

describe('findings of the invoice itself', () => {
  test.each<[codes: [string, string | null][], invoice: Case]>([
    [[], { total: '119.00', lines: '119.00', stated: [taxes('119.00', '19.00')] }],
    [[], { total: '119.00', lines: '118.99999998' }],
    [[], { total: '69.00', lines: '119.00', credit: '50.00' }],
    [[['total', '120.00']], { total: '239.00', lines: '119.00' }],
    [[['total_explained', '77.50']], { total: '196.50', lines: '119.00', removed: aside('77.50') }],
    [
      [
        ['total', '1.00'],
        ['duplicate_line', '84.00'],
        ['lines_missing', null],
      ],
      {
        total: '120.00',
        lines: '119.00',
        statedLineCount: 3,
        compared: [{ code: 'duplicate_line', amount: d('84.00') }],
      },
    ],
    [[['lines_missing', null]], { total: '119.00', lines: '119.00', statedLineCount: 3 }],
    [[['not_imported', '12.30']], { total: '131.30', lines: '119.00', notImported: aside('12.30') }],
    [[['not_imported', null]], { total: '119.00', lines: '119.00', notImported: { ...aside('0'), unknownCount: 1 } }],
    [
      [['not_imported', '12.30']],
      { total: '131.30', lines: '119.00', notImported: aside('12.30'), stated: [taxes('131.30', '19.00')] },
    ],
    [
      [
        ['regime_tax', '3.00'],
        ['regime_subtotal', '-3.00'],
      ],
      { total: '119.00', lines: '119.00', stated: [taxes('119.00', '22.00')] },
    ],
    [
      [
        ['regime_total', '3.00'],
        ['regime_subtotal', '3.00'],
      ],
      { total: '119.00', lines: '119.00', stated: [taxes('122.00', '19.00')] },
    ],
    [[['credit_sign', '119.00']], { total: '119.00', lines: '119.00', mode: 'credit-reseller' }],
    [[], { total: '-119.00', lines: '-119.00', mode: 'credit-reseller' }],
    [
      [['due_before_issued', null]],
      { total: '119.00', lines: '119.00', issuingDate: '2026-03-02', dueDate: '2026-03-01' },
    ],
    [[], { total: '119.00', lines: '119.00', issuingDate: '2026-03-02', dueDate: '2026-03-02' }],
  ])('%j', (codes, invoice) => {
    expect(tie(invoice).findings.map(([code, amount]) => [code, amount && Number(amount)])).toEqual(
      codes.map(([code, amount]) => [code, amount && Number(amount)]),
    )
  })
})
