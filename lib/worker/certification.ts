/** Certification rules that are on: each acts as its owner, with what that person may do now. */
import { isAllowed, type Role } from '#lib/auth/permissions.ts'
import { followRules } from '#lib/ledger/certify/follow-rules.ts'

/** Follows every rule in every account that a sync has ended of since, until `signal` fires. */
export function certify(signal: AbortSignal): Promise<void> {
  return followRules(signal, (role, verb) => {
    const may = (what: 'decide' | 'prepare' | 'approve') => isAllowed(role as Role, what)
    return may('decide') && (verb === 'accept' || may(verb))
  })
}
