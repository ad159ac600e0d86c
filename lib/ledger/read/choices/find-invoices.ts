/** Invoices by what people type of them, to go to one. */
import { withTenantSql } from '#lib/db/tenant.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import type { Day } from '#lib/reconcile/day.ts'
import { readTyped, toNameCondition } from '../../conditions/name-conditions.ts'
import { createSqlParameters, joinConditions } from '../../sql/sql-parameters.ts'

export type FoundInvoice = {
  connectionId: ConnectionId
  serialNumber: string
  issuingDate: Day | null
  profileName: string | null
  isRemoved: boolean
}

/** How an invoice is known; its number without dashes, too. */
const NAMES = ['i.serial_number', `replace(i.serial_number, '-', '')`, `coalesce(i.profile_name, '')`]

/** Up to `most` invoices, the latest first, that have each word in their number or profile. */
export function findInvoices(organizationId: OrganizationId, typed: string, most: number): Promise<FoundInvoice[]> {
  const parameters = createSqlParameters()
  const text = readTyped(typed)
  const conditions = joinConditions([
    `i.organization_id = ${parameters.add(organizationId)}::uuid`,
    toNameCondition(text, NAMES, parameters),
  ])
  return withTenantSql(organizationId, (sql) =>
    sql<FoundInvoice>(
      `select i.connection_id as "connectionId", i.serial_number as "serialNumber", i.issuing_date::text as "issuingDate",
         i.profile_name as "profileName", i.missing_since is not null as "isRemoved"
       from invoice i where ${conditions}
       order by i.issuing_date desc nulls last, i.serial_number limit ${parameters.add(most)}`,
      parameters.values,
    ),
  )
}
