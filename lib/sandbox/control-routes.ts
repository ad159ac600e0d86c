import { type ConsentBehavior, DEFAULT_CONSENT } from './authorize-route.ts'
import type { IssueRequest } from './data/mutations.ts'
import type { JsonObject, JsonValue } from './data/wire/json.ts'
import type { FaultAction, FaultRequest } from './faults.ts'
import { GRACE_MODES } from './options.ts'
import { errorReply, jsonReply, type Reply, type SandboxRequest } from './reply.ts'
import type { SandboxState } from './state.ts'
import { TOTAL_KEYS, type TotalKey } from './totals.ts'

export const CONTROL_PATH = '/control/'

/** The members of a control body; each endpoint uses some of them. */
type ControlBody = IssueRequest &
  Pick<Partial<FaultRequest>, 'match' | 'nth' | 'times'> & {
    /** Name of a mutation, or what a fault does. */
    action?: string | FaultAction
    faults?: FaultRequest[]
    advanceSeconds?: number
    now?: string
    reset?: boolean
    account?: string
    mode?: string
    periodSeconds?: number
    declineWithState?: boolean
    serialNumber?: string
    lineId?: string
    patch?: JsonObject
    rawJson?: Record<string, string>
  }

type Ask = { state: SandboxState; query: URLSearchParams; body: ControlBody; reset: () => void }
type Handler = (ask: Ask) => JsonValue | Promise<JsonValue>

const CONSENT_MODES: readonly ConsentBehavior['mode'][] = ['page', 'allow', 'decline']

const HANDLERS: Readonly<Record<string, Handler>> = {
  'GET clock': ({ state }) => clockReading(state),
  'POST clock': ({ state, body }) => {
    if (typeof body.advanceSeconds === 'number') state.clock.advance(body.advanceSeconds)
    else if (typeof body.now === 'string' && !Number.isNaN(Date.parse(body.now)))
      state.clock.setNow(Date.parse(body.now))
    else if (body.reset === true) state.clock.reset()
    else throw new RangeError('give advanceSeconds, now or reset')
    return clockReading(state)
  },
  'GET faults': ({ state }) => plain({ faults: state.faults.list() }),
  'POST faults': ({ state, body }) => {
    const requests = body.faults ?? [toFaultRequest(body)]
    return plain({ faults: requests.map((request) => state.faults.add(request)) })
  },
  'DELETE faults': ({ state }) => {
    state.faults.clear()
    return { faults: [] }
  },
  'GET state': ({ state }) =>
    plain({
      ...state.oauth.summary(),
      accounts: state.accounts.map(({ id, name }) => ({ id, name, enabled: state.oauth.isEnabled(id) })),
      faultsPending: state.faults.list().length,
      clock: clockReading(state),
    }),
  'GET tokens': ({ state }) => plain({ live: state.oauth.liveTokens(), everIssued: state.oauth.everIssued() }),
  'GET calls': ({ state }) => plain({ calls: state.calls.list() }),
  'DELETE calls': ({ state }) => {
    state.calls.clear()
    return { calls: [] }
  },
  'GET accounts': ({ state }) =>
    plain({
      accounts: state.accounts.map(({ id, name, profiles }) => ({
        id,
        name,
        profiles: profiles.map((each) => each.name),
      })),
    }),
  'GET totals': async ({ state, query }) => {
    const account = query.get('account')
    const by = query.get('by')
    if (by === null) return plain(await state.controlTotals(account))
    const keys = by.split(',')
    const unknown = keys.find((key) => !TOTAL_KEYS.includes(key as TotalKey))
    if (unknown !== undefined) throw new RangeError(`unknown key ${unknown}; known are ${TOTAL_KEYS.join(', ')}`)
    return plain({
      account: state.requireAccount(account).name,
      by: keys,
      groups: await state.groupTotals(account, keys as TotalKey[]),
    })
  },
  'GET ground-truth': ({ state, query }) => plain(state.groundTruth(query.get('account'))),
  'GET tie-out': ({ state, query }) => plain({ currencies: state.tieOuts(query.get('account')) }),
  'POST disable': ({ state, body }) => {
    const account = state.requireAccount(body.account)
    state.oauth.disable(account.id)
    return { account: account.id, enabled: false }
  },
  'POST grace': ({ state, body }) => {
    const mode = GRACE_MODES.find((each) => each === body.mode)
    if (!mode) throw new RangeError(`mode must be one of ${GRACE_MODES.join(', ')}`)
    const seconds = typeof body.periodSeconds === 'number' ? body.periodSeconds : state.settings.gracePeriodSeconds
    state.oauth.setGrace(mode, seconds)
    return { mode, periodSeconds: seconds }
  },
  'POST consent': ({ state, body }) => {
    const mode = CONSENT_MODES.find((each) => each === (body.mode ?? 'page'))
    if (!mode) throw new RangeError(`mode must be one of ${CONSENT_MODES.join(', ')}`)
    const accountId = body.account === undefined ? DEFAULT_CONSENT.accountId : state.requireAccount(body.account).id
    state.authorize.behavior = {
      mode,
      accountId,
      declineWithState: body.declineWithState ?? DEFAULT_CONSENT.declineWithState,
    }
    return plain(state.authorize.behavior)
  },
  'POST mutate': ({ state, body }) => mutate(state, body),
  'POST reset': ({ reset }) => {
    reset()
    return { reset: true }
  },
}

/** The control endpoints: for tests only, with the control key, from this machine only. */
export async function handleControlRoute(
  request: SandboxRequest,
  remoteAddress: string,
  state: SandboxState,
  reset: () => void,
): Promise<Reply> {
  if (!isLoopback(remoteAddress) || request.headers['x-control-key'] !== state.settings.controlKey)
    return errorReply(403, 'Control key required.')
  const handler = HANDLERS[`${request.method} ${request.path.slice(CONTROL_PATH.length)}`]
  if (!handler) return errorReply(404, 'No such control.')
  try {
    const body = readControlBody(request.body)
    return jsonReply(200, await handler({ state, query: request.query, body, reset }))
  } catch (error) {
    if (error instanceof RangeError || error instanceof SyntaxError) return errorReply(400, error.message)
    throw error
  }
}

function mutate(state: SandboxState, body: ControlBody): JsonValue {
  const account = state.requireAccount(body.account)
  const { mutations } = state
  const { serialNumber = '', lineId = '' } = body
  const patch: JsonObject = body.patch ?? {}
  switch (body.action) {
    case 'issue_invoice':
      return plain(state.issueInvoice(account.id, body))
    case 'pay_invoice':
      mutations.updateInvoice(account, serialNumber, { status: 'paid' })
      break
    case 'update_invoice':
      mutations.updateInvoice(account, serialNumber, patch, body.rawJson)
      break
    case 'remove_invoice':
      mutations.removeInvoice(account, serialNumber)
      break
    case 'update_line':
      mutations.updateLine(account, lineId, patch, body.rawJson)
      break
    case 'remove_line':
      mutations.removeLine(account, lineId)
      break
    default:
      throw new RangeError(
        'action must be issue_invoice, pay_invoice, update_invoice, remove_invoice, update_line or remove_line',
      )
  }
  return { done: true }
}

/** Reads a control body; a list means faults. */
function readControlBody(text: string): ControlBody {
  const value: unknown = text === '' ? {} : JSON.parse(text)
  if (Array.isArray(value)) return { faults: value }
  if (typeof value !== 'object' || value === null) throw new RangeError('the body must be an object or a list')
  return value
}

function toFaultRequest({ action, match, nth, times }: ControlBody): FaultRequest {
  if (typeof action !== 'object') throw new RangeError('action must say what the fault does')
  return { action, match, nth, times }
}

function clockReading(state: SandboxState): JsonObject {
  return { now: new Date(state.clock.nowMs()).toISOString(), offsetSeconds: state.clock.offsetSeconds() }
}

/** Typed results are plain JSON data: casts instead of copying. */
function plain(value: object): JsonValue {
  return value as JsonObject
}

function isLoopback(address: string): boolean {
  return address === '::1' || address.replace(/^::ffff:/, '').startsWith('127.')
}
