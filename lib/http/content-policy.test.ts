import { expect, test } from 'vitest'
import { toContentPolicy } from './content-policy.ts'

const policy = (isDevelopment = false) => toContentPolicy({ nonce: 'abc+/=', isDevelopment })

test('A12: a page’s policy lets only our own code run and load, with this reply’s nonce', () => {
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
    "form-action 'self'",
  ])
})

test('A12: only development mode may evaluate text, and no mode may run inline scripts', () => {
  expect(policy()).not.toContain('unsafe-eval')
  const development = policy(true).split('; ')
  expect(development).toContain("script-src 'self' 'nonce-abc+/=' 'strict-dynamic' 'unsafe-eval'")
  expect(development).toContain("connect-src 'self' ws:")
})
