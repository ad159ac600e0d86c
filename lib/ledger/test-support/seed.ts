/** Organizations, accounts and lines for tests, created through the product's own functions. */

import { createHash } from 'node:crypto'
import type { Actor } from '#lib/audit/model.ts'
import { personOf } from '#lib/audit/test-support/test-actor.ts'
import { type Sql, withTenantSql } from '#lib/db/tenant.ts'
import { hashText } from '#lib/hash-text.ts'
import type { ConnectionId, OrganizationId, UserId } from '#lib/ids.ts'
import type { Day } from '#lib/reconcile/day.ts'
import { parseDay } from '#lib/reconcile/day.ts'
import { listLineNotes } from '#lib/reconcile/line-notes.ts'
import { proveLine } from '#lib/reconcile/line-proof.ts'
import { type DecimalText, parseDecimal } from '#lib/reconcile/money.ts'
import { explainLine } from '#lib/reconcile/reasons/explain-line.ts'
import {
  type InvoiceRecord,
  LINE_FIELDS,
  type LineRecord,
  type ProfileRecord,
  type ProvedLine,
  type RecordField,
} from '#lib/reconcile/records.ts'
import { applyPackedInvoices, applyPackedProfiles } from '../apply/apply-invoices.ts'
import { applyPackedLines } from '../apply/apply-lines.ts'
import type { WrittenOfPart } from '../apply/apply-records.ts'
import type { ApplyTarget } from '../apply/apply-target.ts'
import { createPacker, createRecordFormatter, type PackedRecords } from '../apply/format-records.ts'
import { INVOICES, PROFILES } from '../apply/invoice-target.ts'
import { LINES } from '../apply/line-target.ts'
import type { RowMark } from '../sql/row-mark.ts'

type Query = <Row extends Record<string, unknown>>(text: string, values?: unknown[]) => Promise<Row[]>

/** An organization with one admin; `query` is the test database's. */
export async function seedOrganization(
  query: Query,
  name = 'Acme',
): Promise<{ organizationId: OrganizationId; userId: UserId }> {
  const [organization] = await query<{ id: string }>('insert into organization (name) values ($1) returning id', [name])
  const organizationId = organization?.id as string
  const email = `admin-${organizationId.slice(0, 8)}@example.com`
  const [user] = await query<{ id: string }>(
    `insert into app_user (organization_id, email, name, role) values ($1, $2, 'Ada Admin', 'admin') returning id`,
    [organizationId, email],
  )
  return { organizationId, userId: user?.id as string }
}

/** Somebody of an organization, as who decides and signs is handed on. */
export type SeededPerson = { id: UserId; actor: Actor; name: string; role: string }

/** One more person. */
export async function seedPerson(
  query: Query,
  organizationId: OrganizationId,
  { name, role }: { name: string; role: string },
): Promise<SeededPerson> {
  const email = `${name.toLowerCase()}-${organizationId}@example.com`
  const [user] = await query<{ id: UserId }>(
    'insert into app_user (organization_id, email, name, role) values ($1, $2, $3, $4) returning id',
    [organizationId, email, name, role],
  )
  const id = user?.id as UserId
  return { id, actor: personOf(id), name, role }
}

/** An organization with an account and two people: Ada Admin, and Ben of a role. */
export async function seedTwoPeople(query: Query, role = 'admin') {
  const owner = await seedOrganization(query)
  const { organizationId, userId: id } = owner
  const connectionId = await seedConnection(query, owner)
  const ada: SeededPerson = { id, actor: personOf(id), name: 'Ada Admin', role: 'admin' }
  return { organizationId, connectionId, ada, ben: await seedPerson(query, organizationId, { name: 'Ben', role }) }
}

/** A connected account of the organization; resolves to its id. */
export async function seedConnection(
  query: Query,
  owner: { organizationId: OrganizationId; userId: UserId },
  name: string | null = 'Acme Europe',
): Promise<ConnectionId> {
  const [connection] = await query<{ id: ConnectionId }>(
    `insert into connection (organization_id, name, state, scopes_asked, created_by, connected_at)
     values ($1, $2, 'active', 'expenses:read', $3, now()) returning id`,
    [owner.organizationId, name, owner.userId],
  )
  return connection?.id as ConnectionId
}

/** As a sync ends that read the account to its end. */
export async function seedEndedSync(
  query: Query,
  { organizationId, connectionId }: { organizationId: OrganizationId; connectionId: ConnectionId },
): Promise<void> {
  await query(
    `insert into sync_run (organization_id, connection_id, trigger, status, started_at, finished_at)
     values ($1, $2, 'schedule', 'succeeded', clock_timestamp(), clock_timestamp())`,
    [organizationId, connectionId],
  )
}

/** A decimal written in a test; throws if it is invalid. */
export function decimal(text: string): DecimalText {
  const value = parseDecimal(text)
  if (value === null) throw new Error(`${text} is not a decimal`)
  return value
}

/** A day written in a test; throws if it is invalid. */
export function day(text: string): Day {
  const value = parseDay(text)
  if (value === null) throw new Error(`${text} is not a day`)
  return value
}

type OptionalIn<Fields> = { [Name in keyof Fields as Fields[Name] extends { isOptional: true } ? Name : never]: null }

/** A line of which the platform says only what it must. */
const UNSAID = Object.fromEntries(
  Object.entries<RecordField>(LINE_FIELDS).flatMap(([name, { isOptional }]) => (isOptional ? [[name, null]] : [])),
) as OptionalIn<typeof LINE_FIELDS>

let lastLine = 0

/**
 * A proved line that adds up (one night, 100.00 + 19 % tax) unless `change` says otherwise. Ids
 * count up.
 */
export function makeLine(change: Partial<LineRecord> = {}): ProvedLine {
  lastLine += 1
  const line: LineRecord = {
    ...UNSAID,
    id: `line-${String(lastLine).padStart(6, '0')}`,
    invoiceSerialNumber: 'INV-01-0001',
    profileId: 'profile-1',
    profileName: 'Acme GmbH',
    invoiceMode: 'reseller',
    invoiceStatus: 'paid',
    issuingDate: day('2026-03-31'),
    dueDate: day('2026-04-30'),
    currency: 'EUR',
    expenseDate: day('2026-03-04'),
    description: 'Hotel, 1 night',
    quantity: decimal('1'),
    unitPrice: decimal('100.00'),
    nonTaxableUnitPrice: decimal('0.00'),
    taxPercentage: decimal('19.00'),
    taxAmount: decimal('19.00'),
    totalAmount: decimal('119.00'),
    taxRegime: 'G-VAT-R',
    tripId: '10223',
    tripName: 'Berlin offsite',
    service: 'hotel',
    relatedVertical: 'hotel',
    costCenter: '4100',
    startDate: day('2026-03-03'),
    endDate: day('2026-03-05'),
    creditCardLast4: '4242',
    labels: ['offsite'],
    outOfPolicy: false,
    vendorCode: 'HTL1',
    vendorName: 'Hotel Adler',
    travelerNames: ['Tove Lind'],
    bookerName: 'Bo Berg',
    includeBreakfast: true,
    country: 'PT',
    customFields: ['Project: P-210'],
    idWasMissing: false,
    unreadablePaths: [],
    raw: '{}',
    contentHash: '',
    textHash: '',
    ...change,
  }
  const raw = change.raw ?? JSON.stringify({ id: line.id, total_amount: line.totalAmount })
  const content = JSON.stringify({ ...line, raw })
  const proof = proveLine(line)
  return {
    ...line,
    raw,
    textHash: hashText(raw),
    contentHash: change.contentHash ?? createHash('sha256').update(content).digest('hex'),
    proof,
    explanations: explainLine(line, proof),
    notes: listLineNotes(line),
  }
}

/** An untaxed line of one unit, which adds up for any amount. */
export function makeLineOf(amount: string, change: Partial<LineRecord> = {}): ProvedLine {
  const value = decimal(amount)
  const zero = decimal('0')
  return makeLine({ unitPrice: value, taxPercentage: zero, taxAmount: zero, totalAmount: value, ...change })
}

/** The three add up to the number of records given. */
type ApplyCounts = { inserted: number; updated: number; unchanged: number }
type Owner = { organizationId: OrganizationId; connectionId: ConnectionId }

/**
 * Writes lines of one account as a sync does, in the caller's transaction. Throws when an id
 * repeats.
 */
export async function applyLines(sql: Sql, page: Owner & { lines: readonly ProvedLine[] }): Promise<ApplyCounts> {
  return toCounts(page.lines, await applyPackedLines(sql, page, packRecords(LINES, page.lines)))
}

/** As `applyLines`, for invoices. */
export async function applyInvoices(
  sql: Sql,
  page: Owner & { invoices: readonly InvoiceRecord[] },
): Promise<ApplyCounts> {
  const packed = packRecords(INVOICES, page.invoices)
  return toCounts(page.invoices, await applyPackedInvoices(sql, page, packed))
}

/** As `applyLines`, for profiles. */
export async function applyProfiles(
  sql: Sql,
  page: Owner & { profiles: readonly ProfileRecord[] },
): Promise<ApplyCounts> {
  const packed = packRecords(PROFILES, page.profiles)
  return toCounts(page.profiles, await applyPackedProfiles(sql, page, packed))
}

/** Formats and packs records, each under its mark; all are of part 0 by default. */
export function packRecords<Item>(
  target: ApplyTarget<Item>,
  items: readonly Item[],
  markOf: (at: number) => RowMark = () => ({ part: 0 }),
): PackedRecords {
  const formatter = createRecordFormatter(target)
  for (const item of items) formatter.add(item)
  const formatted = formatter.end()
  const packer = createPacker()
  for (const at of items.keys()) packer.add(formatted, at, markOf(at))
  return packer.end()
}

function toCounts(records: readonly unknown[], [written]: readonly WrittenOfPart[]): ApplyCounts {
  const { inserted, updated } = written ?? { inserted: 0, updated: 0 }
  return { inserted, updated, unchanged: records.length - inserted - updated }
}

/** Stores lines of one account as a sync does. */
export function seedLines(
  organizationId: OrganizationId,
  connectionId: ConnectionId,
  lines: readonly ProvedLine[],
): Promise<ApplyCounts> {
  return withTenantSql(organizationId, (sql) => applyLines(sql, { organizationId, connectionId, lines }))
}

/** An invoice that matches the lines of `makeLine` unless `change` says otherwise. */
export function makeInvoice(change: Partial<InvoiceRecord> = {}): InvoiceRecord {
  const invoice: InvoiceRecord = {
    serialNumber: 'INV-01-0001',
    profileId: 'profile-1',
    profileName: 'Acme GmbH',
    mode: 'reseller',
    status: 'paid',
    issuingDate: day('2026-03-31'),
    dueDate: day('2026-04-30'),
    fromDate: day('2026-03-01'),
    toDate: day('2026-03-31'),
    billingPeriod: 'monthly',
    currency: 'EUR',
    total: decimal('119.00'),
    creditUsed: null,
    taxesSummary: [],
    reference: null,
    legalName: 'Acme GmbH',
    unreadablePaths: [],
    raw: '{}',
    contentHash: '',
    textHash: '',
    ...change,
  }
  const textHash = hashText(invoice.raw)
  const contentHash = change.contentHash ?? createHash('sha256').update(JSON.stringify(invoice)).digest('hex')
  return { ...invoice, textHash, contentHash }
}

/** Stores invoices of one account as a sync does. */
export function seedInvoices(
  organizationId: OrganizationId,
  connectionId: ConnectionId,
  invoices: readonly InvoiceRecord[],
): Promise<ApplyCounts> {
  return withTenantSql(organizationId, (sql) => applyInvoices(sql, { organizationId, connectionId, invoices }))
}
