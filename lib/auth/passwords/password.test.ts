import { expect, test } from 'vitest'
import { hashPassword, makePassword, verifyPassword } from './password.ts'

test('a hash verifies its password, names its cost, and has a unique salt', async () => {
  const [first, second] = await Promise.all([hashPassword('pässword'), hashPassword('pässword')])
  expect(first).toMatch(/^scrypt\$32768,8,3\$[\w-]{22}\$[\w-]{43}$/)
  expect(first).not.toBe(second)
  expect(await verifyPassword('pässword', first)).toBe('right')
  expect(await verifyPassword('pa\u0308ssword', first)).toBe('right')
  expect(await verifyPassword('Pässword', first)).toBe('wrong')
  expect(await verifyPassword('', first)).toBe('wrong')
})

test('refusing an unknown user’s password takes as long as refusing a known user’s', async () => {
  const hash = await hashPassword('x')
  await verifyPassword('warm', null)
  const time = async (encoded: string | null) => {
    // CPU work, not elapsed time: other tests run beside this one
    const start = process.cpuUsage()
    for (let i = 0; i < 3; i++) expect(await verifyPassword('wrong', encoded)).toBe('wrong')
    return process.cpuUsage(start).user
  }
  const [known, unknown] = [await time(hash), await time(null)]
  expect(unknown / known).toBeGreaterThan(0.4)
  expect(unknown / known).toBeLessThan(2.5)
})

test('a stored hash that is not ours is a failure, not a wrong password', async () => {
  await expect(verifyPassword('x', '$2b$10$abc')).rejects.toThrow('not readable')
})

test('made-up passwords can be typed and have more than 100 bits', () => {
  const made = Array.from({ length: 50 }, makePassword)
  for (const password of made) expect(password).toMatch(/^([a-hjkmnp-z2-9]{4}-){5}[a-hjkmnp-z2-9]{4}$/)
  expect(new Set(made).size).toBe(50)
  expect(24 * Math.log2(31)).toBeGreaterThan(100)
})
