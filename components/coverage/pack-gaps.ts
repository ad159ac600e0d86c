import type { Coverage } from '#lib/ledger/model.ts'
import type { State } from '#lib/reconcile/verdict.ts'
import { toInvoicesAddress, toLinesAddress } from './coverage-addresses.ts'
import { isGap, listGaps } from './coverage-words.ts'
import { type MonthAddress, toMonthAddress } from './pack-calendar.ts'

type PackedGap = [profile: number, month: string, verdict: State, text: string, hasRejected: boolean]

/** The months that do not add up, latest first, on their way to the browser without markup. */
export type PackedGaps = {
  profiles: { name: string; invoices: MonthAddress; lines: MonthAddress }[]
  gaps: PackedGap[]
}

export function packGaps({ connectionId, profiles }: Coverage): PackedGaps {
  const behind = profiles.filter(({ cells }) => cells.some(isGap))
  return {
    profiles: behind.map(({ id, name }) => {
      const spot = { connectionId, profileId: id }
      return {
        name: name ?? id ?? 'no profile',
        invoices: toMonthAddress((month) => toInvoicesAddress({ ...spot, month })),
        lines: toMonthAddress((month) => toLinesAddress({ ...spot, month })),
      }
    }),
    gaps: behind
      .flatMap(({ cells }, profile) =>
        cells
          .filter(isGap)
          .map(
            (cell): PackedGap => [
              profile,
              cell.month,
              cell.verdict,
              listGaps(cell).join(', '),
              cell.rejectedLineCount > 0,
            ],
          ),
      )
      .sort(([, one], [, other]) => (one < other ? 1 : one > other ? -1 : 0)),
  }
}
