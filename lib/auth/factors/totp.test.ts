import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { findTotpStep, makeTotpSecret, toBase32, toTotpAddress, toTotpCode } from './totp.ts'

/** The secret of the vectors in RFC 4226, appendix D, and RFC 6238, appendix B. */
const SECRET = Buffer.from('12345678901234567890')
const OATHTOOL = '/usr/bin/oathtool'

test.each([
  [59, '94287082'],
  [1111111109, '07081804'],
  [1111111111, '14050471'],
  [1234567890, '89005924'],
  [2000000000, '69279037'],
  [20000000000, '65353130'],
])('makes the code that RFC 6238, appendix B, states for second %i', (seconds, code) => {
  const step = Math.floor(seconds / 30)
  expect(toTotpCode(SECRET, step, 8)).toBe(code)
  expect(toTotpCode(SECRET, step)).toBe(code.slice(2))
})

test('makes the ten codes of RFC 4226, appendix D', () => {
  expect(Array.from({ length: 10 }, (_, count) => toTotpCode(SECRET, count))).toEqual(
    '755224 287082 359152 969429 338314 254676 287922 162583 399871 520489'.split(' '),
  )
})

test.skipIf(!existsSync(OATHTOOL))('agrees with oathtool about random secrets and times', () => {
  for (let round = 0; round < 20; round++) {
    const secret = makeTotpSecret()
    const seconds = Math.floor(Math.random() * 4_000_000_000)
    const args = ['--totp', '--base32', `--now=@${seconds}`, toBase32(secret)]
    expect(execFileSync(OATHTOOL, args, { encoding: 'utf8' }).trim()).toBe(toTotpCode(secret, Math.floor(seconds / 30)))
  }
})

test('takes the codes of the step before, this one and the next, and no others', () => {
  const now = new Date(1_700_000_015_000)
  const current = Math.floor(now.getTime() / 30_000)
  const found = [-2, -1, 0, 1, 2].map((offset) => findTotpStep(SECRET, toTotpCode(SECRET, current + offset), now))
  expect(found).toEqual([null, current - 1, current, current + 1, null])
})

test.each(['', '12345', '1234567', '١٢٣٤٥٦', '\0\0\0\0\0\0', 'abcdef'])('finds no step for %j', (code) => {
  expect(findTotpStep(SECRET, code, new Date(1_700_000_000_000))).toBeNull()
})

test('writes base32 as RFC 4648, section 10, without padding', () => {
  expect(['', 'f', 'fo', 'foo', 'foob', 'fooba', 'foobar'].map((text) => toBase32(Buffer.from(text)))).toEqual([
    '',
    'MY',
    'MZXQ',
    'MZXW6',
    'MZXW6YQ',
    'MZXW6YTB',
    'MZXW6YTBOI',
  ])
})

test('the address of the QR code names the person and the product, whatever the email', () => {
  const address = new URL(toTotpAddress(SECRET, 'a?b#c@example.com'))
  expect(decodeURIComponent(address.pathname)).toMatch(/\/Tieout:a\?b#c@example\.com$/)
  expect(address.searchParams.get('secret')).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
})
