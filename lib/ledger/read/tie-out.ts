import type { Sql } from '#lib/db/tenant.ts'
import type { OrganizationId } from '#lib/ids.ts'
import { INVOICE_FINDING_CODES, TIE_OUT_REASONS } from '#lib/reconcile/invoice-finding.ts'
import {
  addDecimals,
  compareDecimals,
  type DecimalText,
  isZeroDecimal,
  subtractDecimals,
  sumDecimals,
  toSize,
} from '#lib/reconcile/money.ts'
import { chooseLineSource } from '../conditions/line-source.ts'
import type { AsideTotal, CountedAmount, CurrencyTieOut, TieOut } from '../model.ts'
import { DEFAULT_LINE_QUERY } from '../query/line-query.ts'
import { selectTogether } from '../sql/select-together.ts'
import type { CompletenessSurvey } from './read-completeness.ts'

/**
 * Lines and invoices of each currency, tied out (docs/decisions/020-tie-out.md): lines + not
 * imported - credit used = comes to; beside it the invoices' totals, and what explains the
 * difference. The survey is of all invoices. Every line and every invoice is in it once, so its
 * sums are those of the lists; what no reason accounts for is unexplained.
 */
export async function readTieOut(
  sql: Sql,
  organizationId: OrganizationId,
  survey: CompletenessSurvey,
): Promise<TieOut> {
  const codes = survey.proved.flatMap(({ isGone, findings }) => (isGone ? [] : findings.map(({ code }) => code)))
  const findings = INVOICE_FINDING_CODES.map((code) => ({
    code,
    invoiceCount: codes.filter((each) => each === code).length,
  }))
  return {
    currencies: sumTieOut(survey, await readLineSums(sql, organizationId)),
    findings: findings.filter(({ invoiceCount }) => invoiceCount > 0),
  }
}

type LineSum = { currency: string; lineCount: number; totalAmount: DecimalText }

/** Lines per currency: those that the platform has, and those that it removed. */
type LineSums = { held: LineSum[]; removed: LineSum[] }

function readLineSums(sql: Sql, organizationId: OrganizationId): Promise<LineSums> {
  const { from, condition, lineCount } = chooseLineSource(DEFAULT_LINE_QUERY, ['currency'])
  return selectTogether<LineSums>(
    sql,
    {
      held: `select l.currency, (${lineCount})::int as "lineCount", sum(l.total_amount)::text as "totalAmount"
             from ${from} where l.organization_id = $1::uuid and ${condition} group by 1`,
      removed: `select l.currency, count(*)::int as "lineCount", sum(l.total_amount)::text as "totalAmount"
                from line l where l.organization_id = $1::uuid and l.missing_since is not null group by 1`,
    },
    [organizationId],
  )
}

function sumTieOut({ plain, proved }: CompletenessSurvey, { held, removed }: LineSums): CurrencyTieOut[] {
  const current = proved.filter(({ isGone }) => !isGone)
  const currencies = new Set([...plain, ...current, ...held].map(({ currency }) => currency))
  return [...currencies]
    .sort()
    .map((currency) => {
      const of = <T extends { currency: string }>(all: readonly T[]) => all.filter((each) => each.currency === currency)
      return toCurrencyTieOut(currency, of(plain), of(current), toCountedAmount(of(held)), toCountedAmount(of(removed)))
    })
    .filter(({ lines, invoices }) => lines.count > 0 || invoices.count > 0)
}

function toCurrencyTieOut(
  currency: string,
  plain: CompletenessSurvey['plain'],
  proved: CompletenessSurvey['proved'],
  lines: CountedAmount,
  removed: CountedAmount,
): CurrencyTieOut {
  const tieOuts = proved.map(({ tieOut }) => tieOut)
  const plainAmount = sumDecimals(plain.map(({ totalAmount }) => totalAmount))
  const count = (numbers: number[]) => numbers.reduce((sum, number) => sum + number, 0)
  const ofInvoices = {
    count:
      count(plain.map(({ lineCount, goneLineCount }) => lineCount - goneLineCount)) +
      count(proved.map(({ completeness }) => completeness.heldLineCount)),
    amount: sumDecimals([plainAmount, ...tieOuts.map((each) => each.lines)]),
  }
  const invoices = {
    count: count(plain.map(({ invoiceCount, goneCount }) => invoiceCount - goneCount)) + proved.length,
    amount: sumDecimals([plainAmount, ...tieOuts.map(({ total }) => total)]),
  }
  const notImported = toAsideTotal(tieOuts.map((each) => each.notImported))
  const credits = tieOuts.flatMap(({ creditUsed }) =>
    creditUsed === null || isZeroDecimal(creditUsed) ? [] : creditUsed,
  )
  const creditUsed = { count: credits.length, amount: sumDecimals(credits) }
  const comesTo = subtractDecimals(addDecimals(lines.amount, notImported.amount), creditUsed.amount)
  const difference = subtractDecimals(invoices.amount, comesTo)
  const parts = tieOuts.flatMap(({ explained }) => explained)
  const explained = TIE_OUT_REASONS.map((reason) => {
    const amounts = parts.filter((part) => part.reason === reason).map(({ amount }) => amount)
    return { reason, count: amounts.length, amount: sumDecimals(amounts) }
  }).filter((each) => each.count > 0)
  return {
    currency,
    lines,
    notImported,
    removed,
    creditUsed,
    comesTo,
    invoices,
    difference,
    explained,
    unexplained: subtractDecimals(difference, sumDecimals(explained.map(({ amount }) => amount))),
    openInvoices: proved
      .flatMap(({ connectionId, serialNumber, tieOut: { unexplained } }) =>
        isZeroDecimal(unexplained) ? [] : { connectionId, serialNumber, unexplained },
      )
      .sort((a, b) => compareDecimals(toSize(b.unexplained), toSize(a.unexplained))),
    stray: {
      count: lines.count - ofInvoices.count,
      amount: subtractDecimals(lines.amount, ofInvoices.amount),
    },
  }
}

function toCountedAmount(sums: readonly LineSum[]): CountedAmount {
  return {
    count: sums.reduce((count, { lineCount }) => count + lineCount, 0),
    amount: sumDecimals(sums.map(({ totalAmount }) => totalAmount)),
  }
}

function toAsideTotal(asides: readonly { lineCount: number; amount: DecimalText; unknownCount: number }[]): AsideTotal {
  const sum = (read: (aside: (typeof asides)[number]) => number) => asides.reduce((all, each) => all + read(each), 0)
  return {
    count: sum(({ lineCount }) => lineCount),
    amount: sumDecimals(asides.map(({ amount }) => amount)),
    unknownCount: sum(({ unknownCount }) => unknownCount),
  }
}
