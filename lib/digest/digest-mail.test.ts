import { expect, test } from 'vitest'
import type { ConnectionId } from '#lib/ids.ts'
import { day, decimal } from '#lib/ledger/test-support/seed.ts'
import { type Formats, PLAIN_FORMATS } from '#lib/reconcile/formats.ts'
import { toDigestMail } from './digest-mail.ts'
import type { Digest } from './model.ts'

const ACCOUNT = '00000000-0000-4000-8000-00000000000a' as ConnectionId
const LINKS = {
  appUrl: 'https://desk.example',
  settings: 'https://desk.example/account#digest',
  turnOff: 'https://desk.example/unsubscribe?key=a.b.c',
}

const EMPTY: Digest = {
  span: { since: '2026-11-25T06:00:00.000Z', until: '2026-11-26T06:00:00.000Z' },
  today: day('2026-11-26'),
  assignments: [],
  mentions: [],
  newMoney: [],
  falls: { here: [], gone: [], lines: [] },
  connections: [],
}

const sums = (currency: string, overcharged: string) => ({
  outcome: 'unexplained' as const,
  currency,
  lineCount: 1234,
  overcharged: decimal(overcharged),
  undercharged: decimal('0'),
})
const named = (label: string, byName: string): Digest => ({
  ...EMPTY,
  assignments: [
    {
      subject: { kind: 'line', connectionId: ACCOUNT, key: label },
      label,
      byName,
      at: '2026-11-25T10:00:00.000Z',
      dueOn: null,
    },
  ],
})
const write = (digest: Digest, formats: Formats = PLAIN_FORMATS) => toDigestMail(digest, formats, LINKS)

test('amounts have the decimals of their currency, in the formats of whoever reads them', () => {
  const digest = { ...EMPTY, newMoney: [sums('EUR', '1234.5'), sums('JPY', '61200'), sums('KWD', '0.25')] }
  const american = write(digest)
  for (const figure of ['EUR\u00a01,234.50', 'JPY\u00a061,200', 'KWD\u00a00.250', '1,234 lines'])
    expect(
      [american.text, american.html].every((text) => text.includes(figure)),
      figure,
    ).toBe(true)
  const german = write(digest, { number: 'point-comma', date: 'points', timeZone: 'Europe/Berlin' })
  expect(german.text).toContain('EUR\u00a01.234,50')
  expect(german.text).toContain('From 25.11.2026, 07:00:00 UTC+1 to 26.11.2026, 07:00:00 UTC+1')
  expect(german.subject).toBe('Tieout: what waits for you, 26.11.2026')
  // and the next one as before
  expect(write(digest)).toEqual(american)
})

test.each([
  ['a line break that begins a field', 'Hotel\r\nBcc: eve@example.com'],
  ['marks that turn text', '\u202eHotel 00.14\u202c \u2067x'],
  ['an isolate that is closed early', 'Hotel\u2069\u2069'],
  ['HTML', '<img src=https://eve.example/x.png><script>alert(1)</script>"\'&'],
  ['what is not seen', 'Ho\u00adtel\u200b\0\u0007'],
  ['half a letter', 'Hotel\ud800'],
  ['a long name', 'x'.repeat(5000)],
])('%s in a name stays in its place', (_, name) => {
  const { subject, text, html } = write(named(name, name))
  expect(subject).toBe('Tieout: what waits for you, Nov 26, 2026')
  expect(text).not.toMatch(/^Bcc/m)
  expect(`${text}${html}`).not.toMatch(/[\u202a-\u202e\u2066\u2067\u200b]|(?!\n)[\p{Cc}\p{Cs}]/u)
  // each name stands apart: as many are opened as are closed, none within another
  expect(text.replace(/\u2068[^\u2068\u2069]*\u2069/g, '')).not.toMatch(/[\u2068\u2069]/)
  expect(html.replaceAll(/<bdi dir="auto">[^<]*<\/bdi>/g, '')).not.toMatch(/bdi|<img|<script|eve\.example\/x/)
  expect(html.match(/<bdi dir="auto">/g)).toHaveLength(2)
  for (const line of text.split('\n')) expect(line.replace(/https:\S+/, '').length).toBeLessThan(400)
})

test('every link is on the app’s own origin, and nothing is loaded', () => {
  const digest: Digest = {
    ...named('INV "1" <&>', 'Ada'),
    newMoney: [sums('EUR', '1')],
    connections: [{ id: ACCOUNT, name: 'Acme', code: 'link_ended', endsAt: null }],
    falls: {
      here: [
        {
          cause: 'changed',
          currencyBefore: 'USD',
          currency: 'EUR',
          lineCount: 2,
          amountBefore: decimal('10'),
          amountNow: decimal('11'),
        },
      ],
      gone: [],
      lines: [],
    },
  }
  const { html, text } = write(digest)
  const links = [...html.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, link = '']) => link.replaceAll('&amp;', '&'))
  expect(links.length).toBeGreaterThan(6)
  for (const link of links) expect(new URL(link).origin).toBe('https://desk.example')
  for (const [link] of text.matchAll(/https?:\S+/g)) expect(new URL(link).origin).toBe('https://desk.example')
  expect(html).not.toMatch(/\bsrc=|url\(|@import|<link|<img|<form|<iframe/i)
  expect(text).toContain('USD\u00a010.00 when decided, EUR\u00a011.00 now')
})

test('a long list says how many more there are', () => {
  const [first] = named('One', 'Ada').assignments
  const digest = {
    ...EMPTY,
    assignments: Array.from({ length: 27 }, (_, at) => ({ ...first, label: `L${at}` })),
  } as Digest
  const { text, html } = write(digest)
  expect(text).toContain('27 assigned to you')
  expect([text.match(/^- /gm)?.length, html.match(/<li /g)?.length]).toEqual([20, 20])
  for (const part of [text, html]) expect(part).toContain('and 7 more')
})

test('a trip, an invoice, a group and a month lead to their pages', () => {
  const of = (kind: 'trip' | 'invoice' | 'group' | 'period', key: string) => {
    const digest = named('x', 'Ada')
    const connectionId = kind === 'trip' || kind === 'group' ? null : ACCOUNT
    const [first] = digest.assignments
    const assignments = first === undefined ? [] : [{ ...first, subject: { kind, connectionId, key } }]
    return /desk\.example(\/[^\s]*)/.exec(write({ ...digest, assignments }).text)?.[1]
  }
  expect(of('trip', 'a/b')).toBe('/trips/a%2Fb')
  expect(of('invoice', 'INV 1/2')).toBe(`/invoices/${ACCOUNT}/INV%201%2F2`)
  expect(of('group', 'cost_center=51=0')).toBe('/lines?cost_center=51%3D0')
  expect(of('period', '2026-03')).toBe(`/lines?connection=${ACCOUNT}&month_issued=2026-03`)
  expect(of('period', '2026-03~p~1')).toBe(`/lines?connection=${ACCOUNT}&month_issued=2026-03&profile=p%7E1`)
})
