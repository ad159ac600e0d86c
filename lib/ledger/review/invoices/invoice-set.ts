/** The exact set of invoices that a decision is about, before it is made and when it is made. */
import type { Sql } from '#lib/db/tenant.ts'
import { hashText } from '#lib/hash-text.ts'
import type { OrganizationId } from '#lib/ids.ts'
import { groupBy } from '#lib/reconcile/group-by.ts'
import type { DecimalText } from '#lib/reconcile/money.ts'
import { sumDecimals, toSize } from '#lib/reconcile/money.ts'
import { hasToDecide, writeSeen } from '#lib/reconcile/review/invoice-review.ts'
import { type Outcome, outcomeOf, type ReviewVerb } from '#lib/reconcile/review/review-state.ts'
import { type State, stateOfInvoiceFinding } from '#lib/reconcile/verdict.ts'
import { type InvoiceKey, readCompleteness } from '../../kept/plain-invoices/read-completeness.ts'
import type { SetTotal } from '../../model.ts'
import type { InvoiceQuery } from '../../query/invoice-query.ts'
import { parseRowKey } from '../../query/list-place.ts'
import {
  isListed,
  listReviewed,
  type ReviewedInvoice,
  readInvoiceReviews,
  toInvoiceKeyText,
  toReviewed,
} from './read-reviewed.ts'

/** Invoices of a list, all or all but these, or single ones; named as in an address. */
type InvoiceSet = { query: InvoiceQuery; only?: readonly string[]; except?: readonly string[] }

/** What is decided about: a set by a verb, or the invoices of one decision, to undo it. */
export type InvoicesAsked = { kind: ReviewVerb; invoices: InvoiceSet } | { kind: 'undo'; decision: string }

export type ChosenInvoice = ReviewedInvoice & { outcome: Outcome }

/** Each invoice of what is asked, and what becomes of it. By key, so that a set has one order. */
export async function chooseInvoices(
  sql: Sql,
  organizationId: OrganizationId,
  asked: InvoicesAsked,
): Promise<ChosenInvoice[]> {
  const chosen =
    asked.kind === 'undo'
      ? await chooseDecided(sql, organizationId, asked.decision)
      : (await readSet(sql, organizationId, asked.invoices)).map((invoice) => ({
          ...invoice,
          outcome: toOutcome(asked.kind, invoice),
        }))
  return chosen
    .map((invoice) => ({ invoice, key: toInvoiceKeyText(invoice.proof) }))
    .sort((one, other) => (one.key < other.key ? -1 : 1))
    .map(({ invoice }) => invoice)
}

/** The hash of the set: another one whenever an invoice comes, goes, changes or is decided. */
export function hashInvoices(chosen: readonly ChosenInvoice[]): string {
  return hashText(
    chosen
      .map(({ proof, seen, stand, review, outcome }) =>
        JSON.stringify([toInvoiceKeyText(proof), writeSeen(seen), stand.state, review?.decision ?? 0, outcome]),
      )
      .join('\n'),
  )
}

/** Of an invoice without findings there is nothing to decide. */
function toOutcome(verb: ReviewVerb, { stand, seen }: ReviewedInvoice): Outcome {
  return stand.state === 'open' && !hasToDecide(seen) && verb !== 'withdraw' ? 'cannot' : outcomeOf(verb, stand.state)
}

async function readSet(
  sql: Sql,
  organizationId: OrganizationId,
  { query, only, except = [] }: InvoiceSet,
): Promise<ReviewedInvoice[]> {
  if (only !== undefined) return readNamed(sql, organizationId, only.flatMap(parseKey))
  const listed = await listReviewed(sql, organizationId, query)
  return listed.filter((invoice) => isListed(invoice, query) && !except.includes(toInvoiceKeyText(invoice.proof)))
}

function parseKey(text: string): InvoiceKey[] {
  const key = parseRowKey(text)
  return key === null || key.id.includes('\0') ? [] : [{ connectionId: key.connectionId, serialNumber: key.id }]
}

async function readNamed(
  sql: Sql,
  organizationId: OrganizationId,
  keys: readonly InvoiceKey[],
): Promise<ReviewedInvoice[]> {
  if (keys.length === 0) return []
  const reviews = await readInvoiceReviews(sql, organizationId, keys)
  return (await readCompleteness(sql, organizationId, keys)).map((proof) => toReviewed(proof, reviews))
}

/** What was decided anew since stays as it is, and what was taken back is as wanted. */
async function chooseDecided(sql: Sql, organizationId: OrganizationId, decision: string): Promise<ChosenInvoice[]> {
  const keys = await sql<InvoiceKey>(
    `select connection_id as "connectionId", invoice_serial_number as "serialNumber" from decision_invoice
     where organization_id = $1 and decision = $2`,
    [organizationId, decision],
  )
  return (await readNamed(sql, organizationId, keys)).map((invoice) => {
    const last = BigInt(invoice.review?.decision ?? 0)
    const outcome = last === BigInt(decision) ? 'changes' : last < BigInt(decision) ? 'already' : 'cannot'
    return { ...invoice, outcome }
  })
}

const OF_MONEY: readonly State[] = ['unexplained', 'explained']

/**
 * The money that is decided about, without its sign, so that sums never cancel: what the first of
 * its findings that is about money says. A sign or a line that could not be read is none.
 */
export function toStake({ proof: { findings } }: ReviewedInvoice): DecimalText {
  const amounts = findings.flatMap(({ code, amount }) =>
    amount !== null && OF_MONEY.includes(stateOfInvoiceFinding(code)) ? amount : [],
  )
  return toSize(amounts[0] ?? ('0' as DecimalText))
}

/** By currency: how many, their stated totals, and the money that is decided about. */
export function sumChosen(chosen: readonly ChosenInvoice[]): SetTotal[] {
  return [...groupBy(chosen, ({ proof }) => proof.currency)]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([currency, own]) => ({
      currency,
      lineCount: own.length,
      totalAmount: sumDecimals(own.map(({ proof }) => proof.tieOut.total)),
      difference: sumDecimals(own.map(toStake)),
    }))
}
