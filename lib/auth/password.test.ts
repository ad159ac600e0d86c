import { expect, test } from 'vitest'
import { hashPassword, makePassword, verifyPassword } from './password.ts'

test('a hash knows its password, names its cost, and has a salt of its own', async () => {
  const [first, second] = await Promise.all([hashPassword('pässword'), hashPassword('pässword')])
  expect(first).toMatch(/^scrypt\$32768,8,3\$[\w-]{22}\$[\w-]{43}$/)
  expect(first).not.toBe(second)
  expect(await verifyPassword('pässword', first)).toBe('right')
  expect(await verifyPassword('pa\u0308ssword', first)).toBe('right')
  expect(await verifyPassword('Pässword', first)).toBe('wrong')
  expect(await verifyPassword('', first)).toBe('wrong')
})

test('nobody’s password takes as long to refuse as somebody’s', async () => {
  const hash = await hashPassword('x')
  await verifyPassword('warm', null)
  const time = async (encoded: string | null) => {
    // work, not time by the clock: other tests run beside this one
    const start = process.cpuUsage()
    for (let i = 0; i < 3; i++) expect(await verifyPassword('wrong', encoded)).toBe('wrong')
    return process.cpuUsage(start).user
  }
  const [known, unknown] = [await time(hash), await time(null)]
  expect(unknown / known).toBeGreaterThan(0.4)
  expect(unknown / known).toBeLessThan(2.5)
})

test('a stored hash that is not one of ours is a failure, not a wrong password', async () => {
  await expect(verifyPassword('x', '$2b$10$abc')).rejects.toThrow('not readable')
})

test('made-up passwords can be typed and have more than 100 bits', () => {
  const made = Array.from({ length: 50 }, makePassword)
  for (const password of made) expect(password).toMatch(/^([a-hjkmnp-z2-9]{4}-){5}[a-hjkmnp-z2-9]{4}$/)
  expect(new Set(made).size).toBe(50)
  expect(24 * Math.log2(31)).toBeGreaterThan(100)
})
