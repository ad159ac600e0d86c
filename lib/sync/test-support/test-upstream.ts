import { expect } from 'vitest'
import type { ConnectionId } from '#lib/ids.ts'
import { listRollupDifferences } from '#lib/ledger/test-support/rollup-differences.ts'
import { pageOfInvoices, pageOfLines } from '#lib/sandbox/data/account.ts'
import { toJson } from '#lib/sandbox/data/wire/json.ts'
import type { SyncWorld } from './seed.ts'

/** What the platform has now: its own list, asked directly. */
export function upstreamOf({ sandbox }: SyncWorld, accountId: string) {
  const account = sandbox.state().requireAccount(accountId)
  const lines = pageOfLines(account, {}, 0, 1_000_000).items.map(toJson)
  const serialNumbers = pageOfInvoices(account, {}, null, 0, 1_000_000).items.map((invoice) => invoice.serialNumber)
  return { lines: lines.sort(), serialNumbers: serialNumbers.sort() }
}

/**
 * Expects exactly the platform's lines and invoices: each once, byte for byte, with the same sums,
 * also in the roll-ups. Accounts of the tests before were looked at by these.
 */
export async function expectUpstream(world: SyncWorld, connectionId: ConnectionId, account: string): Promise<void> {
  const { database, sandbox } = world
  const upstream = upstreamOf(world, account)
  const lines = await database.query<{ raw: string }>(
    // a record without its line would be one too many
    `select p.raw::text as raw from line_payload p
     left join line l on l.organization_id = p.organization_id and l.connection_id = p.connection_id and l.id = p.line_id
     where p.connection_id = $1 and l.missing_since is null
     union all select raw from rejected_line where connection_id = $1 and list = 'lines' and resolved_at is null`,
    [connectionId],
  )
  const stored = lines.map(({ raw }) => raw).sort()
  // a short comparison first: a difference between two thousand-line lists helps nobody
  expect({ extra: listBeyond(stored, upstream.lines), lost: listBeyond(upstream.lines, stored) }).toEqual(NOTHING)
  expect(stored.length).toBe(upstream.lines.length)
  const invoices = await database.query<{ serial_number: string }>(
    'select serial_number from invoice where connection_id = $1 and missing_since is null',
    [connectionId],
  )
  expect(invoices.map((row) => row.serial_number).sort()).toEqual(upstream.serialNumbers)
  expect(await listRollupDifferences(database.query, connectionId)).toEqual([])
  const totals = await sandbox.controlTotals(account)
  const sums = await database.query<{ currency: string; lines: number; total: string; findings: number }>(
    `select currency, count(*)::int as lines, sum(total_amount)::text as total, sum(finding_count)::int as findings
     from line where connection_id = $1 and missing_since is null group by currency order by currency`,
    [connectionId],
  )
  expect(sums.map((sum) => ({ ...sum, total: trim(sum.total) }))).toEqual(
    totals.currencies.map(({ currency, lineCount, totalAmount, findingCount }) => ({
      currency,
      lines: lineCount,
      total: trim(totalAmount),
      findings: findingCount,
    })),
  )
}

const NOTHING = { extra: [], lost: [] }

function listBeyond(some: string[], others: string[]): string[] {
  const known = new Set(others)
  const facts = /"(?:id|invoice_serial_number|invoice_status|issuing_date|description)":("[^"]*"|[^,]*)/g
  return some.filter((raw) => !known.has(raw)).map((raw) => [...raw.matchAll(facts)].map(([fact]) => fact).join(' '))
}

/** The same figure without trailing zeros. */
function trim(amount: string): string {
  return amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount
}

/** The data calls the sandbox has answered since its log was cleared: path and query. */
export function dataCalls({ sandbox }: SyncWorld) {
  return sandbox
    .state()
    .calls.list()
    .filter(({ path }) => path.startsWith('/api/v1/'))
    .map(({ path, query, status, fault }) => ({
      list: path.slice('/api/v1'.length),
      offset: Number(new URLSearchParams(query).get('offset')),
      status,
      fault,
    }))
}
