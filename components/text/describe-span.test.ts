import { expect, test } from 'vitest'
import { describeSpan } from './describe-span.ts'

test.each([
  [0, 'just now'],
  [-59_999, 'just now'],
  [30_000, 'in under a minute'],
  [-60_000, '1 minute ago'],
  [-3 * 60_000 - 59_000, '3 minutes ago'],
  [-3_600_000, '1 hour ago'],
  [6 * 86_400_000 + 1, 'in 6 days'],
  [-59 * 86_400_000, '59 days ago'],
  [-61 * 86_400_000, '2 months ago'],
])('describes a span of %d ms as "%s"', (span, text) => {
  expect(describeSpan(span)).toBe(text)
})
