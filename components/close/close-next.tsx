import { toAddress } from '#components/query/address.ts'
import { Link } from '#components/query/link.client.tsx'
import { type CloseQuery, isSamePeriod, writeCloseQuery } from '#lib/ledger/close/close-query.ts'
import type { NextToSign } from '#lib/ledger/close/close-table.ts'
import { nextStepOf } from '#lib/reconcile/close/close-state.ts'
import { formatMonth } from '#lib/reconcile/format.ts'
import { type Closer, listMay, STEP_VERBS, writeWho } from './close-people.ts'

type CloseNextProps = {
  next: readonly NextToSign[]
  people: readonly Closer[]
  ownId: string
  fourEyes: boolean
  query: CloseQuery
}

const MOST = 8

/** What waits for a step, and who may take it. Each leads to its month, where the step is. */
export function CloseNext({ next, people, ownId, fourEyes, query }: CloseNextProps) {
  const others = next.filter(({ scope }) => !isSamePeriod(scope, query.chosen))
  return (
    <section aria-labelledby="close-next">
      <h2 id="close-next">
        Next to sign <small>{next.length}</small>
      </h2>
      {others.length === 0 ? (
        <p className="text-ink2">Nothing{next.length > 0 ? ' else' : ''} waits for a signature.</p>
      ) : (
        <ul className="close-next">
          {others.slice(0, MOST).map(({ scope, name, state, preparedBy }) => {
            const step = nextStepOf(state, true)
            if (step === null) return null
            const may = listMay(people, step, fourEyes ? (preparedBy?.id ?? null) : null)
            const isOwn = fourEyes && step === 'approve' && preparedBy?.id === ownId
            const href = toAddress('/close', writeCloseQuery({ ...query, chosen: scope }))
            return (
              <li key={href}>
                <span>
                  <Link href={href} className="hover:underline">
                    {formatMonth(scope.month)} – <bdi>{name}</bdi>, {state}
                  </Link>
                  <small>
                    {writeWho(may, ownId)}
                    {isOwn && '; not you, you prepared it'}
                  </small>
                </span>
                <span className="close-next-step">{STEP_VERBS[step]}</span>
              </li>
            )
          })}
        </ul>
      )}
      {others.length > MOST && <p className="text-ink3">{others.length - MOST} more in the table.</p>}
    </section>
  )
}
