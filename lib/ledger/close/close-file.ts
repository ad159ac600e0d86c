/** The table of months as rows of a file: what the page shows, a row for each currency. */
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import type { CloseState, EndCause } from '#lib/reconcile/close/close-state.ts'
import { addDecimals, type DecimalText } from '#lib/reconcile/money.ts'
import type { BatchCursor } from '../sql/tenant-cursor.ts'
import { toShownRows } from './close-query.ts'
import type { CloseCell, CloseColumn, CloseTable } from './close-table.ts'
import { CLOSE_MONTHS, readClosePage } from './read-close.ts'

/** One month of one profile in one currency; whole counts are of the month, in each of its rows. */
export type CloseFileRow = {
  month: string
  connectionId: ConnectionId
  profileId: string | null
  profileName: string | null
  state: CloseState
  currency: string
  lineCount: string
  net: DecimalText | null
  total: DecimalText | null
  /** What changed since it was locked, or since the signature that ended. */
  changedBy: DecimalText | null
  changedCause: EndCause | null
  /** Accepted with a reason by who prepared it last. */
  residual: DecimalText | null
  invoiceCount: string
  incompleteCount: string
  undecidedCount: string
  disputedCount: string
  /** The latest of each step: whether it stands is what the state says. */
  preparedBy: string | null
  preparedAt: string | null
  approvedBy: string | null
  approvedAt: string | null
  lockedBy: string | null
  lockedAt: string | null
}

/** Rows of the months that the page shows. */
function toFile({ rows, columns }: CloseTable, unlockedOnly: boolean): CloseFileRow[] {
  return toShownRows(rows, { unlockedOnly }).flatMap(({ month, cells }) =>
    cells.flatMap((cell, at) => {
      const column = columns[at]
      return cell === null || column === undefined ? [] : toFileRows(month, column, cell)
    }),
  )
}

function toFileRows(month: string, column: CloseColumn, cell: CloseCell): CloseFileRow[] {
  const { connectionId, profileId, name: profileName } = column
  const { money, findings, invoiceCount, incompleteCount, undecided, stand, standing } = cell
  const { last, lock, drifted } = standing
  const { prepared, approved } = last
  const moved = stand.state === 'changed' ? drifted : (stand.fallen?.moved ?? [])
  const residuals = prepared?.residuals ?? []
  const currencies = [...new Set([...money, ...moved, ...residuals].map(({ currency }) => currency))].sort()
  return (currencies.length === 0 ? [column.currency] : currencies).map((currency) => {
    const own = money.find((each) => each.currency === currency)
    return {
      month,
      connectionId,
      profileId,
      profileName,
      state: stand.state,
      currency,
      lineCount: String(own?.lineCount ?? 0),
      net: own?.net ?? null,
      total: own?.total ?? null,
      changedBy: sumOf(moved, currency),
      changedCause: stand.fallen?.cause ?? null,
      residual: sumOf(residuals, currency),
      invoiceCount: String(invoiceCount),
      incompleteCount: String(incompleteCount),
      undecidedCount: String(undecided),
      disputedCount: String(findings.disputed ?? 0),
      preparedBy: prepared?.name ?? null,
      preparedAt: prepared?.at ?? null,
      approvedBy: approved?.name ?? null,
      approvedAt: approved?.at ?? null,
      lockedBy: lock?.name ?? null,
      lockedAt: lock?.at ?? null,
    }
  })
}

function sumOf(all: readonly { currency: string; amount: DecimalText }[], currency: string): DecimalText | null {
  const amounts = all.filter((each) => each.currency === currency).map(({ amount }) => amount)
  const [first, ...others] = amounts
  return first === undefined ? null : others.reduce(addDecimals, first)
}

/** The rows of twelve months, all of one moment; they are few, so they are one batch. */
export async function openCloseFile(
  organizationId: OrganizationId,
  { until, unlockedOnly }: { until: string; unlockedOnly: boolean },
): Promise<BatchCursor<CloseFileRow[]>> {
  const { table } = await readClosePage(organizationId, { until, months: CLOSE_MONTHS, chosen: null })
  const batches = [toFile(table, unlockedOnly)]
  return { next: async () => batches.shift() ?? [], close: async () => undefined, lost: new AbortController().signal }
}
