import { memo, type ReactNode } from 'react'
import { classNames } from '#components/class-names.ts'
import { Amount } from '#components/figures/amount.tsx'
import { GRID } from '#components/primitives/grid-roles.ts'
import { Mark } from '#components/primitives/mark.tsx'
import type { LineRow } from '#lib/ledger/model.ts'
import { formatAmount, formatCount, formatDay } from '#lib/reconcile/format.ts'
import type { DecimalText } from '#lib/reconcile/money.ts'
import { toGroupName } from './group-labels.ts'
import type { TreeRow } from './group-tree.ts'

type GroupCellsProps = { row: TreeRow; currencies: string[] }

/** Going to another row draws none of the cells again. */
export const GroupCells = memo(function GroupCells({ row, currencies }: GroupCellsProps) {
  switch (row.kind) {
    case 'group': {
      const { name, id, isUnknown } = toGroupName(row.group)
      const amounts = new Map(row.group.totals.map((total) => [total.currency, total.totalAmount]))
      return (
        <>
          <NameCell>
            <span aria-hidden className="group-mark" />
            <bdi className={classNames('text', row.level === 1 && 'font-medium', isUnknown && 'text-ink2')}>{name}</bdi>
            {id !== null && <bdi className="font-normal text-ink3">{id}</bdi>}
          </NameCell>
          <Cell className="max-md:order-2 max-md:text-ink3">
            {formatCount(row.group.lineCount)}
            <span className="md:sr-only"> {row.group.lineCount === 1 ? 'line' : 'lines'}</span>
          </Cell>
          <AmountCells currencies={currencies} amounts={amounts} />
          <FindingCell count={row.group.findingCount} />
        </>
      )
    }
    case 'line':
      return <LineCells line={row.line} currencies={currencies} />
    default:
      return (
        <td {...GRID.cell} colSpan={currencies.length + 3} className="max-md:w-full">
          <span className="flex items-center gap-2 pl-[19px] md:pl-[calc(19px+var(--indent))]">
            {row.kind === 'loading' && <span className="text-ink3">Loading…</span>}
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
})

function LineCells({ line, currencies }: { line: LineRow; currencies: string[] }) {
  return (
    <>
      <NameCell>
        <span aria-hidden className="w-3.5 shrink-0" />
        <bdi className="text">{line.description || 'Line without a description'}</bdi>
        <bdi className="min-w-0 shrink-[4] text-ink3 @max-[760px]:hidden">
          {formatDay(line.expenseDate)} · {line.invoiceSerialNumber}
        </bdi>
      </NameCell>
      <Cell className="text-ink3 max-md:order-2 max-md:hidden">1</Cell>
      <AmountCells currencies={currencies} amounts={new Map([[line.currency, line.totalAmount]])} />
      <FindingCell
        count={line.findingCodes.length}
        text={line.findingCodes
          .map((code) =>
            formatAmount(code === 'tax' ? line.taxDifference : line.difference, line.currency, { sign: 'always' }),
          )
          .join(', ')}
      />
    </>
  )
}

function NameCell({ children }: { children: ReactNode }) {
  return (
    <td {...GRID.cell} className="group-name">
      <span>{children}</span>
    </td>
  )
}

function AmountCells({ currencies, amounts }: { currencies: string[]; amounts: ReadonlyMap<string, DecimalText> }) {
  return currencies.map((currency) => {
    const amount = amounts.get(currency)
    return (
      <Cell key={currency} className={amount === undefined ? 'max-md:hidden' : 'max-md:order-3'}>
        {amount !== undefined && (
          <>
            <Amount amount={amount} currency={currency} />
            <span className="ml-1 text-[12px] text-ink3 md:hidden">{currency}</span>
          </>
        )}
      </Cell>
    )
  })
}

function FindingCell({ count, text }: { count: number; text?: string }) {
  return (
    <Cell className={classNames('text-bad max-md:order-4', count === 0 && 'max-md:hidden')}>
      {count > 0 && (
        <span className="inline-flex items-center justify-end gap-1.5">
          <Mark kind="failed" label={`${formatCount(count)} failed`} />
          {text ?? formatCount(count)}
        </span>
      )}
    </Cell>
  )
}

function Cell({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <td {...GRID.cell} className={classNames('of-figures group-figure', className)}>
      {children}
    </td>
  )
}
