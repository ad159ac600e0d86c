'use client'

import { useRouter } from 'next/navigation'
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import { Strip, StripTotals } from '#components/figures/strip-totals.client.tsx'
import { LineTable, type LineTableProps } from '#components/lines/line-table.client.tsx'
import type { AwaitedTotals, LateTotals } from './read-late-totals.ts'

type Late = { awaited: AwaitedTotals; totals: LateTotals | null; hasFailed: boolean; retry: () => void }

const Totals = createContext<Late | null>(null)

/**
 * Asks for the totals of a page that came without them, for all parts of the page that show them.
 * Those of another list are dropped; those of the same one stay until there are newer ones.
 */
export function AwaitTotals({ awaited, children }: { awaited: AwaitedTotals | null; children: ReactNode }) {
  const router = useRouter()
  const [answer, setAnswer] = useState<{ address: string; totals: LateTotals | null; hasFailed: boolean } | null>(null)
  const [tries, setTries] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each try asks anew
  useEffect(() => {
    if (awaited === null) return
    const { address } = awaited
    const asked = new AbortController()
    const ask = async () => {
      const { readLateTotals } = await import('./read-late-totals.ts')
      const totals = await readLateTotals(awaited, asked.signal)
      if (asked.signal.aborted) return
      // lines have gone since the page was made
      if (totals.lineCount < awaited.rowCount) router.refresh()
      else setAnswer({ address, totals, hasFailed: false })
    }
    ask().catch(() => {
      if (!asked.signal.aborted)
        setAnswer((known) => ({ address, totals: known?.address === address ? known.totals : null, hasFailed: true }))
    })
    return () => asked.abort()
  }, [awaited, tries, router])
  const known = answer?.address === awaited?.address ? answer : null
  const late = awaited && {
    awaited,
    totals: known?.totals ?? null,
    hasFailed: known?.hasFailed ?? false,
    retry: () => {
      setAnswer(known && { ...known, hasFailed: false })
      setTries(tries + 1)
    },
  }
  return <Totals.Provider value={late}>{children}</Totals.Provider>
}

/** A list of lines, which goes on once it is known how many there are. */
export function LateTable({ lineCount, ...props }: LineTableProps) {
  const late = useContext(Totals)
  return <LineTable {...props} lineCount={lineCount ?? late?.totals?.lineCount ?? null} />
}

/** How many lines the list has, in words. */
export function LateScope() {
  const late = useContext(Totals)
  return <span aria-live="polite">{late?.totals?.scope ?? late?.awaited.soFar}</span>
}

/** The strip of totals. The room that they take is there before they are. */
export function LateStrip({ label }: { label: string }) {
  const late = useContext(Totals)
  if (late === null) return null
  const { awaited, totals, hasFailed, retry } = late
  if (totals !== null && !hasFailed) return <StripTotals totals={totals.totals} label={label} scope={totals.part} />
  return (
    <Strip label={label} isBusy={!hasFailed} className="strip-late">
      <p className="strip-all">
        {hasFailed ? <span role="alert">The totals could not be added up.</span> : 'Adding up…'}
        <span className="strip-words">
          {hasFailed ? (
            <button type="button" onClick={retry} className="strip-retry">
              Try again
            </button>
          ) : (
            awaited.soFar
          )}
        </span>
      </p>
      {Array.from({ length: awaited.currencyCount }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <div key={at} aria-hidden className="strip-total">
          <span className="strip-scope">{hasFailed || <span className="skeleton" />}</span>
          <span className="strip-amount" />
        </div>
      ))}
    </Strip>
  )
}
