/** Which lines and invoices a rule leaves for people. On the server: no browser has its hash. */
import { createHash } from 'node:crypto'
import type { RuleTerms } from './rule-terms.ts'

const BITS = 48

/**
 * Whether an id is in the share that stays for people: the same id and seed always are or are not,
 * so a replay leaves what a live run left, and anybody can make it again.
 */
export function isLeftForPeople({ seed, share }: Pick<RuleTerms, 'seed' | 'share'>, id: string): boolean {
  const hash = createHash('sha256').update(`${seed}\n${id}`).digest()
  return hash.readUIntBE(0, BITS / 8) / 2 ** BITS < Number(share) / 100
}
