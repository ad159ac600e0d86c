import { withTenantSnapshot } from '#lib/db/tenant.ts'
import { type OrganizationId, parseConnectionId } from '#lib/ids.ts'
import { type DisputedLine, type ExpectedCredit, toExpectedCredit } from '#lib/reconcile/dispute/expected-credit.ts'
import type { DecimalText } from '#lib/reconcile/money.ts'

type Stored = DisputedLine & { difference: DecimalText; taxDifference: DecimalText }

const PROBLEMS = {
  not_a_number: 'Write what you expect back as an amount, such as 41.30.',
  negative: 'Write what you expect back without a sign.',
  zero: 'Nothing expected back is no dispute.',
  too_many_decimals: 'The amount has more decimals than its currency.',
  above_limit: 'That is more than the line comes to.',
  nothing_owed: 'Write what you expect back: the figures of this line owe nothing.',
  below_minor_unit: 'Write what you expect back: the figures of this line owe less than can be paid.',
  sign_unknown: 'Write what you expect back: whether this line charges or refunds is not known.',
} as const

/**
 * What a person expects back for one disputed line, checked against the line
 * (`toExpectedCredit`), or in words what is wrong with it.
 */
export async function readExpectedBack(
  organizationId: OrganizationId,
  asked: { kind: string; only?: readonly string[] | undefined },
  text: string,
): Promise<ExpectedCredit | { problem: string }> {
  const [key = '', ...others] = 'only' in asked ? (asked.only ?? []) : []
  const connectionId = parseConnectionId(key.slice(0, Math.max(0, key.indexOf('~'))))
  if (asked.kind !== 'dispute' || connectionId === null || others.length > 0)
    return { problem: 'What is expected back is said of one disputed line.' }
  const [line] = await withTenantSnapshot(organizationId, (sql) =>
    sql<Stored>(
      `select total_amount::text as "totalAmount", currency, invoice_mode as "invoiceMode", difference::text,
         tax_difference::text as "taxDifference"
       from line where organization_id = $1 and connection_id = $2 and id = $3`,
      [organizationId, connectionId, key.slice(key.indexOf('~') + 1)],
    ),
  )
  if (line === undefined) return { problem: 'There is no such line.' }
  const expected = toExpectedCredit(line, line, text)
  return 'problem' in expected ? { problem: PROBLEMS[expected.problem] } : expected
}
