import type { ReactNode } from 'react'
import { Mark } from '#components/primitives/mark.tsx'
import { plural } from '#components/text/plural.ts'
import type { Coverage } from '#lib/ledger/model.ts'
import { formatCount } from '#lib/reconcile/format.ts'

/** The platform's count of each list beside ours. Rejected records are held, so they count. */
export function CoverageFigures({ coverage }: { coverage: Coverage }) {
  return (
    <dl className="flex flex-wrap border-y bg-panel">
      {coverage.lists.map((list) => (
        <Figure key={list.list} name={list.list === 'lines' ? 'Lines' : 'Invoices'} note={compare(list)}>
          {formatCount(list.held)}
        </Figure>
      ))}
      {coverage.undatedInvoices > 0 && (
        <Figure name="Without a day of issue" note="in no month">
          {plural(coverage.undatedInvoices, 'invoice')}
        </Figure>
      )}
    </dl>
  )
}

function compare({ reported, held, rejected }: Coverage['lists'][number]): ReactNode {
  const kept = rejected > 0 ? `+ ${formatCount(rejected)} not imported` : ''
  if (reported === null) return <span className="text-ink3">{kept} the platform’s count is not provided</span>
  const difference = reported - held - rejected
  if (difference === 0)
    return (
      <span className="text-ink2">
        {kept} = the {formatCount(reported)} that the platform reports
      </span>
    )
  return (
    <>
      <span className="text-ink2">{kept}</span>
      <span className="ml-1.5 text-warn">
        <Mark kind="held" className="mr-1.5" />
        {difference > 0 ? `${formatCount(difference)} fewer` : `${formatCount(-difference)} more`} than the{' '}
        {formatCount(reported)} that the platform last reported
      </span>
    </>
  )
}

function Figure({ name, note, children }: { name: string; note: ReactNode; children: ReactNode }) {
  return (
    <div className="min-w-[180px] border-r px-5 py-2 max-md:w-full max-md:border-b max-md:px-4">
      <dt className="text-[12px] text-ink3 leading-4">{name}</dt>
      <dd className="font-medium text-[15px] tabular-nums">
        {children} <span className="font-normal text-[12px]">{note}</span>
      </dd>
    </div>
  )
}
