/**
 * Which invoices are plainly complete: SQL is certain that their proof finds them so, and counts
 * them; all others are doubtful (docs/decisions/016-roll-ups.md). Those of `plain_invoice` and
 * `doubtful_invoice` have been judged before; triggers take a judgment back when anything that it
 * looked at changes (migrations plain_invoices, doubtful_invoices).
 */
import { ROLLUP_OF_INVOICE } from '../../conditions/invoice-conditions.ts'

/** Unreadable lines of invoices. */
export const REJECTED_LINES = `rejected_line r where r.organization_id = $1::uuid and r.list = 'lines' and r.resolved_at is null
  and r.invoice_serial_number is not null`

/** Lines that are a finding beside other lines of their account. */
export const COMPARED_LINES = 'line_comparison c where c.organization_id = $1::uuid'

/** What is stored of a plain invoice, in the table's order after its key. */
export const PLAIN_COLUMNS = 'connection_id, profile_id, issuing_date, currency, total, line_count, is_gone'

/** The same of a judged invoice (`i`). */
export const PLAIN_COLUMNS_OF_JUDGED =
  'i.connection_id, i.profile_id, i.issuing_date, i.currency, i.total, i.line_count, i.missing_since is not null'

/** What a survey reads of plain invoices: sums that triggers keep. */
export const PLAIN_SUMS = 'connection_id, profile_id, month, currency, is_gone, invoice_count, line_count, total'

/** The same of a judged invoice (`i`). */
export const PLAIN_SUMS_OF_JUDGED = `i.connection_id, i.profile_id, left(i.issuing_date::text, 7), i.currency, i.missing_since is not null, 1, i.line_count, i.total`

/**
 * Whether an invoice of the organization `$1` has no judgment. Each judgment is of one invoice, and
 * goes with it, so equal counts leave none without: to look for one takes longer than all the rest
 * of a survey, and most find none.
 */
const ANY_UNJUDGED = `(select coalesce(sum(t.invoice_count), 0) from connection_tally t where t.organization_id = $1::uuid)
  <> (select coalesce(sum(p.invoice_count), 0) from plain_invoice_sum p where p.organization_id = $1::uuid)
     + (select count(*) from doubtful_invoice where organization_id = $1::uuid)`

/**
 * SQL for the keys of the rows of `invoice i` under a condition, of the organization `$1`, that
 * have no judgment. Two sets, of which the database hashes one: while it has no statistics of
 * judgments that were just made, it would join them by nested loops, whose time is the square of
 * both.
 */
export function listUnjudged(condition: string): string {
  return `select connection_id, serial_number from (
      select i.connection_id, i.serial_number from invoice i where ${condition}
      except (select p.connection_id, p.serial_number from plain_invoice p where p.organization_id = $1::uuid
              union all select d.connection_id, d.serial_number from doubtful_invoice d where d.organization_id = $1::uuid)) unjudged
    where ${ANY_UNJUDGED}`
}

const JUDGED_COLUMNS = `i.organization_id, i.connection_id, i.serial_number, i.profile_id, i.profile_name, i.issuing_date,
  i.due_date, i.mode, i.currency, i.missing_since, i.total, i.credit_used, i.stated_line_count, i.taxes_summary`

/** The lines of `invoice i` in short; a text for each tax (the baseline). */
const HELD = `
  select min(l.currency) as first_currency, max(l.currency) as last_currency, sum(l.line_count)::int as line_count,
    sum(l.total_amount) as total, array_agg(l.tax_figures) as taxes
  from invoice_rollup l where ${ROLLUP_OF_INVOICE}`

/**
 * Whether `proveCompleteness` is certain to find `invoice i` complete, from its lines in `held`,
 * and nothing else is wrong with it. It may miss a complete invoice, and never takes another one
 * for complete: all lines are readable, in the invoice's currency and no finding beside others;
 * they are as many as it says, if it does; they add up to its total without rounding and without
 * credit used; and the taxes it states, if it does, are one by one those of the roll-up (no stated
 * text comes twice). Then these agree, whatever the proof compares them by. A test compares this
 * with the proof.
 */
const IS_PLAIN = `
  (i.connection_id, i.serial_number) not in (select r.connection_id, r.invoice_serial_number from ${REJECTED_LINES})
  and (i.connection_id, i.serial_number) not in (select c.connection_id, c.invoice_serial_number from ${COMPARED_LINES})
  and coalesce(held.first_currency = i.currency and held.last_currency = i.currency and held.total = i.total
    and held.line_count = coalesce(i.stated_line_count, held.line_count) and coalesce(i.credit_used, 0) = 0
    and (i.mode not like 'credit%' or i.total <= 0 or i.mode is null) and (i.due_date < i.issuing_date) is not true
    and (i.stated_taxes = '{}' or (i.stated_taxes <@ held.taxes and cardinality(i.stated_taxes) = cardinality(held.taxes))),
    false)`

/**
 * A common table `judged`: the invoices of the organization `$1` that these keys name, with the
 * number of their lines and `is_plain`. They and their lines are looked up one by one: before there
 * are statistics, a join could take its square.
 */
export function judge(keys: string): string {
  return `judged as materialized (
    select ${JUDGED_COLUMNS}, held.line_count, ${IS_PLAIN} as is_plain
    from (${keys}) k
    cross join lateral (
      select i.* from invoice i where i.organization_id = $1::uuid and i.connection_id = k.connection_id
        and i.serial_number = k.serial_number limit 1) i
    left join lateral (${HELD}) held on true)`
}
