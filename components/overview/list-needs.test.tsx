import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { ConnectionSummary } from '#lib/connections/model.ts'
import type { ConnectionId } from '#lib/ids.ts'
import type { TieOut } from '#lib/ledger/model.ts'
import { decimal } from '#lib/ledger/test-support/seed.ts'
import type { Day } from '#lib/reconcile/day.ts'
import { listNeeds } from './list-needs.tsx'

const read = (markup: string) => markup.replaceAll(/<[^>]*>/g, '')

test('names unexplained lines first, too much and too little apart, each currency that is counted, and what was removed last', () => {
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
        // -1.00 on its total and +1.00 on its tax
        {
          outcome: 'unexplained',
          currency: 'GBP',
          lineCount: 1,
          overcharged: decimal('0'),
          undercharged: decimal('0'),
        },
        // the sign of a credit note takes nothing from anybody
        { outcome: 'note', currency: 'EUR', lineCount: 1, overcharged: decimal('0'), undercharged: decimal('310.30') },
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
      '5 lines with unexplained differences',
      '/lines?outcome=unexplained&review=open&review=suspended&sort=-difference',
      'overcharged EUR 27.01 · JPY 4, undercharged EUR 1.00, GBP 0.00: total and tax cancel',
    ],
    [
      '2 lines with explained differences',
      '/lines?outcome=explained&review=open&review=suspended&sort=-difference',
      'undercharged KWD 0.002',
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
          isDecided: false,
          isShrunk: unexplained.startsWith('-'),
        })),
        stray: none,
      },
    ],
    findings: [
      { code: 'total', invoiceCount: openInvoices.length, sums: [], shrunk: [] },
      { code: 'total_explained', invoiceCount: 1, sums: [], shrunk: [] },
      {
        code: 'duplicate_line',
        invoiceCount: 2,
        sums: [
          { currency: 'EUR', amount: decimal('84.00') },
          { currency: 'JPY', amount: decimal('1200') },
        ],
        shrunk: [],
      },
      { code: 'not_imported', invoiceCount: 2, sums: [], shrunk: [] },
      { code: 'lines_missing', invoiceCount: 3, sums: [], shrunk: [] },
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
      '/invoices?finding=duplicate_line&review=open&review=suspended',
      'EUR 84.00 · JPY 1,200; the same line stands on an earlier invoice, and no refund takes it back',
    ],
    [
      '3 invoices: lines missing',
      '/invoices?finding=lines_missing&review=open&review=suspended',
      'fewer lines have arrived than the invoice states',
    ],
    [
      '1 invoice differs, reason known',
      '/invoices?finding=total_explained&review=open&review=suspended',
      'open the invoice for the reason',
    ],
    ['2 records not imported', '/rejected', 'EUR 97.90 stated; kept as received; not in any total'],
  ]
  expect(readNeeds(toTieOut([['INV-1', '-120.00']]))).toEqual([
    ['INV-1 is 120.00 EUR below its lines', '/invoices/c/INV-1', 'not explained by lines, credit or rounding'],
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
      '3 invoices with unexplained differences',
      '/invoices?finding=total&review=open&review=suspended',
      'above their lines by EUR 1.50, below their lines by EUR 120.00',
    ],
    ...others,
  ])
})

test('causes stand first, and what a held loss explains stands under it and nowhere else', () => {
  const connection = {
    id: 'c',
    name: 'Acme',
    state: 'active',
    openLoss: { missingLines: 259, missingInvoices: 7 },
    scopesAsked: [],
    scopesGranted: [],
    refreshExpiresAt: null,
    refreshOverdueSince: null,
    candidate: null,
    disconnect: null,
    run: null,
  } as unknown as ConnectionSummary
  const none = { count: 0, amount: decimal('0'), unknownCount: 0 }
  const shrunk = { connectionId: 'c' as ConnectionId, serialNumber: 'INV-1', unexplained: decimal('-9.00') }
  const tieOut: TieOut = {
    currencies: [
      {
        currency: 'EUR',
        lines: none,
        notImported: none,
        removed: none,
        creditUsed: none,
        comesTo: decimal('0'),
        invoices: none,
        difference: decimal('0'),
        explained: [],
        unexplained: decimal('0'),
        openInvoices: [
          { ...shrunk, isFinding: true, isDecided: false, isShrunk: true },
          {
            ...shrunk,
            serialNumber: 'INV-2',
            unexplained: decimal('5'),
            isFinding: true,
            isDecided: false,
            isShrunk: false,
          },
          {
            ...shrunk,
            connectionId: 'other' as ConnectionId,
            serialNumber: 'INV-3',
            isFinding: true,
            isDecided: false,
            isShrunk: true,
          },
        ],
        stray: none,
      },
    ],
    findings: [
      { code: 'regime_tax', invoiceCount: 4, sums: [], shrunk: Array(3).fill('c') },
      { code: 'regime_total', invoiceCount: 1, sums: [], shrunk: ['c' as ConnectionId] },
    ],
  }
  const needs = listNeeds(
    { findings: [], gone: { since: '2026-11-16' as Day, totals: [], invoices: [] }, rejectedCount: 0, tieOut },
    [connection],
    0,
  )
  expect(needs.map(({ title, explains }) => [title, explains?.map((each) => each.title) ?? []])).toEqual([
    [
      'Acme: 259 lines vanished: decide',
      [
        'explains 1 invoice: states less than its lines',
        'explains 1 invoice: total of a tax differs',
        'explains 3 invoices: tax differs',
      ],
    ],
    ['2 invoices with unexplained differences', []],
    ['1 invoice: tax differs', []],
  ])
})
