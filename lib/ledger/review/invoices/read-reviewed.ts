/** Where invoices stand in the review: their proof beside what was decided about them. */
import type { Sql } from '#lib/db/tenant.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import {
  type DecidedInvoice,
  type InvoiceStand,
  isReviewed,
  type SeenInvoice,
  standOfInvoice,
  toSeenInvoice,
} from '#lib/reconcile/review/invoice-review.ts'
import { type State, stateOf } from '#lib/reconcile/verdict.ts'
import { toInvoiceConditions } from '../../conditions/invoice-conditions.ts'
import {
  type InvoiceCompleteness,
  type InvoiceKey,
  proveDoubtful,
  readCompleteness,
  toInvoiceCheck,
} from '../../kept/plain-invoices/read-completeness.ts'
import type { InvoiceQuery } from '../../query/invoice-query.ts'
import { writeRowKey } from '../../query/list-place.ts'
import { createSqlParameters } from '../../sql/sql-parameters.ts'

/** The last decision about an invoice, if nobody has taken it back. */
type InvoiceReview = DecidedInvoice & InvoiceKey & { decision: string; name: string; at: string }
export type InvoiceReviews = ReadonlyMap<string, InvoiceReview>

/** Names an invoice as its row's address does. */
export const toInvoiceKeyText = ({ connectionId, serialNumber }: InvoiceKey) =>
  writeRowKey({ connectionId, id: serialNumber })

/** What was decided about the organization's invoices, or about these, by `toInvoiceKeyText`. */
export async function readInvoiceReviews(
  sql: Sql,
  organizationId: OrganizationId,
  invoices?: readonly InvoiceKey[],
): Promise<InvoiceReviews> {
  const [named, values] =
    invoices === undefined
      ? ['', []]
      : [
          'and (v.connection_id, v.invoice_serial_number) in (select * from unnest($2::uuid[], $3::text[]))',
          [invoices.map(({ connectionId }) => connectionId), invoices.map(({ serialNumber }) => serialNumber)],
        ]
  const rows = await sql<InvoiceReview>(
    `select v.connection_id as "connectionId", v.invoice_serial_number as "serialNumber", v.state, v.seen,
       v.decision::text, d.actor_name as name, to_json(d.decided_at) as at
     from invoice_review v join decision d on d.organization_id = v.organization_id and d.number = v.decision
     where v.organization_id = $1 ${named}`,
    [organizationId, ...values],
  )
  return new Map(rows.map((row) => [toInvoiceKeyText(row), row]))
}

/** An invoice that there is something to decide about, or that was decided. */
export type ReviewedInvoice = {
  proof: InvoiceCompleteness
  seen: SeenInvoice
  /** Its own verdict, without its lines. */
  own: State
  stand: InvoiceStand
  review: InvoiceReview | null
}

/** The proof of an invoice beside what was decided about it. */
export function toReviewed(proof: InvoiceCompleteness, reviews: InvoiceReviews): ReviewedInvoice {
  const review = reviews.get(toInvoiceKeyText(proof)) ?? null
  const seen = toSeenInvoice(proof)
  return { proof, seen, own: stateOf({ invoice: toInvoiceCheck(proof) }), stand: standOfInvoice(review, seen), review }
}

/**
 * The invoices of a list that have findings of their own or were decided. `proved`: the proofs of
 * those of the list that are not plain, if the caller has them. The list's filters that ask for
 * proofs are the caller's (`isListed`).
 */
export async function listReviewed(
  sql: Sql,
  organizationId: OrganizationId,
  query: InvoiceQuery,
  proved?: readonly InvoiceCompleteness[],
): Promise<ReviewedInvoice[]> {
  const reviews = await readInvoiceReviews(sql, organizationId)
  const doubtful = proved ?? (await proveDoubtful(sql, organizationId, query))
  const known = new Set(doubtful.map(toInvoiceKeyText))
  const plain = [...reviews.values()].filter((review) => !known.has(toInvoiceKeyText(review)))
  const decided = await readListed(sql, organizationId, query, plain)
  return [...doubtful, ...decided]
    .map((proof) => toReviewed(proof, reviews))
    .filter(({ stand, seen }) => isReviewed(stand, seen))
}

/** The proofs of those of these invoices that are in the list. */
async function readListed(
  sql: Sql,
  organizationId: OrganizationId,
  query: InvoiceQuery,
  invoices: readonly InvoiceKey[],
): Promise<InvoiceCompleteness[]> {
  if (invoices.length === 0) return []
  const parameters = createSqlParameters()
  const conditions = toInvoiceConditions(organizationId, query, parameters)
  const connections = parameters.add(invoices.map(({ connectionId }) => connectionId))
  const serials = parameters.add(invoices.map(({ serialNumber }) => serialNumber))
  const listed = await sql<{ connectionId: ConnectionId; serialNumber: string }>(
    `select i.connection_id as "connectionId", i.serial_number as "serialNumber" from invoice i
     where ${conditions} and (i.connection_id, i.serial_number) in (select * from unnest(${connections}::uuid[], ${serials}::text[]))`,
    parameters.values,
  )
  return listed.length === 0 ? [] : readCompleteness(sql, organizationId, listed)
}

/** Whether the invoice is in the list by those filters that ask for its proof. */
export function isListed(
  { own, proof, stand, review }: ReviewedInvoice,
  { states, findings, reviews, decisions }: Pick<InvoiceQuery, 'states' | 'findings' | 'reviews' | 'decisions'>,
): boolean {
  return (
    (states.length === 0 || states.some((state) => state === own)) &&
    (findings.length === 0 || proof.findings.some(({ code }) => findings.includes(code))) &&
    (reviews.length === 0 || reviews.includes(stand.state)) &&
    (decisions.length === 0 || (review !== null && decisions.includes(review.decision)))
  )
}
