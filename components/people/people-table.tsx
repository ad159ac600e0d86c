import { Mark } from '#components/primitives/mark.tsx'
import { ScrollBox } from '#components/primitives/scroll-box.tsx'
import { Link } from '#components/query/link.client.tsx'
import { RelativeTime } from '#components/text/relative-time.client.tsx'
import type { KnownUser } from '#lib/auth/model.ts'
import { ROLE_LABELS } from '#lib/auth/permissions.ts'
import type { UserId } from '#lib/ids.ts'

type PeopleTableProps = { people: KnownUser[]; ownId: UserId; canManage: boolean; now: number }

/** Everybody who may enter, or might again. */
export function PeopleTable({ people, ownId, canManage, now }: PeopleTableProps) {
  const columns = ['Name', 'Email', 'Role', 'State', 'Last here', 'Signed in', ...(canManage ? ['Change'] : [])]
  return (
    <ScrollBox label="Table of people" className="overflow-x-auto border-b">
      <table aria-label="People" className="w-full min-w-[720px] border-separate border-spacing-0 text-[13px]">
        <thead>
          <tr>
            {columns.map((name) => (
              <th key={name} scope="col" className="cell-head static">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {people.map((person) => (
            <tr key={person.userId}>
              <th scope="row" className="cell text-left font-medium">
                <bdi>{person.name}</bdi>
                {person.userId === ownId && <span className="font-normal text-ink3"> (you)</span>}
              </th>
              <td className="cell">
                <bdi>{person.email}</bdi>
              </td>
              <td className="cell">
                {ROLE_LABELS[person.role]}
                {person.isManaged && <span className="text-ink2"> (by the directory)</span>}
              </td>
              <td className="cell">
                {person.isDisabled ? (
                  <>
                    <Mark kind="held" /> deactivated
                  </>
                ) : (
                  'active'
                )}
              </td>
              <td className="cell text-ink2">
                <LastHere person={person} now={now} />
              </td>
              <td className="cell text-ink2">
                {person.sessions === 0 ? 'nowhere' : `in ${person.sessions} browser${person.sessions === 1 ? '' : 's'}`}
              </td>
              {canManage && (
                <td className="cell">
                  <Link
                    href={`/people?person=${person.userId}`}
                    aria-label={`Change ${person.name}`}
                    className="small-target text-accent hover:underline"
                  >
                    Change
                  </Link>
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  )
}

/** To the minute while a session is kept, else to the day. */
function LastHere({ person: { lastSeenAt, seenOn }, now }: { person: KnownUser; now: number }) {
  if (lastSeenAt !== null) return <RelativeTime at={lastSeenAt.toISOString()} now={now} />
  return seenOn === null ? 'never' : <time dateTime={seenOn}>{seenOn}</time>
}
