import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toSafePath } from './safe-path.ts'

const APP_URL = 'https://tieout.example.com'

test.each(['/lines', '/lines?trip=7&sort=-total_amount#x', '/invoices/INV-01%2F7', '/?a=%2F%2Fevil'])(
  'keeps %s',
  (path) => {
    expect(toSafePath(path, APP_URL)).toBe(path)
  },
)

test.each([
  '//evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/\n//evil.example',
  '/..//evil.example',
  '/.//evil.example',
  'https://evil.example',
  'https:evil.example',
  'javascript:alert(1)',
  'data:text/html,x',
  '@evil.example',
  'evil.example',
  '/api/sign-out',
  '/sign-in?next=/sign-in',
  '',
  null,
  undefined,
  ['/lines', '/groups'],
  `/${'x'.repeat(3000)}`,
])('A5: does not go to %j', (path) => {
  expect(toSafePath(path, APP_URL)).toBe('/')
})

test('A5: the browser stays on our origin, whatever the destination', () => {
  const piece = fc.constantFrom(
    '/',
    '\\',
    '.',
    '..',
    '@',
    ':',
    '?',
    '#',
    'evil.example',
    'https',
    '\t',
    '\n',
    '%2f',
    ' ',
  )
  const text = fc.oneof(
    fc.string(),
    fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join('')),
  )
  fc.assert(
    fc.property(text, (next) => new URL(toSafePath(next, APP_URL), APP_URL).origin === APP_URL),
    { numRuns: 5000 },
  )
})
