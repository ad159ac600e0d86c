import { expect, test } from 'vitest'
import { CONNECT_OUTCOMES, toConnectOutcome } from './connect-outcomes.ts'

test('every outcome has words for people, and no other name is an outcome', () => {
  for (const [key, outcome] of Object.entries(CONNECT_OUTCOMES)) {
    expect(toConnectOutcome(key)).toBe(outcome)
    expect(outcome.text).toMatch(/^[A-Z].*\.$/)
  }
  for (const key of ['', 'constructor', '__proto__', 'Connected', ['connected'], undefined, '<b>'])
    expect(toConnectOutcome(key)).toBeNull()
})
