import { classNames } from '#components/class-names.ts'
import { Amount } from '#components/figures/amount.tsx'
import { toAddress } from '#components/query/address.ts'
import { Link } from '#components/query/link.client.tsx'
import { plural } from '#components/text/plural.ts'
import type { ReviewCount } from '#lib/ledger/model.ts'
import { FIRST_PAGE } from '#lib/ledger/query/list-place.ts'
import { REVIEW_TABS, type ReviewQuery, type ReviewTab, writeReviewQuery } from '#lib/ledger/query/review-query.ts'
import { formatCount } from '#lib/reconcile/format.ts'
import { sumDecimals } from '#lib/reconcile/money.ts'
import { isDone, type ReviewChoice } from '#lib/reconcile/review/review-state.ts'
import { DecisionButton } from './decision-button.client.tsx'
import { FollowReview } from './follow-review.client.tsx'

const TAB_WORDS: Record<ReviewTab, string> = {
  open: 'Open',
  mine: 'Mine',
  disputed: 'Disputed',
  suspended: 'Changed since',
  done: 'Done',
}

type CountsProps = { counts: ReviewCount[] }

function countOf(counts: readonly ReviewCount[], isCounted: (state: ReviewChoice) => boolean): number {
  return counts.reduce((sum, count) => sum + (isCounted(count.state) ? count.lineCount : 0), 0)
}

type TabsProps = CountsProps & {
  mineCount: number
  goneCount: number
  query: ReviewQuery
  /** For whoever may decide: the explained lines of the list, as an address. */
  explained: string | undefined
}

/** The lines of the review by where they stand, each with its count. */
export function ReviewTabs({ counts, mineCount, goneCount, query, explained }: TabsProps) {
  const explainedCount = counts.reduce(
    (sum, { state, lineState, lineCount }) => sum + (state === 'open' && lineState === 'explained' ? lineCount : 0),
    0,
  )
  const isOfGone = query.tab === 'suspended' && query.goneOnly
  return (
    <>
      <nav aria-label="Where lines stand" className="review-tabs">
        {(Object.keys(REVIEW_TABS) as ReviewTab[]).map((tab) => (
          <Link
            key={tab}
            href={toAddress('/review', writeReviewQuery({ ...query, tab, ...FIRST_PAGE }))}
            aria-current={tab === query.tab ? 'page' : undefined}
            className={classNames('review-tab', tab === query.tab && 'is-current')}
          >
            {TAB_WORDS[tab]}{' '}
            <span className="tabular-nums">
              {formatCount(
                tab === 'mine'
                  ? mineCount
                  : countOf(counts, (state) => (REVIEW_TABS[tab] as readonly ReviewChoice[]).includes(state)),
              )}
            </span>
          </Link>
        ))}
        {explained !== undefined && query.tab === 'open' && explainedCount > 0 && (
          <DecisionButton asked={{ kind: 'accept', search: explained }}>
            {`Accept ${plural(explainedCount, 'explained line')}…`}
          </DecisionButton>
        )}
      </nav>
      {query.tab === 'suspended' && (goneCount > 0 || isOfGone) && (
        <p className="review-gone">
          {plural(goneCount, 'line')} that {goneCount === 1 ? 'was' : 'were'} decided {goneCount === 1 ? 'is' : 'are'}{' '}
          no longer on the platform.{' '}
          <Link href={toAddress('/review', writeReviewQuery({ ...query, goneOnly: !isOfGone, ...FIRST_PAGE }))}>
            {isOfGone ? 'Show those that are' : 'Show them'}
          </Link>
        </p>
      )}
    </>
  )
}

/** How far it is: `41 of 67 done`, the money that nobody has decided about, and what others do. */
export function ReviewProgress({ counts }: CountsProps) {
  const all = countOf(counts, () => true)
  const done = countOf(counts, isDone)
  const disputed = countOf(counts, (state) => state === 'disputed')
  const open = openMoney(counts)
  const share = (count: number) => `${all === 0 ? 0 : (100 * count) / all}%`
  return (
    <>
      <div className="review-progress">
        <span aria-hidden className="review-bar">
          <span className="bg-good" style={{ width: share(done) }} />
          <span className="bg-accent" style={{ width: share(disputed) }} />
        </span>
        <p>
          <b>
            {formatCount(done)} of {plural(all, 'line')} done
          </b>
          {disputed > 0 && `, ${formatCount(disputed)} disputed`}
          {open.length > 0 && '; unexplained and open: '}
          {open.map(({ currency, amount }, at) => (
            <span key={currency} className="whitespace-nowrap text-bad">
              {at > 0 && <span className="text-ink2"> · </span>}
              <Amount amount={amount} currency={currency} withCode signed />
            </span>
          ))}
        </p>
      </div>
      <FollowReview />
    </>
  )
}

/** What nothing explains of lines that wait for somebody, by currency. */
function openMoney(counts: readonly ReviewCount[]) {
  const open = counts.filter(
    ({ state, lineState }) => lineState === 'unexplained' && (state === 'open' || state === 'suspended'),
  )
  return [...new Set(open.map(({ currency }) => currency))].map((currency) => ({
    currency,
    amount: sumDecimals(open.filter((count) => count.currency === currency).map(({ difference }) => difference)),
  }))
}
