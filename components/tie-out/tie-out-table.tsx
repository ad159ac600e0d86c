import { ShortAmount } from '#components/figures/short-amount.tsx'
import { Step } from '#components/figures/step.tsx'
import { ScrollBox } from '#components/primitives/scroll-box.tsx'
import { toListAddress } from '#components/query/list-address.ts'
import { plural } from '#components/text/plural.ts'
import { STATE_LOOKS } from '#components/verdict/verdict-looks.ts'
import { VerdictText } from '#components/verdict/verdict-text.tsx'
import type { AsideTotal, CurrencyTieOut } from '#lib/ledger/model.ts'
import { DEFAULT_INVOICE_QUERY, type InvoiceQuery } from '#lib/ledger/query/invoice-query.ts'
import { isEverything, type LedgerScope } from '#lib/ledger/query/ledger-scope.ts'
import { DEFAULT_LINE_QUERY, type LineQuery } from '#lib/ledger/query/line-query.ts'
import { addDecimals, type DecimalText, isZeroDecimal, sumDecimals } from '#lib/reconcile/money.ts'
import { TIE_OUT_WORDS } from '#lib/reconcile/reasons/tie-out-words.ts'
import { shortenAmount } from '#lib/reconcile/short-amount.ts'
import { sumExplained } from '#lib/reconcile/tie-out.ts'
import { type State, type StateCounts, stateOf } from '#lib/reconcile/verdict.ts'

type TieOutTableProps = {
  tieOut: readonly CurrencyTieOut[]
  /** What the tie-out is about, for the lists that its figures lead to. */
  scope: LedgerScope
  /** The invoices' totals of the period before, per currency. */
  before: { name: string; totals: Record<string, DecimalText> } | null
}

/**
 * Lines and invoices of each currency side by side: lines + not imported - credit used = expected,
 * what the invoices state, and the difference between them, explained and not. Where the platform
 * removed lines of the scope, what it sent comes first: received - removed = lines. Each figure
 * leads to what it sums. One row per currency; no figure spans two.
 */
export function TieOutTable({ tieOut, scope, before }: TieOutTableProps) {
  const isPart = !isEverything(scope)
  if (tieOut.length === 0)
    return isPart ? (
      <p className="shrink-0 border-y bg-panel px-5 py-3 text-[13px] text-ink2">Nothing is in this scope.</p>
    ) : null
  const hasRemoved = tieOut.some(({ removed }) => removed.count > 0)
  return (
    <ScrollBox label="Tie-out" className="tie-out shrink-0 overflow-x-auto border-y bg-panel">
      <table aria-label="Tie-out" className="w-full border-separate border-spacing-0 text-[13px] tabular-nums">
        <thead>
          <tr>
            <th scope="col">Currency</th>
            {hasRemoved && <th scope="col">Received</th>}
            {hasRemoved && <th scope="col">Removed</th>}
            <th scope="col">Lines</th>
            <th scope="col">Not imported</th>
            <th scope="col">Credit used</th>
            <th scope="col">Expected</th>
            <th scope="col">Stated</th>
            <th scope="col">Explained</th>
            <th scope="col">Unexplained</th>
          </tr>
        </thead>
        <tbody>
          {tieOut.map((each) => (
            <TieOutRow key={each.currency} tieOut={each} scope={scope} before={before} hasRemoved={hasRemoved} />
          ))}
        </tbody>
      </table>
    </ScrollBox>
  )
}

type TieOutRowProps = Omit<TieOutTableProps, 'tieOut'> & { tieOut: CurrencyTieOut; hasRemoved: boolean }

function TieOutRow({ tieOut, scope, before, hasRemoved }: TieOutRowProps) {
  const { currency, lines, notImported, removed, creditUsed, comesTo, invoices, explained, unexplained } = tieOut
  const { dateField: _ofLines, ...ofInvoices } = scope
  const toLines = (patch: Partial<LineQuery>) =>
    toListAddress({
      list: 'lines',
      query: { ...DEFAULT_LINE_QUERY, ...scope, currencies: [currency], ...patch },
    })
  const toInvoices = (patch: Partial<InvoiceQuery>) =>
    toListAddress({
      list: 'invoices',
      query: { ...DEFAULT_INVOICE_QUERY, ...ofInvoices, currencies: [currency], ...patch },
    })
  const explainedAmount = sumDecimals(explained.map(({ amount }) => amount))
  const state = stateOf({ parts: countParts(tieOut) })
  const isTied = isZeroDecimal(unexplained) && tieOut.openInvoices.length === 0
  const look = `${STATE_LOOKS[isTied ? 'ties_out' : state].tone} ${isTied ? '' : 'font-semibold'}`
  return (
    <tr>
      <th scope="row">
        <span className="font-semibold">{currency}</span>
        <small>
          <VerdictText state={state}>{describeCurrency(state, tieOut)}</VerdictText>
        </small>
      </th>
      {hasRemoved && (
        <>
          <Step
            name="Received"
            amount={removed.count === 0 ? null : addDecimals(lines.amount, removed.amount)}
            currency={currency}
            note={removed.count === 0 ? null : plural(lines.count + removed.count, 'line')}
          />
          <Step
            name="Removed"
            sign="−"
            amount={removed.count === 0 ? null : removed.amount}
            currency={currency}
            href={toLines({ goneOnly: true })}
            note={removed.count === 0 ? null : plural(removed.count, 'line')}
          />
        </>
      )}
      <Step
        name="Lines"
        sign={removed.count > 0 ? '=' : undefined}
        amount={lines.amount}
        currency={currency}
        href={toLines({})}
        note={plural(lines.count, 'line')}
      />
      <Step
        name="Not imported"
        sign="+"
        amount={notImported.count === 0 ? null : notImported.amount}
        currency={currency}
        href="/rejected"
        note={notImported.count === 0 ? null : describeAside(notImported)}
      />
      <Step
        name="Credit used"
        sign="−"
        amount={creditUsed.count === 0 ? null : creditUsed.amount}
        currency={currency}
        href={toInvoices({ credit: true })}
        note={creditUsed.count === 0 ? null : plural(creditUsed.count, 'invoice')}
      />
      <Step name="Expected" sign="=" amount={comesTo} currency={currency} />
      <Step
        name="Stated"
        amount={invoices.amount}
        currency={currency}
        href={toInvoices({})}
        note={
          <>
            {plural(invoices.count, 'invoice')}
            {before !== null && (
              <>
                {' · '}
                <ShortAmount amount={before.totals[currency] ?? sumDecimals([])} currency={currency} /> in {before.name}
              </>
            )}
          </>
        }
      />
      <Step
        name="Explained"
        amount={explained.length === 0 ? null : explainedAmount}
        currency={currency}
        isSigned
        href={toInvoices({ findings: ['total_explained'] })}
        note={explained.length === 0 ? null : explained.map(({ reason }) => TIE_OUT_WORDS[reason]).join(', ')}
      />
      <Step
        name="Unexplained"
        amount={unexplained}
        currency={currency}
        isSigned
        look={look}
        href={isTied ? null : toInvoices({ findings: ['total'] })}
        note={isTied ? null : plural(tieOut.openInvoices.length, 'invoice')}
      />
    </tr>
  )
}

/**
 * Its invoices by themselves, and lines that are in none of them. Rounding is below what is stated.
 */
function countParts({ openInvoices, unexplained, explained, notImported, stray }: CurrencyTieOut): StateCounts {
  const counted = openInvoices.filter(({ isFinding }) => isFinding).length
  const isLoose = stray.count !== 0 || (openInvoices.length === 0 && !isZeroDecimal(unexplained))
  return {
    unexplained: counted + (isLoose ? 1 : 0),
    explained: explained.filter(({ reason }) => reason !== 'rounding').length,
    not_imported: notImported.count,
    note: openInvoices.length - counted,
  }
}

/** In the words of an invoice: a currency is all of its invoices. */
function describeCurrency(state: State, tieOut: CurrencyTieOut): string {
  const { currency, explained, notImported, unexplained } = tieOut
  const signed = (amount: DecimalText) => shortenAmount(amount, currency, { sign: 'always' }).text
  if (state === 'unexplained' || state === 'note') return describeOpen(tieOut)
  if (state === 'explained') return `ties out, ${signed(sumExplained({ explained }))} explained`
  if (state === 'not_imported') return `${plural(notImported.count, 'line')} not imported`
  return isZeroDecimal(unexplained) ? STATE_LOOKS.ties_out.word : describeOpen(tieOut)
}

/** What keeps a currency from tying out. */
function describeOpen({ openInvoices, stray }: CurrencyTieOut): string {
  const parts = [
    openInvoices.length > 0
      ? `${plural(openInvoices.length, 'invoice')} ${openInvoices.length === 1 ? 'does' : 'do'} not tie`
      : null,
    stray.count < 0 ? `${plural(-stray.count, 'line')} issued on other days than the invoice` : null,
    stray.count > 0 ? `${plural(stray.count, 'line')} without an invoice in this currency` : null,
  ].filter((part) => part !== null)
  return parts.length === 0 ? 'does not tie' : parts.join(', ')
}

function describeAside({ count, unknownCount }: AsideTotal): string {
  const lines = plural(count, 'line')
  return unknownCount === 0 ? lines : `${lines}, total of ${unknownCount} not provided`
}
