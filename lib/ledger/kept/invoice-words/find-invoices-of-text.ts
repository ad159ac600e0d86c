/**
 * Where a text is, before its lines are read. Of the invoices' bits the planner knows nothing, so a
 * search asks for the invoices first, and names them if they are few.
 */
import type { Sql } from '#lib/db/tenant.ts'
import type { OrganizationId } from '#lib/ids.ts'
import { toLineCountQuery } from '../../conditions/count-lines.ts'
import type { FoundInvoices } from '../../conditions/found-invoices.ts'
import { createSqlParameters } from '../../sql/sql-parameters.ts'
import { LINES_OF_INVOICE, listUnnoted, toWordsCondition, type Words } from './may-say.ts'
import { WORD_BITS_VERSION } from './word-bits.ts'

/** Where they have a larger share of the lines, reading all of these is the quicker way. */
const FEW = 0.1
const ARE_FEW = `coalesce(sum(line_count) filter (where is_found), 0) <= ${FEW} * coalesce(sum(line_count), 0)`

/**
 * The invoices among which all lines on the platform with the words are; null if they are many, or
 * the words are too short to say. Exact for the rest of a `withTenantSnapshot`, whose other
 * statements see the same ledger.
 */
export async function findInvoicesOfText(
  sql: Sql,
  organizationId: OrganizationId,
  { goneOnly, ...words }: Words & { goneOnly: boolean },
): Promise<FoundInvoices | null> {
  // what the platform no longer has is little, and need not have a note
  if (goneOnly) return null
  const parameters = createSqlParameters()
  const organization = parameters.add(organizationId)
  const mayHaveIt = toWordsCondition(words, parameters)
  if (mayHaveIt === null) return null
  const allLines = toLineCountQuery(organizationId, parameters)
  // with those that have no note they are never fewer: of many, these are not looked for, nor where
  // the notes have all lines
  const [found] = await sql<FoundInvoices>(
    `with noted as materialized (
       select connection_id, serial_number, line_count, (${mayHaveIt}) as is_found from invoice_words
       where organization_id = ${organization}::uuid and version = ${WORD_BITS_VERSION}),
     invoice as (
       select * from noted
       union all
       select k.connection_id, k.serial_number, ${LINES_OF_INVOICE}, true
       from (${listUnnoted('r.organization_id = $1::uuid')}) k
       where (select ${ARE_FEW} and coalesce(sum(line_count), 0) < (${allLines}) from noted))
     select coalesce(array_agg(connection_id::text) filter (where is_found), '{}') as "connectionIds",
       coalesce(array_agg(serial_number) filter (where is_found), '{}') as "serialNumbers"
     from invoice having ${ARE_FEW}`,
    parameters.values,
  )
  return found ?? null
}
