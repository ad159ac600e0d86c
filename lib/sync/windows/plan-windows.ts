import { type Sql, withTenantSql } from '#lib/db/tenant.ts'
import { gatherSeen, keyOf } from '#lib/ledger/apply/mark-missing.ts'
import type { ClaimedRun, SyncList, SyncWindow, WindowScope } from '../model.ts'
import { change, holdRun } from '../runs/run-store.ts'
import { toScope } from './complete-scope.ts'
import { listDaysOfLines, listDue, listVoided } from './due-lines.ts'
import { planLines } from './plan-lines.ts'
import { dayBefore, daysBefore, halveRange, monthOf, readsEverything } from './window-range.ts'
import { addWindows, isWhole, listWindows, type ReadWindow, wholeList } from './window-store.ts'

/** Statuses in which an invoice may still change, so old ones are asked for too (assumption 16). */
const OPEN_STATUSES = ['draft', 'open', 'unpaid']
/** From this many changed invoices in a month the whole month is read, below it each invoice. */
const INVOICES_THAT_MAKE_A_MONTH = 5

/**
 * Plans a new run's first windows: each list as a whole, or none for a run that follows hints.
 * Plans what is left of a run that was asked for more while it was under way.
 */
export function planRun(run: ClaimedRun): Promise<void> {
  return withTenantSql(run.organizationId, async (sql) => {
    await holdRun(sql, run)
    const windows = await listWindows(sql, run)
    if (windows.some(({ list }) => list === 'profiles')) return addLinesOfLookBack(sql, run, windows)
    if (run.kind === 'invoices') return
    await addWindows(sql, run, [wholeList('profiles'), wholeList('invoices'), wholeList('lines')])
  })
}

/** What a run that set out to read changes only has left out, once it is to read all lines. */
async function addLinesOfLookBack(sql: Sql, run: ClaimedRun, windows: readonly ReadWindow[]): Promise<void> {
  if (run.kind !== 'incremental') return
  const lines = windows.filter(({ list }) => list === 'lines')
  if (!lines.some((window) => isWhole(window) && window.state === 'split')) return
  const lookBackFrom = await readLookBack(sql, run)
  // only the parts of the look-back window name a status
  const isPlanned = lines.some(({ invoiceStatus }) => invoiceStatus !== null)
  if (lookBackFrom !== null && !isPlanned) await addWindows(sql, run, toLookBackParts('lines', lookBackFrom))
}

/** Whether a window could be replaced by parts of it. */
export function canSplit(run: ClaimedRun, window: SyncWindow, now: Date): boolean {
  if (!window.maySplit || window.list === 'profiles' || window.serialNumber !== null) return false
  return (readsLookBack(run) && isWhole(window)) || halveRange(window, toDay(now)) !== null
}

/** Whether a long list is read in the look-back window and per open status only. */
function readsLookBack({ kind }: ClaimedRun): boolean {
  return kind === 'incremental' || kind === 'changes'
}

/**
 * The parts that replace a window that is too long: halves, cut between months. A run that looks
 * back splits a whole list into what was issued within the look-back window and, per open status,
 * everything older; of a list of lines, one that reads changes takes nothing yet.
 */
export async function planParts(
  run: ClaimedRun,
  window: SyncWindow,
  { now, lookBackDays }: { now: Date; lookBackDays: number },
): Promise<WindowScope[]> {
  const { list } = window
  if (readsLookBack(run) && isWhole(window)) {
    const lookBackFrom = await setLookBack(run, daysBefore(now, lookBackDays))
    return run.kind === 'changes' && list === 'lines' ? [] : toLookBackParts(list, lookBackFrom)
  }
  const halves = halveRange(window, toDay(now)) ?? []
  return halves.map((range) => ({ ...wholeList(list), invoiceStatus: window.invoiceStatus, ...range }))
}

function toLookBackParts(list: SyncList, lookBackFrom: string): WindowScope[] {
  const older = OPEN_STATUSES.map((invoiceStatus) => ({
    ...wholeList(list),
    issuedUpto: dayBefore(lookBackFrom),
    invoiceStatus,
  }))
  return [{ ...wholeList(list), issuedFrom: lookBackFrom }, ...older]
}

/** Both lists look back to the same day, even if midnight falls between them. */
function setLookBack(run: ClaimedRun, day: string): Promise<string> {
  return withTenantSql(run.organizationId, async (sql) => {
    await change(sql, run, 'look_back_from = coalesce(look_back_from, $4::date)', [day])
    return (await readLookBack(sql, run)) ?? day
  })
}

async function readLookBack(sql: Sql, run: ClaimedRun): Promise<string | null> {
  const [row] = await sql<{ day: string | null }>(
    'select look_back_from as day from sync_run where organization_id = $1 and id = $2',
    [run.organizationId, run.id],
  )
  return row?.day ?? null
}

/**
 * Adds windows for what the others left open: invoices no longer under their old status, the lines
 * of invoices that are new or have changed, at `pageSize` lines a call, and invoices the platform
 * hinted at meanwhile. True when windows were added.
 */
export function addFollowUps(run: ClaimedRun, pageSize: number): Promise<boolean> {
  return withTenantSql(run.organizationId, async (sql) => {
    await holdRun(sql, run)
    const windows = await listWindows(sql, run)
    const lookBackFrom = readsEverything(run.kind) ? null : await readLookBack(sql, run)
    const added: WindowScope[] = []
    const lines: WindowScope[] = []
    if (lookBackFrom !== null) {
      added.push(...toFollowUps('invoices', windows, await listVanished(sql, run, lookBackFrom)))
      // lines repeat the invoice header: ask for them once the header is known
      if (added.length === 0) lines.push(...(await planDueLines(sql, run, windows, pageSize)))
    }
    added.push(...(await followHints(sql, run)))
    await addWindows(sql, run, added)
    // cut to what is least to read: nothing is won by cutting them again
    await addWindows(sql, run, lines, { maySplit: false })
    return added.length > 0 || lines.length > 0
  })
}

/** The lines of invoices with news, and of those this run should have met and has not. */
async function planDueLines(
  sql: Sql,
  run: ClaimedRun,
  windows: readonly ReadWindow[],
  pageSize: number,
): Promise<WindowScope[]> {
  const scope = toScope('invoices', windows)
  // once a run, whatever happens to the clock: only these windows cannot be split
  const followed = windows.filter(({ maySplit }) => !maySplit)
  const due = (await listDue(sql, run)).filter(
    (invoice) => !followed.some((window) => covers(window, 'lines', invoice)),
  )
  const named = new Set(due.map(({ serialNumber }) => serialNumber))
  const voided = (await listVoided(sql, run, scope)).filter(
    (invoice) => !named.has(invoice.serialNumber) && !windows.some((window) => covers(window, 'lines', invoice)),
  )
  const all = [...due, ...voided]
  return all.length === 0 ? [] : planLines(all, await listDaysOfLines(sql, run, scope, all), pageSize)
}

type OldInvoice = { serialNumber: string; issuingDate: string | null }

/** Old, unpaid invoices that this run has not met: they changed or are gone. */
async function listVanished(sql: Sql, run: ClaimedRun, lookBackFrom: string): Promise<OldInvoice[]> {
  const seen = await gatherSeen(sql, 'invoices', { ...run, runId: run.id })
  return sql<OldInvoice>(
    `select i.serial_number as "serialNumber", i.issuing_date as "issuingDate" from invoice i
     left join ${seen} seen on seen.key = ${keyOf('i.serial_number')}
     where i.organization_id = $1 and i.connection_id = $2 and i.missing_since is null and i.status is distinct from 'paid'
       and (i.issuing_date is null or i.issuing_date < $3)
       and seen.key is null
     order by i.serial_number`,
    [run.organizationId, run.connectionId, lookBackFrom],
  )
}

/**
 * Windows for the invoices no window of the list covers: whole months where there are many, else
 * each one.
 */
function toFollowUps(list: SyncList, windows: readonly ReadWindow[], invoices: readonly OldInvoice[]): WindowScope[] {
  const open = invoices.filter((invoice) => !windows.some((window) => covers(window, list, invoice)))
  const byMonth = new Map<string, OldInvoice[]>()
  for (const invoice of open) {
    const month = invoice.issuingDate?.slice(0, 7) ?? ''
    byMonth.set(month, [...(byMonth.get(month) ?? []), invoice])
  }
  return [...byMonth.values()].flatMap((group): WindowScope[] => {
    const day = group[0]?.issuingDate ?? null
    if (day !== null && group.length >= INVOICES_THAT_MAKE_A_MONTH) return [{ ...wholeList(list), ...monthOf(day) }]
    return group.map(({ serialNumber }) => ({ ...wholeList(list), serialNumber }))
  })
}

function covers(window: ReadWindow, list: SyncList, { serialNumber, issuingDate }: OldInvoice): boolean {
  if (window.list !== list || window.state === 'split' || window.invoiceStatus !== null) return false
  if (window.serialNumber !== null) return window.serialNumber === serialNumber
  if (isWhole(window)) return true
  if (issuingDate === null) return false
  const { issuedFrom, issuedUpto } = window
  return (issuedFrom === null || issuedFrom <= issuingDate) && (issuedUpto === null || issuingDate <= issuedUpto)
}

/** Windows for the invoices the platform hinted at since this run last looked. */
async function followHints(sql: Sql, run: ClaimedRun): Promise<WindowScope[]> {
  const hints = await sql<{ serialNumber: string; isRead: boolean }>(
    `select h.serial_number as "serialNumber",
            exists (select from sync_window w where w.organization_id = h.organization_id and w.run_id = $3
                      and w.serial_number = h.serial_number and w.created_at > h.received_at) as "isRead"
     from sync_hint h where h.organization_id = $1 and h.connection_id = $2 and h.handled_at is null
     order by h.serial_number limit 500`,
    [run.organizationId, run.connectionId, run.id],
  )
  return hints
    .filter(({ isRead }) => !isRead)
    .flatMap(({ serialNumber }) => [
      { ...wholeList('invoices'), serialNumber },
      { ...wholeList('lines'), serialNumber },
    ])
}

function toDay(now: Date): string {
  return daysBefore(now, 0)
}
