import { Mark } from '#components/primitives/mark.tsx'
import { RouterLinks } from '#components/query/router-links.client.tsx'
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
        <RouterLinks>
          <ul className="gaps">
            {gaps.map(({ profile, cell }) => {
              const spot = { connectionId: coverage.connectionId, profileId: profile.id, month: cell.month }
              return (
                <li key={`${profile.id} ${cell.month}`}>
                  <Mark kind="held" />
                  <div>
                    <p>
                      <b>{toMonthName(cell.month)}</b> · <bdi>{profile.name ?? profile.id ?? 'no profile'}</bdi>
                    </p>
                    <p>{listGaps(cell).join(', ')}</p>
                    <p>
                      <a href={toInvoicesAddress(spot, ['lines_missing', 'differs'])}>Invoices</a>
                      <a href={toLinesAddress(spot)}>Lines</a>
                      {cell.rejectedLineCount > 0 && <a href="/rejected">Rejected lines</a>}
                    </p>
                  </div>
                </li>
              )
            })}
          </ul>
        </RouterLinks>
      )}
    </section>
  )
}
