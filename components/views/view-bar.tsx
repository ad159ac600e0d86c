import { classNames } from '#components/class-names.ts'
import { buttonClass } from '#components/primitives/button.ts'
import { Link } from '#components/query/link.client.tsx'
import type { ListQuery } from '#components/query/list-address.ts'
import { LISTS } from '#components/query/lists.ts'
import { toSavedAddress, toSavedSearch, toViewedSearch, writeSavedSearch } from '#components/query/saved-address.ts'
import { namesTime, readScope, toSearch } from '#components/scope/scope.ts'
import { isAllowed, type Role } from '#lib/auth/permissions.ts'
import type { RawSearchParams } from '#lib/ledger/query/search-params.ts'
import type { SavedView } from '#lib/views/list-views.ts'
import { HiddenFields, ViewBox } from './view-box.tsx'
import { toViewState } from './view-state.ts'
import { toViewNotice } from './view-words.ts'

type ViewedQuery = Exclude<ListQuery, { list: 'review' }>
type ViewBarProps = { target: ViewedQuery; searchParams: RawSearchParams; views: SavedView[]; role: Role }

/**
 * The views of a list: each a link to its address, the one that the page came from marked, and what
 * can be done with it. Links and forms alone: it works the same without scripts.
 */
export function ViewBar({ target, searchParams, views, role }: ViewBarProps) {
  const { list, query } = target
  const search = writeSavedSearch(target)
  const { current, isEdited, isBehind } = toViewState(views, { ref: query.view, search }, (saved) =>
    toSavedSearch(list, saved),
  )
  const mayChange = current !== null && (!current.isTeam || isAllowed(role, 'share-views'))
  const notice = toViewNotice(searchParams)
  // what shows the view as it is now, has seen it as it is now
  const version = isBehind ? query.view?.version : current?.version
  const form = { list, search: toViewedSearch(list, search, query.view), view: current, version }
  return (
    <div className="view-bar">
      <nav aria-label="Views" className="view-tabs">
        <Link href={toPlainAddress(target, searchParams)} aria-current={current === null ? 'page' : undefined}>
          All {LISTS[list].label.toLowerCase()}
        </Link>
        {views.map((view) => (
          <Link
            key={view.id}
            href={toSavedAddress(list, view)}
            aria-current={view === current ? 'page' : undefined}
            title={view.isTeam ? `Everybody’s, saved by ${view.changedByName}` : undefined}
          >
            <bdi>{view.name}</bdi>
            {view.isTeam && <span className="view-mark">team</span>}
            {view.isDefault && <span className="view-mark">opens first</span>}
          </Link>
        ))}
      </nav>
      {isEdited && current !== null && (
        <div className="view-edited">
          <span className="view-dot" />
          Edited
          {mayChange && !isBehind && (
            <form method="post" action={current.isTeam ? '/api/views/team' : '/api/views'}>
              <HiddenFields {...form} />
              <button type="submit" name="action" value="save" className={buttonClass({ size: 'small' })}>
                {current.isTeam ? 'Save for everybody' : 'Save'}
              </button>
            </form>
          )}
          <Link href={toSavedAddress(list, current)} className={buttonClass({ look: 'quiet', size: 'small' })}>
            Discard
          </Link>
        </div>
      )}
      <ViewBox {...form} mayChange={mayChange} mayShare={isAllowed(role, 'share-views')} />
      {isBehind && current !== null && (
        <p role="alert" className={NOTICE}>
          <bdi>{current.changedByName}</bdi> saved this view after you opened it. Save yours as another view, or{' '}
          <Link href={toSavedAddress(list, current)} className="underline underline-offset-2">
            open theirs
          </Link>
          .
        </p>
      )}
      {notice !== null && !isBehind && (
        <p
          role={notice.isBad ? 'alert' : 'status'}
          className={classNames(notice.isBad ? NOTICE : 'view-notice text-ink2')}
        >
          {notice.text}
        </p>
      )}
    </div>
  )
}

const NOTICE = 'view-notice rounded bg-warnbg px-2.5 py-1 text-warn'

/** The list without a view, in the scope that it is in. */
function toPlainAddress({ list }: ListQuery, searchParams: RawSearchParams): string {
  const search = toSearch(searchParams)
  return `/${list}?${namesTime(search) ? readScope({ path: `/${list}`, search }) : 'period=all'}`
}
