import { plural } from '#components/text/plural.ts'
import type { Certification } from '#lib/ledger/certify/list-certification.ts'
import { LeftList } from './left-list.tsx'
import { RuleActions } from './rule-actions.tsx'
import { TermsList } from './terms-list.tsx'
import { TrialResult } from './trial-result.tsx'

type RuleCardProps = { rule: Certification; mayKeep: boolean; mayApprove: boolean; today: string; firstMonth: string }

/** One rule: what it asks, how it was tried, whether it is on, and what it did. */
export function RuleCard({ rule, mayKeep, ...shown }: RuleCardProps) {
  const { name, newest, active, trial, did, left } = rule
  const isNewer = active !== null && active.version !== newest.version
  return (
    <section aria-label={name} className="rule-card">
      <h2>
        <bdi>{name}</bdi> <small>{describeState(rule)}</small>
      </h2>
      <div className="rule-sides">
        <div>
          {isNewer && <h3>Version {newest.version}, which is off</h3>}
          <TermsList kept={newest} />
          {isNewer && (
            <>
              <h3>Version {active.version}, which counts</h3>
              <TermsList kept={active} />
            </>
          )}
          {mayKeep && <RuleActions rule={rule} {...shown} />}
        </div>
        <div>
          {trial === null ? (
            <p>Version {newest.version} was not tried on the past yet.</p>
          ) : (
            <TrialResult trial={trial} />
          )}
          <p>{describeDeeds(did)}</p>
          <LeftList left={left} />
        </div>
      </div>
    </section>
  )
}

function describeState({ active, newest }: Certification): string {
  if (active === null) return `off, version ${newest.version}`
  return active.version === newest.version
    ? `on, version ${newest.version}`
    : `on in version ${active.version}; version ${newest.version} is off`
}

function describeDeeds({ decisions, lines, prepared, approved }: Certification['did']): string {
  const deeds = [
    lines > 0 && `accepted ${plural(lines, 'line')} in ${plural(decisions, 'decision')}`,
    prepared > 0 && `prepared ${plural(prepared, 'invoice')}`,
    approved > 0 && `approved ${plural(approved, 'invoice')}`,
  ].filter((deed) => deed !== false)
  return deeds.length === 0 ? 'It has done nothing yet.' : `It has ${deeds.join(', ')}.`
}
