/**
 * The platform's hosts as all workers see them: call budget and circuit breaker, in the database.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { type Limit, takeFrom } from '#lib/bucket.ts'
import { type Sql, withSystem, withSystemSql } from '#lib/db/tenant.ts'
import { OperationalError } from '#lib/errors.ts'
import { log } from '#lib/log.ts'
import {
  askCircuit,
  type Circuit,
  type CircuitRules,
  CLOSED_CIRCUIT,
  noteFailure,
  toHalfOpen,
} from '#lib/partner/http/circuit.ts'
import { PartnerError, type PartnerErrorKind } from '#lib/partner/partner-error.ts'
import type { HostFailure, HostState } from '../model.ts'

/** The host failed too often and is left alone for a while: no call was made. */
export class CircuitOpenError extends OperationalError {
  readonly waitMs: number
  constructor(host: string, waitMs: number) {
    super('partner-circuit-open', `${host} is left alone for another ${waitMs} ms`)
    this.waitMs = waitMs
  }
}

/** How many calls a process takes from the budget with one statement. */
const CALLS_AT_ONCE = 5
/** Calls taken but not used within this time expire. */
const KEEP_MS = 1000
/** How stale this process's view of the circuit may be. */
const TRUST_MS = 500

export type HostGate = {
  /**
   * Makes a call once budget and circuit allow it, and records its outcome. @throws
   * CircuitOpenError
   */
  call: <T>(request: () => Promise<T>, signal: AbortSignal) => Promise<T>
}

/**
 * A budget of `perSecond` calls on average; after a rest, three seconds' worth at once. Null (no
 * budget) for 0. @internal
 */
export function toCallLimit(perSecond: number): Limit | null {
  return perSecond <= 0 ? null : { free: perSecond * 3, stepSeconds: 1 / perSecond, areWaitsEven: true }
}

type Known = { circuit: Circuit; until: number }

/** The gate to one host. `callsPerSecond` 0 = no budget. */
export function openHostGate(host: string, callsPerSecond: number, rules: CircuitRules): HostGate {
  const budget = toCallLimit(callsPerSecond)
  let inHand = { calls: 0, until: 0 }
  let known: Known | null = null
  // this process's calls queue for the budget
  let turn: Promise<void> = Promise.resolve()

  async function waitForBudget(signal: AbortSignal): Promise<void> {
    if (budget === null) return
    for (;;) {
      if (inHand.calls > 0 && Date.now() < inHand.until) {
        inHand.calls -= 1
        return
      }
      const { taken, waitSeconds } = await changeHost(host, (row, now) => {
        // the row has what is left of the calls
        const { tokens, tokensAt } = { tokens: row.tokens ?? budget.free, tokensAt: row.tokensAt ?? now }
        const bucket = { level: budget.free - tokens, ageSeconds: (now.getTime() - tokensAt.getTime()) / 1000 }
        const took = takeFrom(bucket, budget, CALLS_AT_ONCE)
        return { row: { ...row, tokens: budget.free - took.level, tokensAt: now }, result: took }
      })
      inHand = { calls: taken, until: Date.now() + KEEP_MS }
      if (taken === 0) await delay(Math.ceil(waitSeconds * 1000), undefined, { signal })
    }
  }

  let asking: Promise<void> | null = null
  /** Resolves when a call of this process that probes the host has ended. */
  let probing: { ended: Promise<void>; end: () => void } | null = null

  /** Concurrent calls share one question to the circuit, and wait for what our probe shows. */
  async function passCircuit(): Promise<void> {
    while (probing !== null) await probing.ended
    asking ??= askOnce().finally(() => {
      asking = null
    })
    return asking
  }

  function beginProbe(): void {
    let end = () => {}
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    probing = { ended, end }
  }

  function endProbe(): void {
    probing?.end()
    probing = null
  }

  async function askOnce(): Promise<void> {
    if (known === null || Date.now() > known.until || known.circuit.state !== 'closed') {
      const answer = await changeHost(host, (row, now) => {
        const asked = askCircuit(row.circuit, now)
        const circuit = asked === 'probe' ? toHalfOpen(row.circuit, now, rules) : row.circuit
        return { row: { ...row, circuit }, result: { asked, circuit } }
      })
      known = { circuit: answer.circuit, until: Date.now() + TRUST_MS }
      if (answer.asked === 'probe') beginProbe()
      else if (answer.asked !== 'pass') throw new CircuitOpenError(host, answer.asked.waitMs)
    }
  }

  async function noteSuccess(): Promise<void> {
    if (known === null || (known.circuit.state === 'closed' && known.circuit.consecutiveFailures === 0)) return
    const wasOpen = known.circuit.state !== 'closed'
    await changeHost(host, (row) => ({ row: { ...row, circuit: CLOSED_CIRCUIT }, result: null }))
    known = { circuit: CLOSED_CIRCUIT, until: Date.now() + TRUST_MS }
    if (wasOpen) log.info({ host }, 'the platform answers again')
  }

  async function remember(thrown: unknown): Promise<void> {
    if (!(thrown instanceof PartnerError)) return
    // a host that refuses with a reason is a host that works
    if (!thrown.retryable && thrown.kind !== 'redirect') return noteSuccess()
    const circuit = await changeHost(host, (row, now) => {
      const after = noteFailure(row.circuit, now, rules)
      return { row: { ...row, circuit: after, lastFailureAt: now, lastFailure: toHostFailure(thrown) }, result: after }
    })
    if (circuit.state === 'open' && known?.circuit.state !== 'open')
      log.warn({ host, failures: circuit.consecutiveFailures, retryAt: circuit.retryAt }, 'the platform is left alone')
    known = { circuit, until: Date.now() + TRUST_MS }
  }

  return {
    call: async (request, signal) => {
      await passCircuit()
      try {
        const mine = turn.then(() => waitForBudget(signal))
        turn = mine.catch(() => undefined)
        await mine
        const answer = await request()
        await noteSuccess()
        return answer
      } catch (thrown) {
        await remember(thrown)
        throw thrown
      } finally {
        endProbe()
      }
    },
  }
}

/** Kind and status only, never the platform's words. A status outside HTTP's range becomes null. */
function toHostFailure({ kind, status = 0 }: PartnerError): HostFailure {
  return { kind, status: status >= 100 && status <= 999 ? status : null }
}

type FailureColumns = { failureKind: PartnerErrorKind | null; failureStatus: number | null }
const FAILURE_COLUMNS = `last_failure_kind as "failureKind", last_failure_status as "failureStatus"`

function fromColumns({ failureKind, failureStatus }: FailureColumns): HostFailure | null {
  return failureKind === null ? null : { kind: failureKind, status: failureStatus }
}

/**
 * Every host called so far, to show how the platform does. The same for every organization: the
 * rows hold only figures, moments and our own words.
 */
export async function listPartnerHosts(): Promise<HostState[]> {
  const rows = await withSystem((records) =>
    records.partnerHost.findMany({
      orderBy: { host: 'asc' },
      omit: { tokens: true, tokensAt: true, timesOpened: true },
    }),
  )
  return rows.map(({ lastFailureKind, lastFailureStatus, ...row }) => ({
    ...row,
    // the table's check constraints allow the same states and kinds
    circuit: row.circuit as HostState['circuit'],
    lastFailure: fromColumns({ failureKind: lastFailureKind as PartnerErrorKind, failureStatus: lastFailureStatus }),
    openedAt: row.openedAt?.toISOString() ?? null,
    retryAt: row.retryAt?.toISOString() ?? null,
    lastFailureAt: row.lastFailureAt?.toISOString() ?? null,
  }))
}

type HostRow = {
  tokens: number | null
  tokensAt: Date | null
  circuit: Circuit
  lastFailureAt: Date | null
  lastFailure: HostFailure | null
}

/** Changes a host's row under its lock, by the database clock, so all workers agree on it. */
function changeHost<T>(host: string, change: (row: HostRow, now: Date) => { row: HostRow; result: T }): Promise<T> {
  return withSystemSql(async (sql) => {
    // the count of calls left is not worth waiting for the disk
    await sql('set local synchronous_commit = off')
    const { now, ...row } = await lockHost(sql, host)
    const changed = change(row, now)
    const { circuit } = changed.row
    await sql(
      `update partner_host set tokens = $2, tokens_at = $3, circuit = $4, consecutive_failures = $5, times_opened = $6, retry_at = $7,
         opened_at = case when $4 = 'closed' then null when circuit = 'closed' then $8 else opened_at end,
         last_failure_at = $9, last_failure_kind = $10, last_failure_status = $11
       where host = $1`,
      [
        host,
        changed.row.tokens,
        changed.row.tokensAt,
        circuit.state,
        circuit.consecutiveFailures,
        circuit.timesOpened,
        circuit.retryAt,
        now,
        changed.row.lastFailureAt,
        changed.row.lastFailure?.kind ?? null,
        changed.row.lastFailure?.status ?? null,
      ],
    )
    return changed.result
  })
}

async function lockHost(sql: Sql, host: string): Promise<HostRow & { now: Date }> {
  const select = `
    select tokens, tokens_at as "tokensAt", circuit as state, consecutive_failures as "consecutiveFailures",
           times_opened as "timesOpened", retry_at as "retryAt", last_failure_at as "lastFailureAt",
           ${FAILURE_COLUMNS}, clock_timestamp() as now
    from partner_host where host = $1 for update`
  type Row = Omit<HostRow, 'circuit' | 'lastFailure'> & FailureColumns & Circuit & { now: Date }
  let [row] = await sql<Row>(select, [host])
  if (row === undefined) {
    await sql('insert into partner_host (host) values ($1) on conflict do nothing', [host])
    ;[row] = await sql<Row>(select, [host])
  }
  const { tokens, tokensAt, lastFailureAt, failureKind, failureStatus, now, ...circuit } = row as Row
  return { tokens, tokensAt, circuit, lastFailureAt, lastFailure: fromColumns({ failureKind, failureStatus }), now }
}
