import { withSystemSql } from '#lib/db/tenant.ts'
import { vacuum } from '#lib/db/vacuum.ts'
import type { ConnectionId, OrganizationId, UserId } from '#lib/ids.ts'
import { SEARCHED_WORDS } from '#lib/ledger/fields/search-text.ts'
import { compareLines } from '#lib/ledger/kept/comparisons/compare-lines.ts'
import { noteInvoiceWords } from '#lib/ledger/kept/invoice-words/note-invoice-words.ts'
import { noteMonthSums } from '#lib/ledger/kept/month-sums/note-month-sums.ts'
import { notePlainInvoices } from '#lib/ledger/kept/plain-invoices/note-plain-invoices.ts'

const LINES_PER_INVOICE = 50
/** So many lines a statement: what its triggers see of them has to fit on the disk too. */
const STEP = 1_000_000
export const FILLED_TABLES = [
  'line',
  'line_payload',
  'invoice',
  'line_rollup',
  'trip_rollup',
  'invoice_rollup',
  'plain_invoice',
  'plain_invoice_sum',
  'doubtful_invoice',
  'invoice_words',
  'line_comparison',
  'month_sum',
  'trip_sum',
  'arrival_sum',
]

/** An account for a user's organization that no sync reads, with `count` lines (`fillLedger`). */
export async function addFilledAccount(
  { organizationId, userId }: { organizationId: OrganizationId; userId: UserId },
  count: number,
  options: Partial<Filling> = {},
): Promise<ConnectionId> {
  const [row] = await withSystemSql((sql) =>
    sql<{ id: ConnectionId }>(
      `insert into connection (organization_id, name, state, scopes_asked, created_by, created_at)
       values ($1, 'Filled', 'active', 'expenses:read', $2, case when $3 then date '2025-11-30' else now() end) returning id`,
      [organizationId, userId, options.isSeenByIssue ?? false],
    ),
  )
  const { id: connectionId } = row as { id: ConnectionId }
  await fillLedger({ organizationId, connectionId }, count, options)
  return connectionId
}

/**
 * `withRecords`: without them, which only a line's panel reads, a ledger needs a third less of the
 * disk. `isSeenByIssue`: as if syncs had brought each line on its day of issue, not all now.
 */
type Filling = { withRecords: boolean; isSeenByIssue: boolean }

/**
 * `count` lines of one account, with their invoices and records, made by the database itself: for
 * what reads a large ledger, not for what fills one. Five profiles in three currencies, 350 days,
 * four lines a trip; one line in a thousand is a cent off.
 */
export async function fillLedger(
  owner: { organizationId: OrganizationId; connectionId: ConnectionId },
  count: number,
  options: Partial<Filling> = {},
): Promise<void> {
  await writeLedger(owner, count, options)
  await noteLedger(owner)
  for (const table of FILLED_TABLES) await vacuum(table)
}

/** Its records alone, for one of many: their tables (`FILLED_TABLES`) are vacuumed once for all. */
export async function writeLedger(
  owner: { organizationId: OrganizationId; connectionId: ConnectionId },
  count: number,
  { withRecords = true, isSeenByIssue = false }: Partial<Filling> = {},
): Promise<void> {
  const keys = [owner.organizationId, owner.connectionId]
  for (let from = 0; from < count; from += STEP)
    await withSystemSql((sql) => sql(LINES, [...keys, count, from, Math.min(from + STEP, count) - 1, isSeenByIssue]))
  if (withRecords) await withSystemSql((sql) => sql(PAYLOADS, keys))
  await withSystemSql((sql) => sql(INVOICES, keys))
  await withSystemSql((sql) => sql(PROFILES, keys))
}

/** What a worker notes of a ledger after a sync. */
export async function noteLedger(owner: { organizationId: OrganizationId; connectionId: ConnectionId }): Promise<void> {
  await compareLines(owner)
  await notePlainInvoices(owner)
  await noteInvoiceWords(owner)
  await noteMonthSums(owner)
}

const COLUMNS = `
  organization_id, connection_id, id, invoice_serial_number, profile_id, profile_name, invoice_mode, invoice_status,
  issuing_date, due_date, currency, expense_date, description, quantity, unit_price, non_taxable_unit_price,
  tax_percentage, tax_amount, tax_regime, total_amount, trip_id, trip_name, service, related_vertical, cost_center,
  start_date, end_date, credit_card_last_4_digits, labels, out_of_policy, vendor_code, vendor_name, traveler_names,
  booker_name, content_hash, proof_version, expected_total_amount, difference, expected_tax_amount, tax_difference,
  finding_codes, custom_fields, first_seen_at, changed_at`

/** On a cluster no role under policies may copy rows in, as it would without (decision 067). */
const AS_ROWS = 'on conflict do nothing'

/** A line that comes is what it is since then. */
const SEEN_AT = `case when $6 then issued + interval '6 hours' else now() end`

/** The numbers of a line come from its own number, so each ledger of a size is the same. */
const LINES = `
  insert into line (${COLUMNS}, search_text)
  select l.*, lower(${SEARCHED_WORDS}) from (select $1::uuid, $2::uuid, '5eed0000-0000-4000-8000-' || lpad(to_hex(n), 12, '0'),
    'INV-01-' || to_char(issued, 'YYYY') || '-' || lpad(invoice::text, 7, '0'),
    'profile-' || invoice % 5, 'Nordlicht ' || (array['GmbH', 'Ltd', 'KK', 'AG', 'SARL'])[1 + invoice % 5],
    case invoice % 7 when 0 then 'agency' else 'reseller' end, case when issued > '2026-10-01' then 'unpaid' else 'paid' end,
    issued, issued + 30, currency, issued - 1 - (hash % 20)::int, thing || ', item ' || n, 1, unit, 0, rate, tax,
    case rate when 0 then 'EXEMPT' else 'G-VAT-R' end, unit + tax + cent, (8000000 + trip)::text, 'Trip to ' || city || ' ' || trip,
    (array['flight', 'hotel', 'train', 'car', 'seat', 'extra', 'meeting_room', 'pro_v2'])[1 + n % 8],
    (array['flight', 'hotel', 'train', 'car', 'flight', 'insurance', 'other', null])[1 + n % 8],
    case when trip % 25 = 0 then null else 4000 + 10 * (trip % 25) || ' Department ' || trip % 25 end,
    issued - 5, issued - 3, '4242', '{}'::text[], hash % 9 = 0, 'V' || hash % 40, 'Vendor ' || hash % 40, array['Tove Lind'], 'Bo Berg',
    md5(n::text), 1, unit + tax, cent, tax, 0, case cent when 0 then '{}'::text[] else '{total}'::text[] end, '{}'::text[],
    ${SEEN_AT}, ${SEEN_AT}
  from (
    select n::int as n, invoice, trip, hash, rate, unit, round(unit * rate / 100, 2) as tax,
      case when n % 1009 = 500 then 0.01 else 0.00 end as cent,
      date '2025-12-01' + (invoice::bigint * 350 / ($3::int / ${LINES_PER_INVOICE} + 1))::int as issued,
      (array['EUR', 'EUR', 'EUR', 'GBP', 'CHF'])[1 + invoice % 5] as currency,
      (array['Lisbon', 'London', 'Tokyo', 'Hamburg'])[1 + trip % 4] as city,
      (array['Flight', 'Hotel, 1 night', 'Train', 'Booking fee'])[1 + n % 4] as thing
    from (select n, (n / ${LINES_PER_INVOICE})::int as invoice, (n / 4)::int as trip, hash,
                 (array[19, 7, 0])[1 + hash % 3]::numeric as rate, ((390 + hash % 89000 * 37 % 89000) * 0.01)::numeric(12, 2) as unit
          from (select n, ('x' || left(md5(n::text), 7))::bit(28)::int as hash from generate_series($4::int, $5::int) n) numbered) keyed
  ) line) l (${COLUMNS})
  ${AS_ROWS}`

const PAYLOADS = `
  insert into line_payload (organization_id, connection_id, line_id, raw)
  select organization_id, connection_id, id, json_build_object('id', id, 'expense_date', expense_date, 'description', description,
    'quantity', quantity, 'unit_price', unit_price::text, 'non_taxable_unit_price', non_taxable_unit_price::text,
    'tax_percentage', tax_percentage::text, 'tax_amount', tax_amount::text, 'total_amount', total_amount::text, 'currency', currency,
    'invoice', invoice_serial_number, 'metadata', json_build_object('trip_id', trip_id, 'trip_name', trip_name, 'service', service,
    'related_vertical', related_vertical, 'cost_center', cost_center, 'vendor', vendor_name))
  from line where organization_id = $1::uuid and connection_id = $2::uuid
  ${AS_ROWS}`

/** Each invoice states its taxes by regime and rate, as the platform does. */
const INVOICES = `
  insert into invoice (organization_id, connection_id, serial_number, profile_id, profile_name, mode, status, issuing_date, due_date,
    currency, total, taxes_summary, raw, content_hash)
  select organization_id, connection_id, invoice_serial_number, min(profile_id), min(profile_name), min(invoice_mode),
    min(invoice_status), min(issuing_date), min(due_date), min(currency), sum(total),
    json_agg(json_build_object('taxRegime', tax_regime, 'taxPercentage', rate::text, 'subtotal', (total - tax)::text,
      'taxAmount', tax::text, 'total', total::text)), '{}', md5(invoice_serial_number)
  from (
    select organization_id, connection_id, invoice_serial_number, tax_regime, tax_percentage as rate, min(profile_id) as profile_id,
      min(profile_name) as profile_name, min(invoice_mode) as invoice_mode, min(invoice_status) as invoice_status,
      min(issuing_date) as issuing_date, min(due_date) as due_date, min(currency) as currency,
      sum(expected_total_amount) as total, sum(expected_tax_amount) as tax
    from line where organization_id = $1::uuid and connection_id = $2::uuid
    group by organization_id, connection_id, invoice_serial_number, tax_regime, tax_percentage) taxed
  group by organization_id, connection_id, invoice_serial_number
  ${AS_ROWS}`

/** The platform lists who its invoices are made out to. */
const PROFILES = `
  insert into profile (organization_id, connection_id, id, name, currency, raw, content_hash)
  select organization_id, connection_id, profile_id, min(profile_name), min(currency), '{}', md5(profile_id)
  from invoice where organization_id = $1::uuid and connection_id = $2::uuid
  group by organization_id, connection_id, profile_id
  ${AS_ROWS}`
