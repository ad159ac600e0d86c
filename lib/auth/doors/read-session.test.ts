import { encode } from 'next-auth/jwt'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { settings } from '#lib/env.ts'
import { Secret } from '#lib/secret.ts'
import { readSessionKey } from './read-session.ts'

const SECRET = 'a session secret of forty-three characters!'

beforeAll(() => {
  Object.assign(settings(), { sessionSecret: new Secret(SECRET) })
})
afterEach(() => vi.useRealTimers())

function makeCookie(content: Record<string, unknown>, secret = SECRET): Promise<string> {
  return encode({ token: content, secret, maxAge: 60 })
}

test('a cookie says the same each time, until its time is over', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const cookie = await makeCookie({ org: 'an-organization', sid: 'a-secret' })
  const key = { organizationId: 'an-organization', secret: 'a-secret' }
  expect(await readSessionKey(cookie)).toEqual(key)
  expect(await readSessionKey(cookie)).toEqual(key)
  // next-auth lets clocks differ by 15 seconds
  vi.setSystemTime(Date.now() + 90_000)
  expect(await readSessionKey(cookie)).toBeNull()
})

test('each cookie says its own, and a foreign or damaged one nothing', async () => {
  const [one, other] = [await makeCookie({ org: 'one', sid: 'a' }), await makeCookie({ org: 'other', sid: 'b' })]
  expect([await readSessionKey(one), await readSessionKey(other)]).toEqual([
    { organizationId: 'one', secret: 'a' },
    { organizationId: 'other', secret: 'b' },
  ])
  expect(await readSessionKey(`${one.slice(0, -2)}xx`)).toBeNull()
  expect(
    await readSessionKey(await makeCookie({ org: 'one', sid: 'a' }, 'the secret of another installation')),
  ).toBeNull()
  expect(await readSessionKey(await makeCookie({ org: 'one' }))).toBeNull()
})
