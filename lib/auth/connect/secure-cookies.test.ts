import { afterAll, beforeAll, expect, test } from 'vitest'
import { leadsTo, PASSWORD, startWorld, type World } from '../test-support/test-world.ts'

let world: World
const origin = 'https://tieout.example.com'

beforeAll(async () => {
  world = await startWorld({ APP_URL: origin })
  await world.addUser('admin@example.com', 'admin')
})
afterAll(() => world.close())

test('cookies on https: are Secure, with the prefix that makes browsers enforce it', async () => {
  const browser = world.browser()
  const signedIn = await browser.post('/api/sign-in', { email: 'admin@example.com', password: PASSWORD }, { origin })
  const [session, known, ...others] = signedIn.headers.getSetCookie()
  expect(session).toMatch(/^__Host-tieout\.session=[^;]+; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Lax$/)
  expect(known).toMatch(/^__Secure-tieout\.browser\.[\w-]+=[^;]+;.*; HttpOnly; SameSite=Lax; Secure$/)
  expect(others).toEqual([])
  const started = await browser.post('/api/connections/connect', {}, { origin })
  const cookies = started.headers.getSetCookie()
  expect(cookies).toHaveLength(2)
  for (const cookie of cookies)
    expect(cookie).toMatch(/^__Secure-tieout\.connect\.(intent|state)=[^;]+;.* Path=\/api\/auth\/callback\/partner;/)
  for (const cookie of cookies)
    expect(cookie).toMatch(/(?=.*; Secure)(?=.*; HttpOnly)(?=.*; SameSite=Lax)(?=.*; Max-Age=600)/)
  const consent = new URL(leadsTo(started))
  expect(consent.searchParams.get('redirect_uri')).toBe(`${origin}/api/auth/callback/partner`)
})
