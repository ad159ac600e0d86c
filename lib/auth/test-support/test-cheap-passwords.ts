/**
 * For tests that need many passwords and promise nothing of what they cost: to import this file
 * makes them cheap in this process. Only for tests with a database: each has its own process.
 */
import { onTestFinished } from 'vitest'
import { setPasswordCost } from '../password.ts'

const CHEAP = 2 ** 8

setPasswordCost(CHEAP)

/** For the rest of this test, a new hash costs what it does in production. */
export function useRealCost(): void {
  setPasswordCost(null)
  onTestFinished(() => setPasswordCost(CHEAP))
}
