/**
 * A run's windows, in SQL. Changes happen under the run's fence: they fail once another worker has
 * taken over.
 */
import { type Sql, withTenantSql } from '#lib/db/tenant.ts'
import type { ClaimedRun, PageCounts, SyncList, SyncWindow, WindowScope } from '../model.ts'
import { change, holdRun } from '../runs/run-store.ts'
import { readsEverything } from './window-range.ts'

const COLUMNS = `number, list, issued_from as "issuedFrom", issued_upto as "issuedUpto", invoice_status as "invoiceStatus",
  serial_number as "serialNumber", may_split as "maySplit", pass, cursor_offset as "cursorOffset"`

export function wholeList(list: SyncList): WindowScope {
  return { list, issuedFrom: null, issuedUpto: null, invoiceStatus: null, serialNumber: null }
}

/**
 * The window to read next: the one being read, else the newest waiting, invoices before their
 * lines; null if none is left. Marks it as being read and shows it as the run's phase. Lines read
 * after their invoice are as new as it; those read before would be due again.
 */
export function takeWindow(run: ClaimedRun): Promise<SyncWindow | null> {
  return withTenantSql(run.organizationId, async (sql) => {
    const [window] = await sql<SyncWindow>(
      `update sync_window set state = 'reading', started_at = least(started_at, now())
       where organization_id = $1 and run_id = $2 and number = (
         select number from sync_window where organization_id = $1 and run_id = $2 and state in ('reading', 'waiting')
         order by state = 'reading' desc, list = 'profiles' desc, coalesce(issued_upto, 'infinity') desc,
                  coalesce(issued_from, '-infinity') desc, list, number
         limit 1)
       returning ${COLUMNS}`,
      [run.organizationId, run.id],
    )
    if (window === undefined) return null
    await change(sql, run, 'phase = $4, pass = $5, cursor_offset = $6', [window.list, window.pass, window.cursorOffset])
    return window
  })
}

/** Adds windows after the run's others, in the caller's transaction. */
export async function addWindows(
  sql: Sql,
  run: ClaimedRun,
  scopes: readonly WindowScope[],
  { maySplit = true }: { maySplit?: boolean } = {},
): Promise<void> {
  if (scopes.length === 0) return
  await sql(
    `insert into sync_window (organization_id, run_id, number, list, issued_from, issued_upto, invoice_status, serial_number, may_split)
     select $1::uuid, $2::uuid,
            coalesce((select max(number) from sync_window where organization_id = $1 and run_id = $2), 0) + w.n,
            w.s->>'list', (w.s->>'issuedFrom')::date, (w.s->>'issuedUpto')::date, w.s->>'invoiceStatus', w.s->>'serialNumber', $4
     from json_array_elements($3::json) with ordinality as w (s, n)
     returning 1`,
    [run.organizationId, run.id, JSON.stringify(scopes), maySplit],
  )
}

/**
 * Replaces a window that is too long by its parts, or by none for now. `total` is the count of the
 * whole window.
 */
export function splitWindow(
  run: ClaimedRun,
  window: SyncWindow,
  parts: readonly WindowScope[],
  total: number,
): Promise<void> {
  return withTenantSql(run.organizationId, async (sql) => {
    await holdRun(sql, run)
    await setWindow(sql, run, window.number, `state = 'split', expected = $4, completed_at = now()`, [total])
    await addWindows(sql, run, parts)
    if (isWhole(window) && readsEverything(run.kind)) await expectTotal(sql, run, window.list, total)
    if (parts.length === 0) await expectTotal(sql, run, window.list, 0)
  })
}

/** Marks a window as read to its end, completely. */
export function completeWindow(run: ClaimedRun, number: number, total: number | null): Promise<void> {
  return withTenantSql(run.organizationId, async (sql) => {
    await holdRun(sql, run)
    const set = `state = 'complete', completed_at = now(), expected = coalesce($4, expected)`
    await setWindow(sql, run, number, set, [total])
  })
}

/** Sets a window back to its start, for another reading. */
export function rereadWindow(run: ClaimedRun, number: number, pass: number): Promise<void> {
  return withTenantSql(run.organizationId, async (sql) => {
    await holdRun(sql, run)
    const set = `state = case when state = 'reading' then state else 'waiting' end, pass = $4, cursor_offset = 0`
    await setWindow(sql, run, number, set, [pass])
    await change(sql, run, 'pass = $4, cursor_offset = 0', [pass])
  })
}

/** Moves the window's cursor to `offset` and its counters past pages, in the pages' transaction. */
export async function moveWindow(
  sql: Sql,
  run: ClaimedRun,
  number: number,
  page: { pass: number; offset: number; total: number | null; counts: PageCounts },
): Promise<void> {
  const { counts } = page
  await setWindow(
    sql,
    run,
    number,
    `pass = $4, cursor_offset = $5, expected = coalesce($6, expected), received = received + $7, inserted = inserted + $8,
     updated = updated + $9, unchanged = unchanged + $10, duplicate = duplicate + $11, rejected = rejected + $12`,
    [
      page.pass,
      page.offset,
      page.total,
      counts.received,
      counts.inserted,
      counts.updated,
      counts.unchanged,
      counts.duplicate,
      counts.rejected,
    ],
  )
}

export type ReadWindow = SyncWindow & { state: 'waiting' | 'reading' | 'complete' | 'split'; expected: number | null }

/** All windows of the run, oldest first. */
export async function listWindows(sql: Sql, run: Pick<ClaimedRun, 'organizationId' | 'id'>): Promise<ReadWindow[]> {
  return sql<ReadWindow>(
    `select ${COLUMNS}, state, expected from sync_window where organization_id = $1 and run_id = $2 order by number`,
    [run.organizationId, run.id],
  )
}

/** Shows how many records of a list to expect, when the list states it. */
export function expectTotal(sql: Sql, run: ClaimedRun, list: SyncList, total: number): Promise<void> {
  return change(sql, run, `${list}_expected = $4`, [total])
}

/** Shows how many records of a list to expect, as the sum of its windows so far. */
export function expectSumOfWindows(sql: Sql, run: ClaimedRun, list: SyncList): Promise<void> {
  const sum = `select sum(expected) from sync_window w
    where w.organization_id = $1 and w.run_id = $2 and w.list = $4 and w.state <> 'split'`
  return change(sql, run, `${list}_expected = (${sum})`, [list])
}

export function isWhole(scope: WindowScope): boolean {
  return (
    scope.issuedFrom === null &&
    scope.issuedUpto === null &&
    scope.invoiceStatus === null &&
    scope.serialNumber === null
  )
}

/** `assignments` is SQL from this module; its values start at $4. */
async function setWindow(sql: Sql, run: ClaimedRun, number: number, assignments: string, values: unknown[]) {
  await sql(`update sync_window set ${assignments} where organization_id = $1 and run_id = $2 and number = $3`, [
    run.organizationId,
    run.id,
    number,
    ...values,
  ])
}
