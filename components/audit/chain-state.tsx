import { Banner } from '#components/primitives/banner.tsx'
import { buttonClass } from '#components/primitives/button.ts'
import { RelativeTime } from '#components/text/relative-time.client.tsx'
import type { Verification } from '#lib/audit/model.ts'
import { formatCount } from '#lib/reconcile/format.ts'

/** What the last verification found, which is all that is said, and the button for another. */
export function ChainState({ verification, now }: { verification: Verification | null; now: number }) {
  const isBroken = verification !== null && !verification.outcome.holds
  return (
    <div id="chain" className="px-5 pb-2.5 max-md:px-4">
      <Banner tone={isBroken ? 'bad' : verification === null ? 'plain' : 'good'}>
        <form method="post" action="/api/audit/verify" className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="min-w-0 flex-1">
            <Found verification={verification} />
            {verification !== null && (
              <span className="text-ink2">
                {' · '}
                <bdi>{verification.by}</bdi>, <RelativeTime at={verification.at} now={now} />
              </span>
            )}
          </span>
          <button type="submit" className={buttonClass({ size: 'small' })}>
            Verify now
          </button>
        </form>
      </Banner>
    </div>
  )
}

function Found({ verification }: { verification: Verification | null }) {
  if (verification === null) return 'Log integrity not checked yet.'
  const { outcome } = verification
  if (!outcome.holds)
    return `The chain is broken at entry ${formatCount(outcome.entry)}: ${outcome.problem}. Tell whoever runs the program.`
  if (outcome.from === 1) return `Chain verified up to entry ${formatCount(outcome.to)}`
  return `Chain verified from entry ${formatCount(outcome.from)} to ${formatCount(outcome.to)}`
}
