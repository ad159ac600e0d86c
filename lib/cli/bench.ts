import type { Lifetime } from './lifetime.ts'
import { say } from './terminal.ts'

/** Lists what can be measured. */
export async function bench(_lifetime: Lifetime): Promise<void> {
  say('There is nothing to measure yet: benchmarks come with the features whose speed is promised.')
}
