import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { decimal } from '#lib/ledger/test-support/seed.ts'
import { listNeeds } from './list-needs.tsx'

const read = (markup: string) => markup.replaceAll(/<[^>]*>/g, '')

test('names unexplained lines first, too much and too little apart, then what the platform removed', () => {
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
      gone: [{ currency: 'GBP', lineCount: 1, totalAmount: decimal('77.50') }],
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
    ['2 lines differ for known reasons', '/lines?outcome=explained', 'undercharged KWD 0.002'],
    [
      '1 line removed by the platform',
      '/lines?gone=1',
      'GBP 77.50, no longer in any total; noticed in the last 7 days',
    ],
  ])
})
