/** Says of choices that look like others how they differ. */
import { describeLookAlikes } from '#lib/reconcile/look-alikes.ts'
import type { Choice } from './filter-fields.ts'

/** By choice; those that look like no other, and the one that is written plainly, have none. */
export function markLookAlikes(choices: readonly Choice[]): Map<Choice, string> {
  const words = describeLookAlikes(choices.filter(({ value }) => value !== '').map(({ label }) => label))
  return new Map(
    choices.flatMap((choice) => {
      const said = choice.value === '' ? undefined : words.get(choice.label)
      return said === undefined ? [] : [[choice, said] as const]
    }),
  )
}
