import { expect, test } from 'vitest'
import { findGap } from './gaps.ts'

const AROUND = { from: 0, blow: 10_000, to: 60_000 }

test('the gap of a blow begins with the last answer before it', () => {
  const gap = findGap([9_000, 31_000, 1_000, 4_000, 32_000], AROUND)
  expect(gap).toEqual({ seconds: 22, usual: 5 })
})

test('a longer gap after the first answer counts: what came back may go again', () => {
  expect(findGap([9_000, 11_000, 41_000], AROUND).seconds).toBe(30)
})

test('what never came again was away until the end', () => {
  expect(findGap([8_000], AROUND).seconds).toBe(52)
  expect(findGap([], AROUND).seconds).toBe(60)
})
