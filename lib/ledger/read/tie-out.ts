import type { Sql } from '#lib/db/tenant.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import { groupBy } from '#lib/reconcile/group-by.ts'
import { INVOICE_FINDING_CODES, TIE_OUT_REASONS } from '#lib/reconcile/invoice-finding.ts'
import {
  addDecimals,
  type DecimalText,
  isNegativeDecimal,
  isZeroDecimal,
  type Money,
  subtractDecimals,
  sumDecimals,
  toSize,
} from '#lib/reconcile/money.ts'
import type { CompletenessSurvey } from '../kept/plain-invoices/read-completeness.ts'
import type { AsideTotal, CountedAmount, CurrencyTieOut, LineTotal, TieOut } from '../model.ts'
import { EVERYTHING, type LedgerScope } from '../query/ledger-scope.ts'
import { DEFAULT_LINE_QUERY } from '../query/line-query.ts'
import { selectTogether } from '../sql/select-together.ts'
import { createSqlParameters } from '../sql/sql-parameters.ts'
import { toTotalsQuery } from './line-totals.ts'

/**
 * Lines and invoices of each currency, tied out (docs/decisions/020-tie-out.md): lines + not
 * imported - credit used = comes to; beside it the invoices' totals, and what explains the
 * difference. The survey is of all invoices; days of issue are whole months, by which the plain
 * ones are counted. Every line and every invoice of the scope is in it once, so its sums are those
 * of the lists; what no reason accounts for is unexplained.
 */
export async function readTieOut(
  sql: Sql,
  organizationId: OrganizationId,
  survey: CompletenessSurvey,
  scope: LedgerScope = EVERYTHING,
  isDecided: (invoice: Proved) => boolean = () => false,
): Promise<TieOut> {
  const { plain, proved } = narrow(survey, scope)
  const inScope = { plain, proved: proved.map((invoice) => ({ ...invoice, isDecided: isDecided(invoice) })) }
  return {
    currencies: sumTieOut(inScope, await readLineSums(sql, organizationId, scope)),
    findings: sumFindings(inScope),
  }
}

type Proved = CompletenessSurvey['proved'][number]
/** `isDecided`: its findings are in every sum, and wait for nobody. */
type MarkedSurvey = { plain: CompletenessSurvey['plain']; proved: (Proved & { isDecided: boolean })[] }

function sumFindings({ proved }: MarkedSurvey): TieOut['findings'] {
  const found = proved.flatMap((invoice) =>
    invoice.isGone || invoice.isDecided
      ? []
      : invoice.findings.map(({ code, amount }) => ({
          code,
          currency: invoice.currency,
          amount,
          shrunk: isShrunk(invoice) ? invoice.connectionId : null,
        })),
  )
  const byCode = groupBy(found, ({ code }) => code)
  return INVOICE_FINDING_CODES.flatMap((code) => {
    const ofCode = byCode.get(code)
    return ofCode === undefined
      ? []
      : {
          code,
          invoiceCount: ofCode.length,
          sums: sumSizes(ofCode),
          shrunk: ofCode.flatMap(({ shrunk }) => shrunk ?? []),
        }
  })
}

/** Whether the invoice states fewer lines than are here, or less than they come to. */
function isShrunk({ completeness: { count }, tieOut }: Proved): boolean {
  return count.stated === null ? isNegativeDecimal(tieOut.unexplained) : count.held > count.stated
}

/** A sum for each currency in which there is an amount. */
function sumSizes(found: readonly { currency: string; amount: DecimalText | null }[]): Money[] {
  const sizes = found.flatMap(({ currency, amount }) => (amount === null ? [] : { currency, size: toSize(amount) }))
  return [...groupBy(sizes, ({ currency }) => currency)]
    .map(([currency, own]) => ({ currency, amount: sumDecimals(own.map(({ size }) => size)) }))
    .sort((a, b) => (a.currency < b.currency ? -1 : 1))
}

/** Lines per currency: those that the platform has, and those that it removed. */
type LineSums = { held: LineTotal[]; removed: LineTotal[] }

function readLineSums(sql: Sql, organizationId: OrganizationId, scope: LedgerScope): Promise<LineSums> {
  const filters = { ...DEFAULT_LINE_QUERY, ...scope }
  const parameters = createSqlParameters()
  return selectTogether<LineSums>(
    sql,
    {
      held: toTotalsQuery(organizationId, filters, parameters),
      removed: toTotalsQuery(organizationId, { ...filters, goneOnly: true }, parameters),
    },
    parameters.values,
  )
}

/** The invoices of the scope. Plain ones are counted by the month of issue. */
function narrow(
  { plain, proved }: CompletenessSurvey,
  { connections, profiles, currencies, from, to, dateField }: LedgerScope,
): CompletenessSurvey {
  const isAmong = (chosen: readonly string[], value: string | null) =>
    chosen.length === 0 || chosen.includes(value ?? '')
  const isOf = (each: { connectionId: ConnectionId; profileId: string | null; currency: string }) =>
    isAmong(connections, each.connectionId) && isAmong(profiles, each.profileId) && isAmong(currencies, each.currency)
  const isIssued = (day: string | null) => {
    if (from === null && to === null) return true
    return dateField === 'issued' && day !== null && day >= (from ?? '') && (to === null || day <= to)
  }
  return {
    plain: plain.filter((each) => isOf(each) && isIssued(each.month === null ? null : `${each.month}-01`)),
    proved: proved.filter((each) => isOf(each) && isIssued(each.issuingDate)),
  }
}

/** The totals of the scope's invoices per currency, as `CurrencyTieOut` has them. */
export function sumInvoices(survey: CompletenessSurvey, scope: LedgerScope): Record<string, DecimalText> {
  const { plain, proved } = narrow(survey, scope)
  const totals = [
    ...plain.flatMap(({ currency, isGone, totalAmount }) => (isGone ? [] : { currency, amount: totalAmount })),
    ...proved.flatMap(({ currency, isGone, tieOut }) => (isGone ? [] : { currency, amount: tieOut.total })),
  ]
  const currencies = [...new Set(totals.map(({ currency }) => currency))]
  return Object.fromEntries(
    currencies.map((currency) => [
      currency,
      sumDecimals(totals.flatMap((each) => (each.currency === currency ? each.amount : []))),
    ]),
  )
}

function sumTieOut(survey: MarkedSurvey, { held, removed }: LineSums): CurrencyTieOut[] {
  const plain = survey.plain.filter(({ isGone }) => !isGone)
  const proved = survey.proved.filter(({ isGone }) => !isGone)
  const currencies = new Set([...plain, ...proved, ...held, ...removed].map(({ currency }) => currency))
  return [...currencies]
    .sort()
    .map((currency) => {
      const of = <T extends { currency: string }>(all: readonly T[]) => all.filter((each) => each.currency === currency)
      return toCurrencyTieOut(currency, of(plain), of(proved), toCountedAmount(of(held)), toCountedAmount(of(removed)))
    })
    .filter((each) => each.lines.count + each.invoices.count + each.removed.count > 0)
}

function toCurrencyTieOut(
  currency: string,
  plain: CompletenessSurvey['plain'],
  proved: MarkedSurvey['proved'],
  lines: CountedAmount,
  removed: CountedAmount,
): CurrencyTieOut {
  const tieOuts = proved.map(({ tieOut }) => tieOut)
  const plainAmount = sumDecimals(plain.map(({ totalAmount }) => totalAmount))
  const count = (numbers: number[]) => numbers.reduce((sum, number) => sum + number, 0)
  const ofInvoices = {
    count:
      count(plain.map(({ lineCount }) => lineCount)) +
      count(proved.map(({ completeness }) => completeness.heldLineCount)),
    amount: sumDecimals([plainAmount, ...tieOuts.map((each) => each.lines)]),
  }
  const invoices = {
    count: count(plain.map(({ invoiceCount }) => invoiceCount)) + proved.length,
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
    openInvoices: proved.flatMap((invoice) => {
      const {
        connectionId,
        serialNumber,
        tieOut: { unexplained },
        findings,
        isDecided,
      } = invoice
      const isFinding = findings.some(({ code }) => code === 'total')
      return isZeroDecimal(unexplained)
        ? []
        : { connectionId, serialNumber, unexplained, isFinding, isDecided, isShrunk: isShrunk(invoice) }
    }),
    stray: {
      count: lines.count - ofInvoices.count,
      amount: subtractDecimals(lines.amount, ofInvoices.amount),
    },
  }
}

function toCountedAmount(sums: readonly LineTotal[]): CountedAmount {
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
