import { expect, test } from 'vitest'
import { toContentPolicy } from './content-policy.ts'

const policy = (change = {}) =>
  toContentPolicy({ nonce: 'abc+/=', partnerOrigin: 'https://app.example', isDevelopment: false, ...change })

test('A12: the policy of a page lets nothing run and nothing be loaded but our own, with this reply’s nonce', () => {
  expect(policy().split('; ')).toEqual([
    "default-src 'self'",
    "script-src 'self' 'nonce-abc+/=' 'strict-dynamic'",
    "style-src 'self' 'nonce-abc+/='",
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "form-action 'self' https://app.example",
  ])
})

test('A12: without a platform forms go nowhere else', () => {
  expect(policy({ partnerOrigin: null })).toMatch(/form-action 'self'$/)
})

test('A12: only development mode may evaluate text, and no mode may run inline scripts', () => {
  expect(policy()).not.toContain('unsafe-eval')
  const development = policy({ isDevelopment: true }).split('; ')
  expect(development).toContain("script-src 'self' 'nonce-abc+/=' 'strict-dynamic' 'unsafe-eval'")
  expect(development).toContain("connect-src 'self' ws:")
})
