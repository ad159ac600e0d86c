/**
 * Whatever happens upstream, on the wire and to the worker: the model is the sandbox's own state.
 */

import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { personOf } from '#lib/audit/test-support/test-actor.ts'
import { requestSync } from '#lib/connections/runs/request-sync.ts'
import { OperationalError } from '#lib/errors.ts'
import type { ConnectionId } from '#lib/ids.ts'
import type { StoredLine } from '#lib/sandbox/data/model.ts'
import type { FaultAction } from '#lib/sandbox/faults.ts'
import { decideLoss, getOpenLoss } from '../losses/decide-loss.ts'
import type { Failpoint, SyncKind } from '../model.ts'
import { controlRun } from '../runs/control-run.ts'
import { QUICK_TIMING, type SyncWorld, seedSyncWorld } from '../test-support/seed.ts'
import { acceptLoss } from '../test-support/test-accept-loss.ts'
import { expectUpstream } from '../test-support/test-upstream.ts'
import { runSync } from './run-sync.ts'

const ACCOUNT = 'meridian'
const NOW = () => new Date('2026-11-20T12:00:00Z')
/** Parts of a few invoices: a short history then exercises what a long one would. */
const timing = { ...QUICK_TIMING, windowRecords: 30 }

let world: SyncWorld

beforeAll(async () => {
  world = await seedSyncWorld({ pageSize: 10 })
})
afterAll(() => world.close())

/** Predicts nothing: the ledger should hold what the platform has. */
type Model = Record<string, never>
type Real = { connectionId: ConnectionId }
type Step = fc.AsyncCommand<Model, Real>

/** A step that is always possible; a failure shows its text. */
function step(text: string, run: (real: Real) => Promise<void>): Step {
  return { check: () => true, run: async (_, real) => run(real), toString: () => text }
}

const account = () => world.sandbox.state().requireAccount(ACCOUNT)
const mutations = () => world.sandbox.state().mutations
const allInvoices = () => [...account().front, ...account().story, ...account().back]
const pick = <T>(items: T[], at: number): T | undefined => items[at % Math.max(items.length, 1)]

type Change = { name: string; apply: (at: number) => void }
const CHANGES: Change[] = [
  {
    name: 'issue at the front',
    apply: (at) =>
      void world.sandbox
        .state()
        .issueInvoice(ACCOUNT, { position: 'front', lines: 1 + (at % 4), issuingDate: dayAt(at) }),
  },
  {
    name: 'issue at the back',
    apply: (at) =>
      void world.sandbox
        .state()
        .issueInvoice(ACCOUNT, { lines: 1 + (at % 12), issuingDate: dayAt(at), status: 'paid' }),
  },
  {
    name: 'change the status',
    apply: (at) => {
      const status = ['paid', 'unpaid', 'open', 'draft', 'overdue'][at % 5]
      const invoice = pick(allInvoices(), at)
      if (invoice) mutations().updateInvoice(account(), invoice.serialNumber, { status })
    },
  },
  {
    name: 'change the day of issue',
    apply: (at) => {
      const invoice = pick(allInvoices(), at)
      if (invoice)
        mutations().updateInvoice(account(), invoice.serialNumber, { issuing_date: at % 7 === 0 ? null : dayAt(at) })
    },
  },
  { name: 'correct a line', apply: (at) => changeLine(at, { description: `Corrected ${at}` }) },
  { name: 'spoil a line', apply: (at) => changeLine(at, { unit_price: `${at},30` }) },
  {
    // a page that is again as it was before its last reading
    name: 'take the last correction back',
    apply: () => {
      const last = corrections.pop()
      if (last === undefined) return
      last.line.wire = last.before
      account().revision += 1
    },
  },
  { name: 'mend a line', apply: (at) => changeLine(at, { unit_price: '12.30' }) },
  {
    name: 'void a line',
    apply: (at) => {
      const id = lineAt(at)
      if (id !== undefined) mutations().removeLine(account(), id)
    },
  },
  {
    name: 'void an invoice',
    apply: (at) => {
      const invoice = pick(allInvoices(), at)
      if (invoice) mutations().removeInvoice(account(), invoice.serialNumber)
    },
  },
]

function dayAt(at: number): string {
  return new Date(Date.UTC(2019, 0, 1 + ((at * 131) % 2800))).toISOString().slice(0, 10)
}
const corrections: { line: StoredLine; before: StoredLine['wire'] }[] = []
function lineAt(at: number): string | undefined {
  const ids = allInvoices().flatMap(({ lines }) =>
    lines.flatMap(({ wire }) => (typeof wire.id === 'string' ? [wire.id] : [])),
  )
  return pick(ids, at)
}
function changeLine(at: number, patch: Record<string, string>): void {
  const id = lineAt(at)
  const line = allInvoices()
    .flatMap(({ lines }) => lines)
    .find(({ wire }) => wire.id === id)
  if (id === undefined || line === undefined) return
  corrections.push({ line, before: line.wire })
  mutations().updateLine(account(), id, patch)
}

const FAULTS: FaultAction[] = [
  { type: 'status', status: 500 },
  { type: 'status', status: 401 },
  { type: 'status', status: 429, headers: { 'retry-after': '0' } },
  { type: 'status', status: 503, headers: { 'retry-after': '3600' } },
  { type: 'truncate' },
  { type: 'html' },
  { type: 'drop_before' },
  { type: 'empty_list', keepTotal: true },
  { type: 'empty_list' },
  { type: 'shift', accountId: ACCOUNT, position: 'front' },
]
const PLACES = ['before-request', 'after-response', 'before-commit', 'after-commit', 'before-finish'] as const

/** Runs what is queued, or one sync of this kind, as a worker would. */
async function work(real: Real, kind?: SyncKind, failpoint?: Failpoint): Promise<string> {
  const { organizationId, partner } = world
  const { runId } = await requestSync(organizationId, real.connectionId, { trigger: 'manual', requestedBy: null, kind })
  const signal = new AbortController().signal
  const outcome = await runSync({ organizationId, runId }, { partner, timing, signal, now: NOW, failpoint })
  // the hour of a Retry-After or of a dead worker's lease passes
  await world.database.query(`update sync_run set lease_until = now() where id = $1 and status = 'running'`, [runId])
  return outcome
}

const at = fc.nat(10_000)
const change = fc.constantFrom(...CHANGES)
const commands = [
  fc.tuple(change, at).map(([{ name, apply }, n]) => step(`${name} (${n})`, async () => apply(n))),
  fc.tuple(change, at).map(([{ name, apply }, n]) => step(`${name} (${n})`, async () => apply(n))),
  fc
    .constantFrom<SyncKind | undefined>(undefined, 'changes', 'changes', 'verification', 'incremental')
    .map((kind) => step(`sync ${kind ?? ''}`, async (real) => void (await work(real, kind)))),
  // upstream changes during the reading
  fc.tuple(change, at, fc.integer({ min: 1, max: 15 })).map(([{ name, apply }, n, page]) =>
    step(`sync, and ${name} (${n}) after page ${page}`, async (real) => {
      let pages = 0
      await work(real, undefined, (place) => {
        if (place === 'after-commit') pages += 1
        if (place === 'after-commit' && pages === page) apply(n)
      })
    }),
  ),
  // like a kill, this leaves nothing uncommitted; the next sync is the restart
  fc.tuple(fc.constantFrom(...PLACES), fc.integer({ min: 1, max: 15 })).map(([place, n]) =>
    step(`crash at ${place} ${n}`, async (real) => {
      let count = 0
      await work(real, undefined, (name) => {
        if (name === place) count += 1
        if (name === place && count === n) throw new OperationalError('sync-fenced', 'the worker died')
      })
    }),
  ),
  fc
    .tuple(fc.constantFrom(...FAULTS), fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 3 }))
    .map(([action, nth, times]) =>
      step(`fault ${JSON.stringify(action)} at ${nth}, ${times} times`, async () => {
        world.sandbox.state().faults.add({ match: { path: '/api/v1/*' }, nth, times, action })
      }),
    ),
  fc
    .constantFrom('pause', 'resume', 'cancel')
    .map((control) =>
      step(
        control,
        async (real) => void (await controlRun(world.organizationId, real.connectionId, control as 'pause')),
      ),
    ),
  fc
    .constantFrom('accepted', 'rejected')
    .map((decision) => step(`decide: ${decision}`, async (real) => decide(real, decision as 'accepted'))),
  fc.constant(
    step('the account is disabled and connected again', async (real) => {
      world.sandbox.state().oauth.disable(ACCOUNT)
      await work(real)
      world.sandbox.state().faults.clear()
      await world.reconnect(ACCOUNT, real.connectionId)
    }),
  ),
]

async function decide(real: Real, decision: 'accepted' | 'rejected'): Promise<void> {
  const loss = await getOpenLoss(world.organizationId, real.connectionId)
  if (loss === null) return
  const actor = personOf(world.userId)
  if (decision === 'accepted') await acceptLoss(world.organizationId, real.connectionId, loss.runId, actor)
  else await decideLoss(world.organizationId, real.connectionId, loss.runId, { decision, actor })
}

/** Ends the storm: a complete reading, and an admin who accepts what it did not find. */
async function settle(real: Real): Promise<void> {
  world.sandbox.state().faults.clear()
  await controlRun(world.organizationId, real.connectionId, 'resume')
  // first finish what is under way, then one sync that begins after the last change
  for (let take = 0; take < 3; take++) await work(real)
  await decide(real, 'rejected')
  const outcome = await work(real, 'verification')
  expect(['succeeded', 'held']).toContain(outcome)
  await decide(real, 'accepted')
}

async function expectSound({ connectionId }: Real): Promise<void> {
  const counts = 'received, inserted, updated, unchanged, duplicate, rejected'
  const sums = counts
    .split(', ')
    .map((name) => `coalesce(sum(${name}), 0)::int as ${name}`)
    .join(', ')
  const runs = await world.database.query<{ id: string }>(
    `select id, profiles_received + invoices_received + lines_received as received, inserted, updated, unchanged, duplicate, rejected
     from sync_run where connection_id = $1`,
    [connectionId],
  )
  for (const { id, ...run } of runs) {
    const [pages] = await world.database.query(`select ${sums} from sync_page where run_id = $1`, [id])
    const [windows] = await world.database.query(`select ${sums} from sync_window where run_id = $1`, [id])
    expect({ pages, windows }).toEqual({ pages: run, windows: run })
  }
  const [doubled] = await world.database.query(
    `select count(*)::int as count from (
       select record_id from rejected_line where connection_id = $1 and list = 'lines' and resolved_at is null and record_id is not null
       union all select id from line where connection_id = $1 and missing_since is null) ids
     group by record_id having count(*) > 1`,
    [connectionId],
  )
  expect(doubled).toBeUndefined()
}

test('F19 F21 F22 F25 F26 F28: after any story, a complete reading leaves exactly what the platform has, once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.commands(commands, { maxCommands: 14 }), async (story) => {
      world.sandbox.reset()
      const { connectionId } = await world.connect(ACCOUNT)
      const real = { connectionId }
      await fc.asyncModelRun(() => ({ model: {}, real }), story)
      await settle(real)
      await expectUpstream(world, connectionId, ACCOUNT)
      await expectSound(real)
    }),
    { numRuns: 15, endOnFailure: true },
  )
}, 240_000)
