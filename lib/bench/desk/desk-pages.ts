/** The pages of the desk, and the time that each takes to its last byte. */

import { CommandError } from '#lib/cli/run/command-error.ts'
import { withSystemSql } from '#lib/db/tenant.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'

const PAGE_SIZE = 50

export type DeskPage = { name: string; address: string }

/** Whose pages: the connection, and what its ledger has. */
export type Ledger = { connectionId: ConnectionId; invoice: string; amount: string; trip: string }

/** @throws CommandError before a line of a trip is there. */
export async function readLedger(organizationId: OrganizationId, connectionId: ConnectionId): Promise<Ledger> {
  const [row] = await withSystemSql((sql) =>
    sql<{ invoice: string; amount: string; trip: string }>(
      `select invoice_serial_number as invoice, total_amount::text as amount, trip_id as trip from line
       where organization_id = $1 and connection_id = $2 and trip_id is not null order by id limit 1`,
      [organizationId, connectionId],
    ),
  )
  if (row === undefined) throw new CommandError('The ledger has no line of a trip yet.')
  return { connectionId, ...row }
}

/** `lines`: how many it has, or will have. */
export function listPages({ connectionId, invoice, amount, trip }: Ledger, lines: number): DeskPage[] {
  const search = (words: Record<string, string>) => `?${new URLSearchParams(words)}`
  return [
    { name: 'overview', address: '/' },
    { name: 'lines', address: '/lines' },
    { name: 'lines, the middle of the list', address: `/lines?page=${Math.ceil(lines / PAGE_SIZE / 2)}` },
    { name: 'lines by amount', address: '/lines?sort=-total_amount' },
    { name: 'lines by trip', address: '/lines?sort=trip' },
    {
      name: 'lines of a vertical and cost center',
      address: `/lines${search({ vertical: 'hotel', cost_center: '4010 Department 1' })}`,
    },
    { name: 'lines of 74 days', address: '/lines?from=2026-03-05&to=2026-05-17' },
    { name: 'lines with findings', address: '/lines?findings=1' },
    { name: 'lines, searched, many found', address: '/lines?q=lisbon' },
    { name: 'lines, searched, few found', address: '/lines?q=lisbon+1234' },
    { name: 'lines of an exact amount', address: `/lines${search({ q: amount })}` },
    { name: 'lines, words in any order', address: `/lines${search({ q: '1 trip item lisbon 1234' })}` },
    {
      name: 'lines, words without their accents, and a currency',
      address: `/lines${search({ q: 'départment hôtel CHF' })}`,
    },
    { name: 'lines of a range, many found', address: `/lines${search({ q: '300-320' })}` },
    { name: 'lines of a range, some found', address: `/lines${search({ q: '301.00-301.20' })}` },
    { name: 'lines of a range, none found', address: `/lines${search({ q: '>5000' })}` },
    { name: 'lines of a card and a vendor', address: `/lines${search({ q: '4242 "vendor 7"' })}` },
    {
      name: 'lines of a serial number without dashes',
      address: `/lines${search({ q: invoice.replaceAll('-', '').toLowerCase() })}`,
    },
    { name: 'invoices, searched', address: `/invoices${search({ q: 'nordlicht sarl 01' })}` },
    { name: 'groups by trip', address: '/groups' },
    { name: 'groups by cost center', address: '/groups?by=cost_center' },
    { name: 'groups by vertical', address: '/groups?by=vertical' },
    { name: 'groups by trip within a vertical', address: '/groups?by=trip&vertical=hotel' },
    { name: 'groups by month of expense', address: '/groups?by=month' },
    { name: 'groups by month of issue', address: '/groups?by=month_issued' },
    { name: 'groups by tax rate, then month', address: '/groups?by=tax_percentage,month' },
    { name: 'groups by service, then vertical', address: '/groups?by=service,vertical' },
    { name: 'groups by invoice', address: '/groups?by=invoice' },
    { name: 'groups by vendor', address: '/groups?by=vendor' },
    { name: 'groups by traveler', address: '/groups?by=traveler' },
    { name: 'groups by label of a quarter', address: '/groups?by=label&period=2026-Q1' },
    { name: 'matrix of cost centers by month', address: '/groups?by=cost_center&across=month' },
    { name: 'matrix of cost centers by vertical', address: '/groups?by=cost_center&across=vertical' },
    { name: 'matrix of verticals by month of issue', address: '/groups?by=vertical&across=month_issued' },
    { name: 'matrix of tax regimes by month, lines', address: '/groups?by=tax_regime&across=month&measure=lines' },
    { name: 'matrix of trips by month of issue', address: '/groups?across=month_issued' },
    {
      name: 'matrix of a quarter, against the one before',
      address: '/groups?by=cost_center&across=month_issued&period=2026-Q1&against=before',
    },
    { name: 'matrix of tax by month', address: '/groups?by=cost_center&across=month&measure=tax' },
    { name: 'invoices', address: '/invoices' },
    { name: 'invoices with missing lines', address: '/invoices?finding=lines_missing' },
    { name: 'an invoice', address: `/invoices/${connectionId}/${encodeURIComponent(invoice)}` },
    { name: 'a trip', address: `/trips/${encodeURIComponent(trip)}` },
    { name: 'overview of a quarter', address: '/?period=2026-Q1' },
    { name: 'lines of a quarter', address: '/lines?period=2026-Q1' },
    { name: 'groups of a quarter', address: '/groups?period=2026-Q1' },
    { name: 'invoices of a quarter', address: '/invoices?period=2026-Q1' },
    { name: 'changes', address: '/changes' },
    { name: 'close', address: '/close' },
    { name: 'overview of a month', address: '/?period=2026-01' },
    { name: 'checks', address: '/checks' },
    { name: 'rejected', address: '/rejected' },
    { name: 'connections', address: '/connections' },
    { name: 'a connection', address: `/connections/${connectionId}` },
    { name: 'coverage', address: `/connections/${connectionId}/coverage` },
  ]
}

/**
 * Milliseconds to the last byte of each page, `rounds` times each, in turns.
 * @throws CommandError when a page is not the page.
 */
export async function timePages(
  url: string,
  cookie: string,
  pages: readonly DeskPage[],
  rounds: number,
): Promise<Map<string, number[]>> {
  const times = new Map<string, number[]>(pages.map(({ name }) => [name, []]))
  for (let round = 0; round < rounds; round++)
    for (const page of pages) times.get(page.name)?.push(await timePage(url, cookie, page))
  return times
}

async function timePage(url: string, cookie: string, { name, address }: DeskPage): Promise<number> {
  const begin = performance.now()
  const reply = await fetch(url + address, { headers: { cookie }, redirect: 'manual' })
  const html = await reply.text()
  const ms = performance.now() - begin
  if (!isWholePage(reply.status, html))
    throw new CommandError(`The page "${name}" was answered with ${reply.status}, ${html.length} characters.`)
  return ms
}

/** A page that fails after its first bytes has status 200 and says so inside. */
export function isWholePage(status: number, html: string): boolean {
  return status === 200 && html.includes('</html>') && !html.includes('data-dgst=')
}

/** The value that 95 of 100 do not exceed, of at least one. */
export function percentile95(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.ceil(sorted.length * 0.95) - 1] as number
}
