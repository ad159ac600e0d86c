import type { ReactNode } from 'react'
import { ShortAmount } from '#components/figures/short-amount.tsx'
import { Mark } from '#components/primitives/mark.tsx'
import { Link } from '#components/query/link.client.tsx'
import { LineFindings } from '#components/verdict/line-findings.tsx'
import { STATE_LOOKS } from '#components/verdict/verdict-looks.ts'
import { VerdictText } from '#components/verdict/verdict-text.tsx'
import type { LineRow } from '#lib/ledger/model.ts'
import { formatCount, formatDay } from '#lib/reconcile/format.ts'
import type { DecimalText } from '#lib/reconcile/money.ts'
import { differenceOf, stateOf } from '#lib/reconcile/verdict.ts'
import { toGroupName } from './group-labels.ts'
import type { TreeRow } from './group-tree.ts'
import { type GroupedLines, toGroupAddress } from './lines-address.ts'

type GroupCellsProps = { row: TreeRow; currencies: string[]; lines: GroupedLines }

/** Their looks are in app/lists.css. */
export function GroupCells({ row, currencies, lines }: GroupCellsProps) {
  switch (row.kind) {
    case 'group': {
      const { name, id, isUnknown } = toGroupName(row.group)
      const amounts = new Map(row.group.totals.map((total) => [total.currency, total.totalAmount]))
      const toLines = (currency: string) => toGroupAddress(lines, row.path, [['currency', currency]])
      return (
        <>
          <NameCell>
            <bdi className={isUnknown ? 'text-ink2' : undefined}>{name}</bdi>
            {id !== null && <bdi>{id}</bdi>}
          </NameCell>
          <td>
            <Link href={toGroupAddress(lines, row.path)}>
              {formatCount(row.group.lineCount)}
              <small> {row.group.lineCount === 1 ? 'line' : 'lines'}</small>
            </Link>
          </td>
          <AmountCells currencies={currencies} amounts={amounts} toLines={toLines} />
          <td>
            <LineFindings findingCount={row.group.findingCount} lineStates={row.group.lineStates} />
          </td>
        </>
      )
    }
    case 'line':
      return <LineCells line={row.line} currencies={currencies} />
    default:
      return (
        <td colSpan={currencies.length + 3}>
          <span>
            {row.kind === 'more' && <span className="text-accent">Show {formatCount(row.more)} more</span>}
            {row.kind === 'failed' && (
              <>
                <Mark kind="failed" />
                <span className="truncate" title={row.text}>
                  {row.text}
                </span>
                <span className="text-accent">Try again</span>
                {row.reference && <span className="text-ink3">Reference {row.reference}</span>}
              </>
            )}
          </span>
        </td>
      )
  }
}

function LineCells({ line, currencies }: { line: LineRow; currencies: string[] }) {
  return (
    <>
      <NameCell>
        <bdi>{line.description || 'Line without a description'}</bdi>
        <bdi>
          {formatDay(line.expenseDate)} · {line.invoiceSerialNumber}
        </bdi>
      </NameCell>
      <td>1</td>
      <AmountCells currencies={currencies} amounts={new Map([[line.currency, line.totalAmount]])} />
      <td>
        <LineVerdict line={line} />
      </td>
    </>
  )
}

function NameCell({ children }: { children: ReactNode }) {
  return (
    <td>
      <span>{children}</span>
    </td>
  )
}

type AmountCellsProps = {
  currencies: string[]
  amounts: ReadonlyMap<string, DecimalText>
  /** Where an amount's lines are, if it is of several. */
  toLines?: (currency: string) => string
}

function AmountCells({ currencies, amounts, toLines }: AmountCellsProps) {
  return currencies.map((currency) => {
    const amount = amounts.get(currency)
    const figure = amount !== undefined && (
      <>
        <ShortAmount amount={amount} currency={currency} />
        <small> {currency}</small>
      </>
    )
    return <td key={currency}>{figure && toLines ? <Link href={toLines(currency)}>{figure}</Link> : figure}</td>
  })
}

/** Its state, and the difference of each of its findings. */
function LineVerdict({ line }: { line: LineRow }) {
  const state = stateOf({ line })
  const amounts = line.findingCodes.flatMap((code) => differenceOf(code, line) ?? [])
  if (line.findingCodes.length === 0) return null
  return (
    <VerdictText state={state} label={STATE_LOOKS[state].word}>
      {amounts.map((amount, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line's findings keep their places
        <span key={place}>
          {place > 0 && ', '}
          <ShortAmount amount={amount} currency={line.currency} signed />
        </span>
      ))}
    </VerdictText>
  )
}
