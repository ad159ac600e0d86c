import { ConnectButton } from '#components/connections/connect-button.tsx'
import { buttonClass } from '#components/primitives/button.ts'
import { ListLink } from '#components/query/navigate.client.tsx'
import { plural } from '#components/text/plural.ts'
import { EmptyState } from './empty-state.tsx'

type EmptyListProps = {
  /** What the filters select: "line". */
  noun: string
  /** The count without filters. */
  allCount: number
  /** The same list without filters. */
  all: { href: string; label: string }
  /** For an organization without any records: the title, and what connecting an account brings. */
  title: string
  promise: string
  hasAccount: boolean
  canConnect: boolean
}

/** Takes the place of a list without rows: no match, nothing received yet, or no account. */
export function EmptyList({ noun, allCount, all, title, promise, hasAccount, canConnect }: EmptyListProps) {
  if (allCount > 0)
    return (
      <EmptyState
        title={`No ${noun}s match these filters`}
        action={
          <ListLink href={all.href} className={buttonClass()}>
            {all.label}
          </ListLink>
        }
      >
        {plural(allCount, noun)} in total.
      </EmptyState>
    )
  return (
    <EmptyState title={title} action={<ConnectButton canConnect={canConnect} look="plain" />}>
      {hasAccount
        ? `An account is connected; its ${noun}s appear here as soon as the first sync has read them.`
        : promise}
    </EmptyState>
  )
}
