import { Check } from '#components/primitives/icons.tsx'
import { toAddress } from '#components/query/address.ts'
import { Link } from '#components/query/link.client.tsx'
import type { ClosePeriod } from '#lib/ledger/close/read-close.ts'
import type { SignedMonth } from '#lib/ledger/close/read-standings.ts'
import { formatMoment } from '#lib/reconcile/moment.ts'
import { Lock } from './close-text.tsx'
import { writeFallen } from './close-words.ts'

/** Who prepared, approved and locked it, and in which role. What ended under a lock stays named. */
export function CloseSteps({ period }: { period: ClosePeriod }) {
  const { stand, standing } = period.cell
  const { lock, last } = standing
  const prepared = standing.prepared ?? (lock === null ? null : last.prepared)
  const approved = standing.approved ?? (lock === null ? null : last.approved)
  return (
    <section aria-labelledby="close-steps">
      <h3 id="close-steps">Sign-off</h3>
      {stand.fallen !== null && lock === null && (
        <p className="close-fallen">
          <bdi>{writeFallen(stand.fallen)}</bdi>
        </p>
      )}
      <ol className="close-steps">
        <Step title="Prepared" signed={prepared} />
        <Step title="Approved" signed={approved} note={toNote(prepared, approved)} />
        <li className={lock === null ? 'is-open' : undefined}>
          <b>
            {lock !== null && <Lock size={12} />}
            {lock === null ? 'Not locked' : 'Locked'}
          </b>
          {lock !== null && (
            <>
              <bdi>{lock.name}</bdi>
              <StepTime at={lock.at} />
              {lock.generation > 1 && <small>for the {writeOrdinal(lock.generation)} time</small>}
            </>
          )}
        </li>
      </ol>
      <SinceSigned period={period} />
    </section>
  )
}

/** What led from the last signature to today; none where nobody ever signed. */
function SinceSigned({ period: { scope, cell } }: { period: ClosePeriod }) {
  const { approved, prepared } = cell.standing.last
  const last = approved ?? prepared
  if (last === null) return null
  const address = new URLSearchParams({ from: toInstantText(last.at), to: 'now', connection: scope.connectionId })
  if (scope.kind === 'profile_month') address.set('profile', scope.profileId)
  address.set('period', scope.month)
  return (
    <Link href={toAddress('/changes', address.toString())} className="text-[12.5px] text-accent hover:underline">
      What changed since it was {approved === null ? 'prepared' : 'approved'}
    </Link>
  )
}

/** As addresses have an instant: to the microsecond, in UTC. */
function toInstantText(at: string): string {
  return at.endsWith('+00:00') ? `${at.slice(0, -6)}Z` : new Date(at).toISOString()
}

function Step({ title, signed, note }: { title: string; signed: SignedMonth | null; note?: string | null }) {
  return (
    <li className={signed === null ? 'is-open' : undefined}>
      <b>
        {signed !== null && <Check size={12} className={title === 'Approved' ? 'text-good' : 'text-ink2'} />}
        {signed === null ? `Not ${title.toLowerCase()}` : title}
      </b>
      {signed !== null && (
        <>
          <bdi>{signed.name}</bdi>
          <StepTime at={signed.at} />
          <small>
            {signed.role}
            {note && `, ${note}`}
          </small>
        </>
      )}
    </li>
  )
}

function toNote(prepared: SignedMonth | null, approved: SignedMonth | null): string | null {
  if (prepared === null || approved === null) return null
  return prepared.personId === approved.personId ? 'who prepared it too' : 'not who prepared it'
}

function writeOrdinal(number: number): string {
  return ['first', 'second', 'third', 'fourth', 'fifth'][number - 1] ?? `${number}th`
}

/** The zone is on hover: three stand beside each other. */
function StepTime({ at }: { at: string }) {
  return (
    <time dateTime={at} title={formatMoment(at, { withZone: true })}>
      {formatMoment(at)}
    </time>
  )
}
