import { Banner } from '#components/primitives/banner.tsx'
import { Link } from '#components/query/link.client.tsx'
import { RelativeTime } from '#components/text/relative-time.client.tsx'
import { isAboutLink } from '#lib/connections/concerns.ts'
import type { ConnectionInNeed } from '#lib/connections/life/list-attention.ts'

/**
 * For admins, on every page: links that have ended or end soon, and where to renew them. Renders
 * nothing when all is well.
 */
export function LinkBanner({ connections, now }: { connections: ConnectionInNeed[]; now: number }) {
  const links = connections.flatMap(({ concerns, ...connection }) => {
    const concern = concerns.find(isAboutLink)
    return concern === undefined ? [] : [{ ...connection, ...concern }]
  })
  const [first] = links
  if (first === undefined) return null
  const isBad = links.some(({ tone }) => tone === 'bad')
  const ended = links.filter(({ code }) => code !== 'link_ends').length
  const isOne = links.length === 1
  return (
    <Banner tone={isBad ? 'bad' : 'warn'} className="shrink-0 border-b print:hidden">
      {isOne ? (
        <>
          <bdi className="font-medium">{first.name ?? 'New account'}</bdi>{' '}
          {first.code !== 'link_ends' || first.refreshExpiresAt === null ? (
            'needs to be reconnected: nothing new is read from it.'
          ) : (
            <>
              could not be renewed; its link ends <RelativeTime at={first.refreshExpiresAt} now={now} />.
            </>
          )}
        </>
      ) : (
        <>
          {ended > 0 && `${ended} ${ended === 1 ? 'connection needs' : 'connections need'} to be reconnected`}
          {ended > 0 && ended < links.length && '; '}
          {ended < links.length &&
            `${links.length - ended} ${links.length - ended === 1 ? 'link ends' : 'links end'} within 7 days`}
          .
        </>
      )}{' '}
      <Link
        href={isOne ? `/connections/${first.id}` : '/connections?show=attention'}
        className="font-medium underline underline-offset-2"
      >
        {isOne ? 'Show the connection' : 'Show them'}
      </Link>
    </Banner>
  )
}
