import { Mark } from '#components/primitives/mark.tsx'
import { Link } from '#components/query/link.client.tsx'
import type { Coverage } from '#lib/ledger/model.ts'
import { toInvoicesAddress, toLinesAddress } from './coverage-addresses.ts'
import { listGaps, toMonthName } from './coverage-words.ts'

/** The months that do not add up, latest first, with links to their invoices and lines. */
export function CoverageGaps({ coverage }: { coverage: Coverage }) {
  const gaps = coverage.profiles
    .flatMap((profile) => profile.cells.map((cell) => ({ profile, cell })))
    .filter(({ cell }) => cell.state === 'behind')
    .sort((a, b) => (a.cell.month < b.cell.month ? 1 : -1))
  return (
    <section aria-labelledby="gaps">
      <h2 id="gaps" className="font-semibold text-[14px]">
        Gaps
      </h2>
      {gaps.length === 0 ? (
        <p className="mt-1.5 text-[13px] text-ink2">
          {coverage.profiles.length === 0
            ? 'Nothing has been read yet.'
            : 'None. Every invoice held equals its own figures.'}
        </p>
      ) : (
        <ul className="mt-1">
          {gaps.map(({ profile, cell }) => {
            const spot = { connectionId: coverage.connectionId, profileId: profile.id, month: cell.month }
            return (
              <li key={`${profile.id} ${cell.month}`} className="flex items-baseline gap-2.5 border-b py-2 text-[13px]">
                <Mark kind="held" />
                <div className="min-w-0 flex-1">
                  <p className="truncate">
                    <span className="font-medium">{toMonthName(cell.month)}</span> ·{' '}
                    <bdi>{profile.name ?? profile.id ?? 'no profile'}</bdi>
                  </p>
                  <p className="text-[12px] text-ink2 leading-4">{listGaps(cell).join(', ')}</p>
                  <p className="mt-0.5 flex gap-3 text-[12px]">
                    <Link
                      href={toInvoicesAddress(spot, ['lines_missing', 'differs'])}
                      className="text-accent hover:underline"
                    >
                      Invoices
                    </Link>
                    <Link href={toLinesAddress(spot)} className="text-accent hover:underline">
                      Lines
                    </Link>
                    {cell.rejectedLineCount > 0 && (
                      <Link href="/rejected" className="text-accent hover:underline">
                        Rejected lines
                      </Link>
                    )}
                  </p>
                </div>
              </li>
            )
          })}
        </ul>
      )}
    </section>
  )
}
