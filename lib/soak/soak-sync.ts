/**
 * `npm run soak -- sync [--minutes 10] [--seed n]`: kills at random against a changing sandbox; the
 * ledger must equal it at the end.
 */
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { lastLinesOf } from '#lib/cli/processes/log-file.ts'
import type { ManagedProcess } from '#lib/cli/processes/managed-process.ts'
import { CommandError } from '#lib/cli/run/command-error.ts'
import type { Lifetime } from '#lib/cli/run/lifetime.ts'
import { say } from '#lib/cli/run/terminal.ts'
import { requestSync } from '#lib/connections/runs/request-sync.ts'
import { SQL_OPEN } from '#lib/connections/runs/run-status.ts'
import { withSystemSql } from '#lib/db/tenant.ts'
import { listDifferencesNow } from '#lib/ledger/test-support/rollup-differences.ts'
import { pageOfInvoices, pageOfLines } from '#lib/sandbox/data/account.ts'
import { createChoices } from '#lib/sandbox/data/prng.ts'
import { toJson } from '#lib/sandbox/data/wire/json.ts'
import type { FaultAction } from '#lib/sandbox/faults.ts'
import { decideLoss, getOpenLoss } from '#lib/sync/losses/decide-loss.ts'
import { previewLoss } from '#lib/sync/losses/preview-loss.ts'
import type { SyncKind } from '#lib/sync/model.ts'
import { controlRun } from '#lib/sync/runs/control-run.ts'
import { type OwnWorld, openOwnWorld } from '#lib/world/own-world.ts'

const ACCOUNT = 'nordlicht'
const WORKERS = 2
/** Short leases, small pages, groups and windows give a kill as many places to hit as possible. */
const WORKER_FLAGS = ['--lease-seconds=2', '--window-records=100', '--group-pages=3']
const PAGE_SIZE = 10
const FAULTS: FaultAction[] = [
  { type: 'status', status: 500 },
  { type: 'status', status: 401 },
  { type: 'status', status: 429, headers: { 'retry-after': '1' } },
  { type: 'truncate' },
  { type: 'html' },
  { type: 'drop_before' },
  { type: 'drop_after_effect' },
  { type: 'empty_list', keepTotal: true },
  { type: 'delay', ms: 1500 },
]

type Random = { int: (from: number, to: number) => number }
type Counts = {
  changes: number
  syncs: number
  faults: number
  workerKills: number
  databaseKills: number
  ownExits: number
}

/**
 * Runs the loop and prints its figures as one JSON line. @throws CommandError when the ledger
 * differs from the platform.
 */
export async function soakSync(lifetime: Lifetime, args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { minutes: { type: 'string' }, seed: { type: 'string' } } })
  const minutes = Number(values.minutes ?? 10)
  const seed = Number(values.seed ?? Date.now() % 1_000_000)
  say(`Soak of the sync: ${minutes} minutes, seed ${seed}`)
  const random: Random = createChoices(seed)
  const world = await openOwnWorld(lifetime, { account: ACCOUNT, pageSize: PAGE_SIZE, workerFlags: WORKER_FLAGS })
  const counts: Counts = { changes: 0, syncs: 0, faults: 0, workerKills: 0, databaseKills: 0, ownExits: 0 }
  const crew = keepCrew(world, lifetime, counts)
  const kills: { what: string; at: Date }[] = []
  const deadline = Date.now() + minutes * 60_000
  while (Date.now() < deadline) {
    lifetime.signal.throwIfAborted()
    await shake(world, crew, random, counts, kills)
    await delay(random.int(50, 600), undefined, { signal: lifetime.signal })
  }
  say('The storm is over; reading everything once more')
  await settle(world, lifetime)
  const verdict = await compare(world)
  const pauses = await measurePauses(world, kills)
  say(JSON.stringify({ soak: 'sync', minutes, seed, ...counts, ...verdict.figures, secondsToNextPage: pauses }))
  if (verdict.problems.length > 0)
    throw new CommandError(`The ledger is not what the platform has: ${verdict.problems.join('; ')}`)
}

/** One random event; changes are the most frequent, a crash of PostgreSQL the rarest. */
async function shake(world: OwnWorld, crew: Crew, random: Random, counts: Counts, kills: { what: string; at: Date }[]) {
  const dice = random.int(1, 100)
  if (dice <= 55) {
    changeUpstream(world, random)
    counts.changes += 1
  } else if (dice <= 85) {
    await tolerant(() => askForSync(world, random))
    counts.syncs += 1
  } else if (dice <= 94) {
    // one storm at a time: faults that nobody has hit pass, as they do in reality
    const { faults } = world.sandbox.state()
    faults.clear()
    const action = FAULTS[random.int(0, FAULTS.length - 1)] as FaultAction
    faults.add({ match: { path: '/api/v1/*' }, nth: random.int(1, 20), times: random.int(1, 3), action })
    counts.faults += 1
  } else if (dice <= 99) {
    const at = new Date()
    if (!crew.killOne(random.int(0, WORKERS - 1))) return
    kills.push({ what: 'worker', at })
    counts.workerKills += 1
  } else {
    kills.push({ what: 'database', at: new Date() })
    counts.databaseKills += 1
    await world.crashDatabase()
  }
}

function changeUpstream({ sandbox }: OwnWorld, random: Random): void {
  const state = sandbox.state()
  const account = state.requireAccount(ACCOUNT)
  const invoices = [...account.front, ...account.story, ...account.back]
  const invoice = invoices[random.int(0, invoices.length - 1)]
  const issuingDate = `2026-${String(random.int(1, 11)).padStart(2, '0')}-${String(random.int(1, 28)).padStart(2, '0')}`
  const what = random.int(1, 6)
  if (invoice === undefined || what === 1)
    state.issueInvoice(ACCOUNT, {
      issuingDate,
      lines: random.int(1, 6),
      position: random.int(0, 1) === 0 ? 'front' : 'back',
    })
  else if (what === 2)
    state.mutations.updateInvoice(account, invoice.serialNumber, {
      status: ['paid', 'unpaid', 'open'][random.int(0, 2)] as string,
    })
  else if (what === 3) state.mutations.updateInvoice(account, invoice.serialNumber, { issuing_date: issuingDate })
  else if (what === 4 && invoices.length > 50) state.mutations.removeInvoice(account, invoice.serialNumber)
  else {
    const id = invoice.lines.map(({ wire }) => wire.id).find((each) => typeof each === 'string')
    if (typeof id !== 'string') return
    if (what === 5) state.mutations.updateLine(account, id, { description: `Changed ${random.int(1, 1_000_000)}` })
    else state.mutations.removeLine(account, id)
  }
}

const KINDS: (SyncKind | undefined)[] = [undefined, 'changes', 'backfill', 'verification']

async function askForSync({ organizationId, connectionId }: OwnWorld, random: Random): Promise<void> {
  const dice = random.int(1, 20)
  if (dice === 1) await controlRun(organizationId, connectionId, 'pause')
  else if (dice === 2) await controlRun(organizationId, connectionId, 'cancel')
  else if (dice <= 5) await controlRun(organizationId, connectionId, 'resume')
  else {
    const kind = KINDS[random.int(0, KINDS.length - 1)]
    await requestSync(organizationId, connectionId, { trigger: 'manual', requestedBy: null, kind })
  }
}

/** A database that was just killed does not answer; the loop continues. */
async function tolerant(work: () => Promise<unknown>): Promise<void> {
  await work().catch((thrown: unknown) =>
    say(`  not now: ${thrown instanceof Error ? thrown.message : String(thrown)}`),
  )
}

/** `killOne` returns false when that worker has just ended and is not replaced yet. */
type Crew = { killOne: (at: number) => boolean }

/** Keeps this many workers running and replaces those that end, killed or not. */
function keepCrew(world: OwnWorld, lifetime: Lifetime, counts: Counts): Crew {
  const crew: ManagedProcess[] = []
  const killed = new Set<number>()
  const gone = new Set<number>()
  let isEnding = false
  const man = (at: number) => {
    const worker = world.startWorker()
    crew[at] = worker
    void worker.exited.then((how) => {
      gone.add(worker.pid)
      if (isEnding) return
      if (!killed.has(worker.pid)) {
        counts.ownExits += 1
        say(`  a worker ended by itself (${how}): ${lastLinesOf(join(world.folder, 'worker.log')).split('\n').at(-1)}`)
      }
      setTimeout(() => isEnding || man(at), 300)
    })
  }
  for (let at = 0; at < WORKERS; at++) man(at)
  lifetime.onEnd('workers', async (isForced) => {
    isEnding = true
    await Promise.all(crew.map((worker) => worker.stop(isForced)))
  })
  return {
    killOne: (at) => {
      const { pid } = crew[at] as ManagedProcess
      if (gone.has(pid) || killed.has(pid)) return false
      killed.add(pid)
      process.kill(pid, 'SIGKILL')
      return true
    },
  }
}

/** Lets running work end, then reads everything twice, accepting held losses in between. */
async function settle(world: OwnWorld, lifetime: Lifetime): Promise<void> {
  const { organizationId, connectionId, sandbox } = world
  sandbox.state().faults.clear()
  await controlRun(organizationId, connectionId, 'resume')
  await waitUntilIdle(world, lifetime)
  for (let time = 0; time < 2; time++) {
    await requestSync(organizationId, connectionId, { trigger: 'manual', requestedBy: null, kind: 'verification' })
    await waitUntilIdle(world, lifetime)
    const loss = await getOpenLoss(organizationId, connectionId)
    const figures = loss && (await previewLoss(organizationId, connectionId, loss.runId))
    if (loss && figures)
      await decideLoss(organizationId, connectionId, loss.runId, {
        decision: 'accepted',
        set: figures.set.hash,
        typed: figures.set.lineCount,
        actor: { kind: 'operator', name: 'npm run soak' },
      })
  }
}

async function waitUntilIdle({ connectionId }: OwnWorld, lifetime: Lifetime): Promise<void> {
  const deadline = Date.now() + 10 * 60_000
  while (Date.now() < deadline) {
    const underWay = await withSystemSql((sql) =>
      sql(`select from sync_run where connection_id = $1 and status in ${SQL_OPEN}`, [connectionId]),
    )
    if (underWay.length === 0) return
    await delay(200, undefined, { signal: lifetime.signal })
  }
  throw new CommandError('A sync did not come to its end within ten minutes.')
}

type Verdict = { figures: Record<string, number>; problems: string[] }

async function compare({ sandbox, connectionId }: OwnWorld): Promise<Verdict> {
  const account = sandbox.state().requireAccount(ACCOUNT)
  const upstream = pageOfLines(account, {}, 0, 1_000_000).items.map(toJson)
  const serials = pageOfInvoices(account, {}, null, 0, 1_000_000).items.map(({ serialNumber }) => serialNumber)
  return withSystemSql(async (sql) => {
    const read = (text: string) =>
      sql<{ value: string }>(text, [connectionId]).then((rows) => rows.map(({ value }) => value))
    const held = await read(
      `select p.raw::text as value from line l
       join line_payload p on p.connection_id = l.connection_id and p.line_id = l.id
       where l.connection_id = $1 and l.missing_since is null
       union all select raw from rejected_line where connection_id = $1 and list = 'lines' and resolved_at is null`,
    )
    const heldSerials = await read(
      'select serial_number as value from invoice where connection_id = $1 and missing_since is null',
    )
    const doubled = await read(
      `select id as value from (select id from line where connection_id = $1 and missing_since is null union all
         select record_id from rejected_line where connection_id = $1 and list = 'lines' and resolved_at is null and record_id is not null) ids
       group by id having count(*) > 1`,
    )
    const unsound = await read(
      `select r.id::text as value from sync_run r
       left join lateral (select coalesce(sum(received), 0) as received, coalesce(sum(inserted), 0) as inserted from sync_page p where p.run_id = r.id) p on true
       left join lateral (select coalesce(sum(received), 0) as received, coalesce(sum(inserted), 0) as inserted from sync_window w where w.run_id = r.id) w on true
       where r.connection_id = $1 and ((p.received, p.inserted) is distinct from (w.received, w.inserted)
         or p.received <> r.profiles_received + r.invoices_received + r.lines_received or p.inserted <> r.inserted)`,
    )
    const statuses = await sql<{ status: string; count: number }>(
      'select status, count(*)::int as count from sync_run where connection_id = $1 group by status order by status',
      [connectionId],
    )
    const [pages] = await read(
      'select count(*)::text as value from sync_page p join sync_run r on r.id = p.run_id where r.connection_id = $1',
    )
    const rolledUp = await listDifferencesNow(sql)
    const problems = [
      ...report('lines that the platform does not have', beyond(held, upstream)),
      ...report('lines that are not held', beyond(upstream, held)),
      ...report('invoices that the platform does not have', beyond(heldSerials, serials)),
      ...report('invoices that are not held', beyond(serials, heldSerials)),
      ...report('lines held twice', doubled),
      ...report('runs whose sums differ', unsound),
      ...report(
        'roll-up rows that differ from their lines',
        rolledUp.map(({ name, key, kept, computed }) => `${name} ${key}: ${kept}, not ${computed}`),
      ),
      ...(held.length === upstream.length ? [] : [`${held.length} lines held, ${upstream.length} upstream`]),
    ]
    const runs = Object.fromEntries(statuses.map(({ status, count }) => [`runs_${status}`, count]))
    const figures = {
      lines: held.length,
      invoices: heldSerials.length,
      pages: Number(pages),
      duplicates: doubled.length,
      ...runs,
    }
    return { figures, problems }
  })
}

function beyond(some: string[], others: string[]): string[] {
  const known = new Set(others)
  return some.filter((each) => !known.has(each))
}

function report(what: string, found: string[]): string[] {
  return found.length === 0 ? [] : [`${found.length} ${what}, such as ${found[0]?.slice(0, 200)}`]
}

/**
 * From each kill that hit a run to the next page that any worker committed: median and worst, in
 * seconds.
 */
async function measurePauses({ connectionId }: OwnWorld, kills: { what: string; at: Date }[]) {
  const pauses = new Map<string, number[]>()
  for (const { what, at } of kills) {
    const [row] = await withSystemSql((sql) =>
      sql<{ seconds: number | null }>(
        `select extract(epoch from min(p.committed_at) - $2)::float as seconds
         from sync_run r join sync_page p on p.organization_id = r.organization_id and p.run_id = r.id and p.committed_at > $2
         where r.connection_id = $1 and r.started_at < $2 and (r.finished_at is null or r.finished_at > $2)`,
        [connectionId, at],
      ),
    )
    if (row?.seconds != null) pauses.set(what, [...(pauses.get(what) ?? []), row.seconds])
  }
  return Object.fromEntries(
    [...pauses].map(([what, seconds]) => {
      const sorted = seconds.sort((a, b) => a - b)
      const round = (value: number | undefined) => Number((value ?? 0).toFixed(2))
      return [
        what,
        { kills: sorted.length, median: round(sorted[Math.floor(sorted.length / 2)]), worst: round(sorted.at(-1)) },
      ]
    }),
  )
}
