/** Sums the lines of an account by month of issue, for questions that no roll-up answers. */
import { withTenantSql } from '#lib/db/tenant.ts'
import type { ConnectionId } from '#lib/ids.ts'
import { type Account, findNextAccount } from '../../apply/next-account.ts'
import { tryHoldAccount } from '../tally/hold-account.ts'

/**
 * Sums each month of an account that has lines and no sums, a month per transaction, until none is
 * left or `signal` fires. While another transaction writes the account, leaves it as it is.
 * @returns how many months it summed
 */
export async function noteMonthSums(account: Account, signal?: AbortSignal): Promise<number> {
  let months = 0
  while (signal?.aborted !== true && (await sumNextMonth(account))) months += 1
  return months
}

/** As `noteMonthSums`, for the account after this one, of any organization; null for none. */
export async function noteMonthSumsOfNext(
  after: ConnectionId | null,
  signal: AbortSignal,
): Promise<{ connectionId: ConnectionId; noted: number } | null> {
  const account = await findNextAccount(after)
  if (account === null) return null
  return { connectionId: account.connectionId, noted: await noteMonthSums(account, signal) }
}

function sumNextMonth(account: Account): Promise<boolean> {
  const { organizationId, connectionId } = account
  return withTenantSql(organizationId, async (sql) => {
    const own = [organizationId, connectionId]
    if (!(await tryHoldAccount(sql, account))) return false
    const [{ months } = { months: [] }] = await sql<{ months: string[] }>(
      'select array(select months_of_trip_sums($1, $2))::text[] as months',
      own,
    )
    const [next] = await sql<{ month: string }>(
      `select r.month::text as month from (
         select coalesce(date_trunc('month', issuing_date)::date, 'infinity') as month from invoice_rollup
         where organization_id = $1 and connection_id = $2
         union select * from unnest($3::date[])) r
       where not exists (select from month_sum s where s.organization_id = $1 and s.connection_id = $2
                           and s.grain = 'month' and s.month = r.month)
       order by r.month desc limit 1`,
      [...own, months],
    )
    if (next === undefined) return false
    await sql('insert into month_sum select * from sum_months($1, $2, array[$3::date]) returning 1', [
      ...own,
      next.month,
    ])
    await sql('select write_trip_sums($1, $2, $3)', [...own, next.month])
    return true
  })
}
