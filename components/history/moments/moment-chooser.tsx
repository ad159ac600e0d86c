import type { ReactNode } from 'react'
import { buttonClass } from '#components/primitives/button.ts'
import { chipClass } from '#components/primitives/chip.ts'
import { ListLink } from '#components/query/navigate.client.tsx'
import type { SignedMoment } from '#lib/ledger/close/list-signed-moments.ts'
import { type MomentQuery, writeMomentScope } from '#lib/ledger/query/moments/moment-query.ts'
import { currentFormats } from '#lib/reconcile/formats.ts'
import { formatZone } from '#lib/reconcile/moment.ts'
import { toInstant, toWallText } from '#lib/reconcile/moments/wall-time.ts'
import { BRIDGE_PATH } from './bridge-links.ts'
import { BridgeMoment } from './bridge-moment.tsx'
import { toMomentAddress } from './moment-address.ts'

type MomentChooserProps = {
  query: MomentQuery & { from: string }
  /** When exactly this was signed. */
  signed: readonly SignedMoment[]
  /** The clock in milliseconds when the page was drawn. */
  now: number
}

const INPUT = 'h-7 rounded-md border border-line2 bg-bg px-2 text-[13px] tabular-nums max-md:text-[16px]'

/**
 * The two moments: usual ones as links, any others typed into a plain form, which works by keyboard
 * and needs no script. Its times are those of the reader's clock.
 */
export function MomentChooser({ query, signed, now }: MomentChooserProps) {
  const { timeZone } = currentFormats()
  const { from, to, scope } = query
  const usual = listMoments(query, now)
  return (
    <div className="flex flex-wrap items-center gap-1.5 px-5 pb-2.5 max-md:px-4 print:hidden">
      <nav aria-label="Usual moments" className="flex flex-wrap gap-1.5">
        {usual.map(({ label, at }) => (
          <FromLink key={at} query={query} at={at}>
            {label}
          </FromLink>
        ))}
        {signed.map(({ step, name, at, hasEnded }) => (
          <FromLink key={at} query={query} at={at}>
            At sign-off: {step} by <bdi>{name}</bdi>, <BridgeMoment at={at} />
            {hasEnded && ', ended'}
          </FromLink>
        ))}
        <span aria-hidden className="mx-1 my-1 w-px bg-line2" />
        <ListLink
          href={toMomentAddress({ ...query, page: 1, to: null })}
          aria-current={to === null ? 'true' : undefined}
          className={chipClass({ look: to === null ? 'on' : 'plain' })}
        >
          To now
        </ListLink>
      </nav>
      <form
        key={`${from} ${to}`}
        action={BRIDGE_PATH}
        aria-label="Two moments"
        className="flex flex-wrap items-center gap-1.5 text-[12px] text-ink3"
      >
        {writeMomentScope(scope).map(([name, value]) => (
          <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
        ))}
        {[from, to ?? ''].map((at) => at !== '' && <input key={at} type="hidden" name="kept" value={at} />)}
        <label className="flex items-center gap-1.5">
          From
          <input
            type="datetime-local"
            step="1"
            name="from"
            required
            defaultValue={toWallText(from, timeZone)}
            className={INPUT}
          />
        </label>
        <label className="flex items-center gap-1.5">
          to
          <input
            type="datetime-local"
            step="1"
            name="to"
            aria-describedby="moment-hint"
            defaultValue={to === null ? '' : toWallText(to, timeZone)}
            className={INPUT}
          />
        </label>
        <button type="submit" className={buttonClass({ look: 'plain' })}>
          Show
        </button>
        <span id="moment-hint">
          <time dateTime={new Date(now).toISOString()}>{formatZone(now)}</time>; no end is now
        </span>
      </form>
    </div>
  )
}

type FromLinkProps = { query: MomentChooserProps['query']; at: string; children: ReactNode }

/** The same bridge from another moment on; an end before it is none. */
function FromLink({ query, at, children }: FromLinkProps) {
  const isChosen = query.from === at
  return (
    <ListLink
      href={toMomentAddress({ ...query, page: 1, from: at, ...(query.to !== null && query.to < at && { to: null }) })}
      aria-current={isChosen ? 'true' : undefined}
      className={chipClass({ look: isChosen ? 'on' : 'plain' })}
    >
      {children}
    </ListLink>
  )
}

/** The beginnings that most people ask for; each once. */
function listMoments({ scope }: MomentQuery, now: number): { label: string; at: string }[] {
  const { timeZone } = currentFormats()
  const today = toWallText(now, timeZone).slice(0, 10)
  const toLabelled = (label: string, day: string | null) => {
    const at = day === null ? null : toInstant(day, timeZone)
    return at === null || Date.parse(at) > now ? [] : [{ label, at }]
  }
  return [
    ...toLabelled('Start of today', today),
    ...toLabelled('End of last month', `${today.slice(0, 8)}01`),
    ...toLabelled('Start of the period', scope.from),
    ...toLabelled('End of the period', scope.to === null ? null : toDayAfter(scope.to)),
    ...toLabelled('Start of the year', `${today.slice(0, 5)}01-01`),
  ].filter(({ at }, index, all) => all.findIndex((each) => each.at === at) === index)
}

function toDayAfter(day: string): string {
  return new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10)
}
