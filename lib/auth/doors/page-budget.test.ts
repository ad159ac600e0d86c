import { NextRequest } from 'next/server'
import { beforeEach, expect, test } from 'vitest'
import type { UserId } from '#lib/ids.ts'
import { proxy } from '../../../proxy.ts'
import { rememberPerson } from '../limits/request-budget.ts'
import { REQUEST_KINDS } from '../limits/request-kinds.ts'

const { burst } = REQUEST_KINDS.page.budget

beforeEach(() => {
  delete (globalThis as { tieoutRequestCounts?: unknown }).tieoutRequestCounts
})

const ask = (cookie: string) =>
  proxy(new NextRequest('http://localhost:3000/lines', { headers: { cookie: `tieout.session=${cookie}` } }))

test('A18: pages of a person beyond the budget are answered 429, and load again by themselves', async () => {
  rememberPerson('of-anna', 'anna' as UserId)
  rememberPerson('of-ben', 'ben' as UserId)
  for (let n = 0; n < burst; n++) expect(ask('of-anna').status).toBe(200)
  const refused = ask('of-anna')
  expect([refused.status, refused.headers.get('retry-after'), refused.headers.get('refresh')]).toEqual([429, '1', '1'])
  expect(refused.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(await refused.text()).toContain('There were too many requests from your account or network.')
  expect(ask('of-ben').status).toBe(200)
})

test('A18: a cookie that no page has answered yet is not counted: the page finds out whose it is', () => {
  for (let n = 0; n < burst + 10; n++) expect(ask('of-nobody').status).toBe(200)
})
