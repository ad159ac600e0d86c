/** Writes pages to the page ledger, and remembers them to recognize them next time. */
import type { Sql } from '#lib/db/tenant.ts'
import { OperationalError } from '#lib/errors.ts'
import { isAnyTouched, keepKnownPages } from '#lib/ledger/kept/known-pages/known-pages.ts'
import type { ClaimedRun, PageCounts, SyncList } from '../model.ts'
import { change } from '../runs/run-store.ts'
import type { GroupedPage } from './parse-page.ts'

export type PagesToWrite = {
  list: SyncList
  windowNumber: number
  pass: number
  /** Where the window's known pages are kept (`placeOf`). */
  place: string | null
  /** In reading order. */
  pages: readonly GroupedPage[]
  /** The counts of the pages, added up. */
  sum: PageCounts
  /** The record offset after the last page. */
  next: number
}

const LEDGER_COLUMNS = `page_offset integer, reported_total integer, received integer, inserted integer, updated integer,
  unchanged integer, duplicate integer, rejected integer, key_hashes text`

/**
 * Writes pages to the page ledger and advances the run's counters, in the pages' transaction.
 * Progress resets the run's attempts.
 * @throws OperationalError sync-outdated when a page taken as known no longer is.
 */
export async function writePageLedger(sql: Sql, run: ClaimedRun, group: PagesToWrite, leaseMs: number): Promise<void> {
  const { pass, sum } = group
  await writeOpened(sql, run, group)
  await writeKnown(sql, run, group)
  await change(
    sql,
    run,
    `${group.list}_received = ${group.list}_received + $4,
     inserted = inserted + $5, updated = updated + $6, unchanged = unchanged + $7, duplicate = duplicate + $8,
     rejected = rejected + $9, pass = $10, cursor_offset = $11, attempts = 0, error_code = null, error_text = null,
     lease_until = now() + $12 * interval '1 millisecond'`,
    [sum.received, sum.inserted, sum.updated, sum.unchanged, sum.duplicate, sum.rejected, pass, group.next, leaseMs],
  )
}

async function writeOpened(sql: Sql, run: ClaimedRun, group: PagesToWrite): Promise<void> {
  const pages = group.pages.filter(({ isKnown }) => !isKnown)
  if (pages.length === 0) return
  const rows = pages.map(({ offset, total, keys, counts }) => ({
    page_offset: offset,
    reported_total: total,
    ...counts,
    key_hashes: `{${keys.join(',')}}`,
  }))
  await sql(
    `insert into sync_page (organization_id, run_id, window_number, list, pass, page_offset, reported_total, received, inserted,
       updated, unchanged, duplicate, rejected, key_hashes)
     select $1::uuid, $2::uuid, $3::integer, $4, $5::integer, page_offset, reported_total, received, inserted, updated, unchanged,
       duplicate, rejected, key_hashes::bigint[]
     from json_to_recordset($6::json) as page (${LEDGER_COLUMNS})
     returning 1`,
    [run.organizationId, run.id, group.windowNumber, group.list, group.pass, JSON.stringify(rows)],
  )
  if (group.place === null) return
  const toKnow = pages.flatMap((page) => (page.asOf === null ? [] : { ...page, asOf: page.asOf }))
  await keepKnownPages(sql, run, group.place, toKnow)
}

/** Copies known pages within the database: their keys need not travel. */
async function writeKnown(sql: Sql, run: ClaimedRun, group: PagesToWrite): Promise<void> {
  const pages = group.pages.filter(({ isKnown }) => isKnown)
  const since = pages[0]?.asOf
  if (!since) return
  if (await isAnyTouched(sql, run, since, () => pages.flatMap((page) => page.keys)))
    throw new OperationalError('sync-outdated', `a line of ${pages.length} known pages was touched`)
  const rows = pages.map(({ offset, bodyHash, counts }) => ({
    page_offset: offset,
    body_hash: bodyHash,
    duplicate: counts.duplicate,
  }))
  const recorded = await sql(
    `insert into sync_page (organization_id, run_id, window_number, list, pass, page_offset, reported_total, received, inserted,
       updated, unchanged, duplicate, rejected, key_hashes)
     select $1::uuid, $2::uuid, $3::integer, $4, $5::integer, page_offset, k.reported_total, cardinality(k.key_hashes), 0,
       0, cardinality(k.key_hashes) - page.duplicate, page.duplicate, 0, k.key_hashes
     from json_to_recordset($6::json) as page (page_offset integer, body_hash text, duplicate integer)
     join known_page k using (page_offset)
     where k.organization_id = $1::uuid and k.connection_id = $7::uuid and k.place = $8
       and k.page_offset between $9 and $10 and k.body_hash = decode(page.body_hash, 'hex')
     returning 1`,
    [
      run.organizationId,
      run.id,
      group.windowNumber,
      group.list,
      group.pass,
      JSON.stringify(rows),
      run.connectionId,
      group.place,
      rows[0]?.page_offset,
      rows.at(-1)?.page_offset,
    ],
  )
  if (recorded.length < pages.length)
    throw new OperationalError('sync-outdated', `${pages.length - recorded.length} known pages are not known any more`)
}
