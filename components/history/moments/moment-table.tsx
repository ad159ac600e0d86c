import { Step } from '#components/figures/step.tsx'
import { ScrollBox } from '#components/primitives/scroll-box.tsx'
import { plural } from '#components/text/plural.ts'
import type { MomentQuery } from '#lib/ledger/query/moments/moment-query.ts'
import type { LineSum } from '#lib/reconcile/bridge.ts'
import { MOMENT_PARTS, type MomentBridge, type MomentPart } from '#lib/reconcile/moments/moment-bridge.ts'
import { BridgeMoment } from './bridge-moment.tsx'
import { toMomentAddress } from './moment-address.ts'
import { describeMoment, PART_WORDS } from './moment-words.ts'

type MomentTableProps = { bridges: readonly MomentBridge[]; query: MomentQuery }

/**
 * What stood at the one moment, each part with its sign, and what stood at the other: one row per
 * currency, never across two. Each part leads to its lines.
 */
export function MomentTable({ bridges, query }: MomentTableProps) {
  const [start, end] = [describeMoment(query.from), describeMoment(query.to)]
  return (
    <ScrollBox label="Bridge" className="tie-out bridge shrink-0 overflow-x-auto border-y bg-panel">
      <table aria-label="Bridge" className="w-full border-separate border-spacing-0 text-[13px] tabular-nums">
        <thead>
          <tr>
            <th scope="col">Currency</th>
            <th scope="col">
              <BridgeMoment at={query.from} />
            </th>
            {MOMENT_PARTS.map((part) => (
              <th key={part} scope="col" title={PART_WORDS[part].lines}>
                {PART_WORDS[part].name}
              </th>
            ))}
            <th scope="col">
              <BridgeMoment at={query.to} />
            </th>
          </tr>
        </thead>
        <tbody>
          {bridges.map(({ currency, start: stood, parts, end: stands }) => (
            <tr key={currency}>
              <th scope="row">
                <span className="font-semibold">{currency}</span>
              </th>
              <Step name={start} {...toStep(stood)} currency={currency} />
              {MOMENT_PARTS.map((part) => (
                <PartStep key={part} part={part} sum={parts[part]} currency={currency} query={query} />
              ))}
              <Step name={end} sign="=" {...toStep(stands)} currency={currency} look="font-semibold" />
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  )
}

type PartStepProps = { part: MomentPart; sum: LineSum; currency: string; query: MomentQuery }

function PartStep({ part, sum, currency, query }: PartStepProps) {
  const isChosen = query.part === part && (query.currency === null || query.currency === currency)
  return (
    <Step
      name={PART_WORDS[part].name}
      {...toStep(sum)}
      currency={currency}
      isSigned
      look={isChosen ? 'font-semibold underline underline-offset-2' : undefined}
      href={sum.count === 0 ? null : toMomentAddress({ ...query, part, currency, page: 1 })}
    />
  )
}

function toStep({ count, amount }: LineSum) {
  return { amount: count === 0 ? null : amount, note: count === 0 ? null : plural(count, 'line') }
}
