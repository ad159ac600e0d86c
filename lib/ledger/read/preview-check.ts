import { type Sql, withTenantSnapshot } from '#lib/db/tenant.ts'
import type { OrganizationId } from '#lib/ids.ts'
import { type CheckMove, type FailedCheck, toCheckMoves } from '#lib/reconcile/checks/check-effect.ts'
import { type CheckCode, type CheckSetting, DEFAULT_CHECK } from '#lib/reconcile/checks/checks.ts'
import { surveyCompleteness } from '../kept/plain-invoices/read-completeness.ts'
import { SETTINGS, type StoredSetting, toCheckSettings } from '../rules/read-rules.ts'

const LINE_AMOUNTS: Partial<Record<CheckCode, string>> = { line_total: 'difference', line_tax: 'tax_difference' }

/**
 * What a change of a check would do to the lines or invoices that fail it now, as `setCheck` would.
 * Changes nothing.
 */
export function previewCheck(
  organizationId: OrganizationId,
  code: CheckCode,
  setting: CheckSetting,
): Promise<CheckMove[]> {
  return withTenantSnapshot(organizationId, async (sql) => {
    const stored = await sql<StoredSetting>(SETTINGS, [organizationId])
    const amount = LINE_AMOUNTS[code]
    const failed =
      amount === undefined
        ? await listFailedInvoices(sql, organizationId, code)
        : await countFailedLines(sql, organizationId, amount)
    return toCheckMoves(failed, toCheckSettings(stored)[code] ?? DEFAULT_CHECK, setting)
  })
}

/** By amount: there are far fewer amounts than lines. */
function countFailedLines(sql: Sql, organizationId: OrganizationId, amount: string): Promise<FailedCheck[]> {
  return sql<FailedCheck>(
    `select currency, abs(${amount})::text as amount, count(*)::int as count from line
     where organization_id = $1 and missing_since is null and (difference <> 0 or tax_difference <> 0) and ${amount} <> 0
     group by currency, abs(${amount})`,
    [organizationId],
  )
}

/** With no rule at all, whatever an invoice fails is a finding. */
async function listFailedInvoices(sql: Sql, organizationId: OrganizationId, code: CheckCode): Promise<FailedCheck[]> {
  const { proved } = await surveyCompleteness(sql, organizationId, {}, [])
  return proved.flatMap(({ isGone, currency, findings }) =>
    isGone
      ? []
      : findings.flatMap((found) =>
          `invoice_${found.code}` === code ? { currency, amount: found.amount, count: 1 } : [],
        ),
  )
}
