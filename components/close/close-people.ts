/** Who may take the next step, in words. Pure. */
import { isAllowed, type Role } from '#lib/auth/permissions.ts'

export type Closer = { id: string; name: string; role: Role }

type Step = 'prepare' | 'approve' | 'lock' | 'reopen'

/** Those who may take a step. `preparedBy`: who prepared it, and may not approve it. */
export function listMay(people: readonly Closer[], step: Step, preparedBy: string | null): Closer[] {
  return people.filter(({ id, role }) => isAllowed(role, step) && !(step === 'approve' && id === preparedBy))
}

const MOST_NAMED = 2

/** `you or A. Ruiz`, `Ana, Ben or 3 others`; `nobody` is worth saying. */
export function writeWho(people: readonly Closer[], ownId: string): string {
  const names = [...people]
    .sort((a, b) => Number(b.id === ownId) - Number(a.id === ownId))
    .map(({ id, name }) => (id === ownId ? 'you' : name))
  if (names.length === 0) return 'nobody may'
  const shown = names.slice(0, names.length > MOST_NAMED + 1 ? MOST_NAMED : MOST_NAMED + 1)
  const rest = names.length - shown.length
  const all = rest > 0 ? [...shown, `${rest} others`] : shown
  return all.length === 1 ? (all[0] as string) : `${all.slice(0, -1).join(', ')} or ${all.at(-1)}`
}

export const STEP_VERBS: Record<Step, string> = {
  prepare: 'Prepare',
  approve: 'Approve',
  lock: 'Lock',
  reopen: 'Reopen',
}
