/**
 * For tests that need many passwords and promise nothing of what they cost: to import this file
 * makes them cheap in this process, which such a test therefore has for itself
 * (lib/cli/test/choose-tests.ts).
 */
import { onTestFinished } from 'vitest'
import { setPasswordCost } from '../passwords/password.ts'

const CHEAP = 2 ** 8

setPasswordCost(CHEAP)

/** For the rest of this test, a new hash costs what it does in production. */
export function useRealCost(): void {
  setPasswordCost(null)
  onTestFinished(() => setPasswordCost(CHEAP))
}
