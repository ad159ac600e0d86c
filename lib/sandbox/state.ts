import { type AuthorizeRoute, createAuthorizeRoute } from './authorize-route.ts'
import { type CallLog, createCallLog } from './call-log.ts'
import { createClock, dayOf, type SandboxClock } from './clock.ts'
import { type Account, createAccounts, groundTruthOf } from './data/account.ts'
import { fingerprintOf } from './data/fingerprint.ts'
import type { GroundTruth } from './data/model.ts'
import { createMutations, type IssueRequest, type Mutations } from './data/mutations.ts'
import { createFaultQueue, type FaultQueue } from './faults.ts'
import { type KeptPages, keepPages } from './kept-pages.ts'
import { readSnapshot, writeSnapshot } from './oauth-snapshot.ts'
import { createOauthStore, type OauthStore } from './oauth-store.ts'
import type { SandboxSettings } from './options.ts'
import { type ControlTieOut, computeTieOuts, type IsIssued } from './tie-outs.ts'
import {
  type ControlTotals,
  computeControlTotals,
  computeGroupTotals,
  type GroupTotal,
  type TotalKey,
} from './totals.ts'

/** Everything a running sandbox remembers; a reset replaces it as a whole. */
export type SandboxState = {
  settings: SandboxSettings
  clock: SandboxClock
  accounts: Account[]
  oauth: OauthStore
  /** Accounts are still connected from a start with other data, or with who knows which. */
  hasOtherData: boolean
  authorize: AuthorizeRoute
  faults: FaultQueue
  calls: CallLog
  mutations: Mutations
  keptPages: KeptPages
  /** Throws RangeError for an unknown account; without an id, returns the first. */
  requireAccount(id?: string | null): Account
  issueInvoice(accountId: string | undefined, request: IssueRequest): { serialNumber: string; lineIds: string[] }
  controlTotals(accountId?: string | null): Promise<ControlTotals>
  groupTotals(accountId: string | null | undefined, by: readonly TotalKey[]): Promise<GroupTotal[]>
  groundTruth(accountId?: string | null): GroundTruth
  tieOuts(accountId?: string | null, isIssued?: IsIssued): ControlTieOut[]
}

export function createState(settings: SandboxSettings): SandboxState {
  const clock = createClock()
  const accounts = createAccounts(settings.size, settings.seed)
  const { oauth, hasOtherData } = createKeptOauthStore(clock, settings, accounts)
  const mutations = createMutations(settings.seed)
  const cached = new Map<string, { revision: number; totals: Promise<ControlTotals> }>()
  const requireAccount = (id?: string | null): Account => {
    const account =
      id === undefined || id === null ? accounts[0] : accounts.find((each) => each.id === id || each.name === id)
    if (!account) throw new RangeError(`no account ${id}`)
    return account
  }
  return {
    settings,
    clock,
    accounts,
    oauth,
    hasOtherData,
    authorize: createAuthorizeRoute(settings, oauth, () => accounts),
    faults: createFaultQueue(),
    calls: createCallLog(),
    mutations,
    keptPages: keepPages(settings.keptPageBytes),
    requireAccount,
    issueInvoice: (accountId, request) =>
      mutations.issueInvoice(requireAccount(accountId), request, dayOf(clock.nowMs())),
    controlTotals: (accountId) => {
      const account = requireAccount(accountId)
      const known = cached.get(account.id)
      if (known?.revision === account.revision) return known.totals
      const totals = computeControlTotals(account)
      cached.set(account.id, { revision: account.revision, totals })
      return totals
    },
    tieOuts: (accountId, isIssued) => computeTieOuts(requireAccount(accountId), isIssued),
    groupTotals: (accountId, by) => computeGroupTotals(requireAccount(accountId), by),
    groundTruth: (accountId) => {
      const chosen = accountId === undefined || accountId === null ? accounts : [requireAccount(accountId)]
      const parts = chosen.map(groundTruthOf)
      return {
        findings: parts.flatMap((part) => part.findings),
        notes: parts.flatMap((part) => part.notes),
        rejected: parts.flatMap((part) => part.rejected),
        invoices: parts.flatMap((part) => part.invoices),
      }
    },
  }
}

function createKeptOauthStore(
  clock: SandboxClock,
  settings: SandboxSettings,
  accounts: readonly Account[],
): { oauth: OauthStore; hasOtherData: boolean } {
  const { stateFile } = settings
  if (stateFile === undefined) return { oauth: createOauthStore(clock, settings), hasOtherData: false }
  const data = fingerprintOf(accounts)
  const keep = () => writeSnapshot(stateFile, { ...oauth.snapshot(), data })
  const oauth: OauthStore = createOauthStore(clock, settings, keep)
  const earlier = readSnapshot(stateFile)
  if (!earlier) return { oauth, hasOtherData: false }
  oauth.restore(earlier)
  keep()
  return { oauth, hasOtherData: earlier.data !== data && earlier.enabled.length > 0 }
}
