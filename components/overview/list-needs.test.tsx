import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { ConnectionId } from '#lib/ids.ts'
import type { TieOut } from '#lib/ledger/model.ts'
import { decimal } from '#lib/ledger/test-support/seed.ts'
import type { Day } from '#lib/reconcile/day.ts'
import { listNeeds } from './list-needs.tsx'

const read = (markup: string) => markup.replaceAll(/<[^>]*>/g, '')

test('names unexplained lines first, too much and too little apart, and what is explained last', () => {
  const needs = listNeeds(
    {
      findings: [
        {
          outcome: 'explained',
          currency: 'KWD',
          lineCount: 2,
          overcharged: decimal('0'),
          undercharged: decimal('0.002'),
        },
        {
          outcome: 'unexplained',
          currency: 'EUR',
          lineCount: 3,
          overcharged: decimal('27.01'),
          undercharged: decimal('1.00'),
        },
        {
          outcome: 'unexplained',
          currency: 'JPY',
          lineCount: 1,
          overcharged: decimal('4'),
          undercharged: decimal('0'),
        },
      ],
      gone: {
        since: '2026-11-16' as Day,
        totals: [{ currency: 'GBP', lineCount: 1, totalAmount: decimal('77.50') }],
        invoices: [{ currency: 'JPY', invoiceCount: 1, totalAmount: decimal('227588') }],
      },
      rejectedCount: 0,
      tieOut: { currencies: [], findings: [] },
    },
    [],
    0,
  )
  expect(needs.map(({ title, href, detail }) => [title, href, read(renderToStaticMarkup(detail))])).toEqual([
    [
      '4 lines do not add up, nothing explains why',
      '/lines?outcome=unexplained',
      'overcharged EUR 27.01 · JPY 4, undercharged EUR 1.00',
    ],
    [
      '1 invoice removed by the platform',
      '/invoices?gone=1',
      'JPY 227,588, no longer in any total; noticed since Nov 16, 2026',
    ],
    [
      '1 line removed by the platform',
      '/lines?gone=1',
      'GBP 77.50, no longer in any total; noticed since Nov 16, 2026',
    ],
    ['2 lines differ for known reasons', '/lines?outcome=explained', 'undercharged KWD 0.002'],
  ])
})

test('one invoice that does not tie out is named, several are summed, and what is explained comes last', () => {
  const none = { count: 0, amount: decimal('0'), unknownCount: 0 }
  const toTieOut = (openInvoices: [serialNumber: string, unexplained: string][]): TieOut => ({
    currencies: [
      {
        currency: 'EUR',
        lines: none,
        notImported: { count: 2, amount: decimal('97.90'), unknownCount: 0 },
        removed: none,
        creditUsed: none,
        comesTo: decimal('0'),
        invoices: none,
        difference: decimal('0'),
        explained: [],
        unexplained: decimal('0'),
        openInvoices: openInvoices.map(([serialNumber, unexplained]) => ({
          connectionId: 'c' as ConnectionId,
          serialNumber,
          unexplained: decimal(unexplained),
          isFinding: true,
        })),
        stray: none,
      },
    ],
    findings: [
      { code: 'total', invoiceCount: openInvoices.length, sums: [] },
      { code: 'total_explained', invoiceCount: 1, sums: [] },
      {
        code: 'duplicate_line',
        invoiceCount: 2,
        sums: [
          { currency: 'EUR', amount: decimal('84.00') },
          { currency: 'JPY', amount: decimal('1200') },
        ],
      },
      { code: 'not_imported', invoiceCount: 2, sums: [] },
      { code: 'lines_missing', invoiceCount: 3, sums: [] },
    ],
  })
  const readNeeds = (tieOut: TieOut) =>
    listNeeds(
      { findings: [], gone: { since: '2026-11-16' as Day, totals: [], invoices: [] }, rejectedCount: 2, tieOut },
      [],
      0,
    ).map(({ title, href, detail }) => [title, href, read(renderToStaticMarkup(detail))])
  const others = [
    [
      '2 invoices: line also on another invoice',
      '/invoices?finding=duplicate_line',
      'EUR 84.00 · JPY 1,200; the same line stands on an earlier invoice, and no refund takes it back',
    ],
    [
      '3 invoices: lines missing',
      '/invoices?finding=lines_missing',
      'fewer lines have arrived than the invoice states',
    ],
    ['1 invoice: differs for a known reason', '/invoices?finding=total_explained', 'the reason stands on each invoice'],
    ['2 records not imported', '/rejected', 'EUR 97.90 stated; kept as received; not in any total'],
  ]
  expect(readNeeds(toTieOut([['INV-1', '-120.00']]))).toEqual([
    ['INV-1 is 120.00 EUR below its lines', '/invoices/c/INV-1', 'no line, no credit used and no rounding explains it'],
    ...others,
  ])
  expect(
    readNeeds(
      toTieOut([
        ['INV-1', '-120.00'],
        ['INV-2', '0.50'],
        ['INV-3', '1'],
      ]),
    ),
  ).toEqual([
    [
      '3 invoices do not tie out, nothing explains why',
      '/invoices?finding=total',
      'above their lines by EUR 1.50, below their lines by EUR 120.00',
    ],
    ...others,
  ])
})
