/** What somebody may do with a month or an invoice now. Pure. */
import { buttonClass } from '#components/primitives/button.ts'
import { isAllowed, type Role } from '#lib/auth/permissions.ts'
import type { ClosePeriod } from '#lib/ledger/close/read-close.ts'
import { type CloseState, nextStepOf, type Signature } from '#lib/reconcile/close/close-state.ts'
import { type CloseScope, isPeriod } from '#lib/reconcile/close/scope.ts'
import type { CloseAction } from './close-actions.client.tsx'
import { type Closer, listMay, STEP_VERBS, writeWho } from './close-people.ts'

export type ActionFacts = {
  scope: CloseScope
  state: CloseState
  prepared: Signature | null
  approved: Signature | null
  /** The lock in force of exactly this month, and whether any is. */
  lock: string | null
  isLocked: boolean
  invoiceCount: number
  fourEyes: boolean
}

/** The facts of a month that is shown. A lock of the whole account is opened there. */
export function toActionFacts({ scope, cell }: Pick<ClosePeriod, 'scope' | 'cell'>, fourEyes: boolean): ActionFacts {
  const { standing, stand, invoiceCount } = cell
  const { prepared, approved, lock, isLocked } = standing
  const isOwnLock = lock !== null && lock.isOfAccount === (scope.kind === 'connection_month')
  const { state } = stand
  return { scope, state, prepared, approved, lock: isOwnLock ? lock.number : null, isLocked, invoiceCount, fourEyes }
}

export type Acting = { id: string; role: Role; people: readonly Closer[] }

/** A button's words, looks and wish; `isNext`: the one step that comes now. */
export function toAction(words: string, wish: CloseAction['wish'], isNext = false): CloseAction {
  return { words, wish, className: buttonClass({ look: isNext ? 'primary' : 'plain', size: 'small' }) }
}

/** The actions of a person, the next step first, and why the next step is not theirs. */
export function listActions(
  facts: ActionFacts,
  { id, role, people }: Acting,
): { actions: CloseAction[]; whyNot: string | null } {
  const { scope, state, prepared, approved, lock, isLocked, invoiceCount, fourEyes } = facts
  const actions: CloseAction[] = []
  const next = nextStepOf(state, isPeriod(scope))
  const add = (words: string, wish: CloseAction['wish'], isNext = false) => actions.push(toAction(words, wish, isNext))
  let whyNot: string | null = null
  if (next !== null && next !== 'reopen' && invoiceCount > 0) {
    const preparedBy = fourEyes ? (prepared?.personId ?? null) : null
    const isOwn = next === 'approve' && preparedBy === id
    if (isAllowed(role, next) && !isOwn) add(`${STEP_VERBS[next]}…`, toWish(next, scope), true)
    else {
      const who = writeWho(listMay(people, next, preparedBy), id)
      whyNot = `${STEP_VERBS[next]}: ${who}${isOwn ? '; not you, you prepared it' : ''}`
    }
  }
  const own = [approved, prepared].find((signature) => signature !== null)
  if (own !== undefined && own.personId === id && !isLocked)
    add('Take back…', { verb: 'withdraw', signOff: own.id, step: own.step })
  if (lock !== null && isAllowed(role, 'reopen')) add('Reopen…', { verb: 'reopen', lock })
  if (lock !== null && isAllowed(role, 'lock')) add('Exception…', { verb: 'exception', lock })
  if (isAllowed(role, 'export')) add('Evidence pack', { verb: 'pack', of: scope })
  return { actions, whyNot }
}

function toWish(step: 'prepare' | 'approve' | 'lock', scope: CloseScope): CloseAction['wish'] {
  if (step !== 'lock') return { verb: step, scope }
  if (!isPeriod(scope)) throw new Error('An invoice is not locked')
  return { verb: 'lock', scope }
}
