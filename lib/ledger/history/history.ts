import type { Sql } from '#lib/db/tenant.ts'
import type { ConnectionId, OrganizationId, RunId } from '#lib/ids.ts'
import type { DecimalText } from '#lib/reconcile/money.ts'
import { diffRecords, isSameFigure, toMoneyEffect } from '#lib/reconcile/record-diff.ts'
import type { SyncTrigger } from '#lib/reconcile/sync-run.ts'
import type { RecordChange } from '../model.ts'

/** The most changes shown of one record. */
const MOST_CHANGES = 100

/** A version and the text that followed it, as SQL returns them. */
export type StoredChange = {
  validFrom: Date
  seenAt: Date
  runId: RunId | null
  trigger: SyncTrigger | null
  startedBy: string | null
  currency: string
  amount: DecimalText
  nextCurrency: string
  nextAmount: DecimalText
  before: string
  after: string
}

/**
 * The columns of a `StoredChange` except its texts, from `line_version v` or `invoice_version v`
 * `sync_run r` and `app_user u`.
 */
export function changeColumns(amount: 'total_amount' | 'total'): string {
  return `v.valid_from as "validFrom", v.valid_until as "seenAt", v.run_id as "runId", r.trigger, u.name as "startedBy", v.currency,
    v.${amount}::text as amount, v.next_currency as "nextCurrency", v.next_${amount}::text as "nextAmount"`
}

/** The run that saw a version `v` of the organization `$1` change, and who asked for the run. */
export const RUN_OF_CHANGE = `left join sync_run r on r.organization_id = $1 and r.id = v.run_id
  left join app_user u on u.organization_id = $1 and u.id = r.requested_by`

/** What the platform changed about one line, latest first, with the money effect of each change. */
export async function listLineHistory(
  sql: Sql,
  organizationId: OrganizationId,
  connectionId: ConnectionId,
  lineId: string,
): Promise<RecordChange[]> {
  const rows = await sql<StoredChange>(
    `select ${changeColumns('total_amount')}, v.raw::text as before,
            coalesce(lead(v.raw::text) over (order by v.id), p.raw::text) as after
     from line_version v
     join line_payload p on p.organization_id = v.organization_id and p.connection_id = v.connection_id and p.line_id = v.line_id
     ${RUN_OF_CHANGE}
     where v.organization_id = $1 and v.connection_id = $2 and v.line_id = $3
     order by v.id desc limit ${MOST_CHANGES}`,
    [organizationId, connectionId, lineId],
  )
  return rows.map(toRecordChange)
}

/** What the platform changed about an invoice itself, not its lines, latest first. */
export async function listInvoiceHistory(
  sql: Sql,
  organizationId: OrganizationId,
  connectionId: ConnectionId,
  serialNumber: string,
): Promise<RecordChange[]> {
  const rows = await sql<StoredChange>(
    `select ${changeColumns('total')}, v.raw::text as before,
            coalesce(lead(v.raw::text) over (order by v.id), i.raw::text) as after
     from invoice_version v
     join invoice i on i.organization_id = v.organization_id and i.connection_id = v.connection_id
                   and i.serial_number = v.invoice_serial_number
     ${RUN_OF_CHANGE}
     where v.organization_id = $1 and v.connection_id = $2 and v.invoice_serial_number = $3
     order by v.id desc limit ${MOST_CHANGES}`,
    [organizationId, connectionId, serialNumber],
  )
  return rows.map(toRecordChange)
}

/** Compares a stored version with the one that followed it. */
export function toRecordChange(row: StoredChange): RecordChange {
  const before = { currency: row.currency, amount: row.amount }
  const after = { currency: row.nextCurrency, amount: row.nextAmount }
  return {
    validFrom: row.validFrom.toISOString(),
    seenAt: row.seenAt.toISOString(),
    runId: row.runId,
    trigger: row.trigger,
    startedBy: row.startedBy,
    // the same figure in another notation is no change; a PDF's address and the lines an invoice
    // may carry are not content of the invoice (assumptions 22, 23)
    fields: diffRecords(row.before, row.after).filter((field) => field.path !== 'pdf' && !isSameFigure(field)),
    before,
    after,
    effect: toMoneyEffect(before, after),
  }
}
