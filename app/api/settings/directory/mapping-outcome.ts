import type { MappingEnd } from '#lib/directory/role-mapping.ts'
import { done, type Outcome, refused } from '#lib/http/outcome.ts'

/** How the change of a role ended. */
export function toMappingOutcome(end: MappingEnd): Outcome {
  if (end === 'missing') return refused('directory', 'not-found', 'There is no such group.', { said: 'missing' })
  if (end === 'last-admin') return refused('directory', 'last-admin', 'Nobody would be left who can administrate.')
  return done('directory', { saved: true }, { said: 'saved' })
}
