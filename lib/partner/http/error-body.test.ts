import fc from 'fast-check'
import { expect, test } from 'vitest'
import { describeErrorBody, maskSecrets, toEvidence } from './error-body.ts'
import { parseRetryAfter } from './retry-after.ts'

test.each([
  [{ message: 'Too many', detail: 'x' }, 'Too many'],
  [{ detail: 'Not found.' }, 'Not found.'],
  [{ error: 'invalid_request', error_description: 'In the body, please' }, 'In the body, please'],
  [{ error: 'invalid_request' }, 'invalid_request'],
  [{ error: { message: 'Nested' } }, 'Nested'],
  [{ limit: ['Max 50'], offset: ['Min 0', 'Whole'] }, 'limit: Max 50; offset: Min 0; Whole'],
  [['first', 'second'], 'first; second'],
  [{ message: '', detail: null, error: 'last' }, 'last'],
])('finds the words in %j', (body, words) => {
  expect(describeErrorBody(JSON.stringify(body))).toBe(words)
})

test('shows a body that is not JSON as text, without its markup', () => {
  expect(describeErrorBody('upstream connect error')).toBe('upstream connect error')
  expect(describeErrorBody('<html><style>a{}</style><h1>502</h1> Bad\nGateway</html>')).toBe('502 Bad Gateway')
  expect(describeErrorBody('')).toBeNull()
  expect(describeErrorBody(' \n')).toBeNull()
})

test('A25: is always one short line without control characters', () => {
  fc.assert(
    fc.property(fc.oneof(fc.json(), fc.string({ unit: 'binary', maxLength: 2000 })), (body) => {
      const words = describeErrorBody(body)
      if (words === null) return
      expect(words.length).toBeLessThanOrEqual(300)
      expect(words).not.toMatch(/[\p{Cc}\u2028]/u)
      expect(toEvidence(body)).not.toMatch(/[^\P{Cc}\n\t]/u)
    }),
  )
})

test.each([
  '{"access_token":"TOPSECRET","x":1}',
  '{"refreshToken": "TOPSECRET',
  '{"client_secret":"a\\"TOPSECRET"}',
  'Authorization: Bearer TOPSECRET',
  'apikey TOPSECRET',
  'grant_type=refresh_token&refresh_token=TOPSECRET&x=1',
  '{"pdf":"https://files.example.org/a.pdf?X-Signature=TOPSECRET"}',
  '{"url":"https://files.example.org/a.pdf?X-Signature=TOPSECRET"}',
  'token eyJhbGciOi.eyJzdWIiTOPSECRET.TOPSECRET is bad',
])('A16: masks the credential in %s', (text) => {
  expect(maskSecrets(text)).not.toContain('TOPSECRET')
  expect(toEvidence(text)).toContain('[masked]')
})

test('evidence is at most 2 kB', () => {
  expect(toEvidence(Buffer.alloc(10_000, 'x')).length).toBe(2048)
})

test('F11: reads Retry-After in seconds and as an HTTP date, and nothing else', () => {
  const now = new Date('2026-03-04T10:00:00Z')
  const read = (header?: string) => parseRetryAfter(header, now)
  expect(read('120')).toBe(120_000)
  expect(read(' 0 ')).toBe(0)
  expect(read('Wed, 04 Mar 2026 10:00:30 GMT')).toBe(30_000)
  expect(read('Wed, 04 Mar 2026 09:00:00 GMT')).toBe(0)
  expect(read('3600000')).toBe(86_400_000)
  for (const [header, ms] of [
    ['1.5', 2000],
    ['0.001', 1000],
    ['7.0', 7000],
    ['86399.9', 86_400_000],
  ] as const)
    expect(read(header), header).toBe(ms)
  for (const header of [undefined, '', '-5', '-1.5', '1,5', '1.', '.5', '1e3', 'soon', 'Wed, nonsense', '2026-03-04'])
    expect(read(header)).toBeNull()
})

test('A16: masks a token that the partner repeats, and copes with a long hostile body', () => {
  expect(describeErrorBody('{"detail":"Token abc123 has expired"}', 'abc123')).toBe('Token [masked] has expired')
  expect(toEvidence(`${'x'.repeat(2044)}abc123`, 'abc123')).not.toContain('abc')
  const startedAt = performance.now()
  for (const part of ['<script ', '"', '"token', 'https://a', '<', '{"a":']) describeErrorBody(part.repeat(200_000))
  expect(performance.now() - startedAt).toBeLessThan(3_000)
})
