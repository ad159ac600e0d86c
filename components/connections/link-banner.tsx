import { Banner } from '#components/primitives/banner.tsx'
import { buttonClass } from '#components/primitives/button.ts'
import { Link } from '#components/query/link.client.tsx'
import { RelativeTime } from '#components/text/relative-time.client.tsx'
import { isAboutLink } from '#lib/connections/concerns.ts'
import type { ConnectionInNeed } from '#lib/connections/life/list-attention.ts'

type LinkBannerProps = {
  connections: ConnectionInNeed[]
  now: number
  /** What this person has dismissed. */
  told?: string | undefined
}

/**
 * For admins, on every page but those of the connections: links that have ended or end soon, and
 * where to renew them, until it is dismissed. Renders nothing when all is well.
 */
export function LinkBanner({ connections, now, told }: LinkBannerProps) {
  const links = connections.flatMap(({ concerns, ...connection }) => {
    const concern = concerns.find(isAboutLink)
    return concern === undefined ? [] : [{ ...connection, ...concern }]
  })
  const [first] = links
  const named = links.map(({ id, code, tone }) => `${id.slice(0, 8)}.${code}.${tone}`).sort()
  // as many as a cookie holds; one that is not named is told again
  const news = named.slice(0, 80).join('-')
  if (first === undefined || news === told) return null
  const isBad = links.some(({ tone }) => tone === 'bad')
  const ended = links.filter(({ code }) => code !== 'link_ends').length
  const isOne = links.length === 1
  return (
    <div className="told-once">
      <Banner tone={isBad ? 'bad' : 'warn'} className="border-b pr-24">
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
      {/* components/frame/page-listeners.client.tsx keeps what was dismissed */}
      <button
        type="button"
        data-told={news}
        className={`${buttonClass({ look: 'quiet', size: 'small' })} absolute top-1 right-2`}
      >
        Dismiss
      </button>
    </div>
  )
}

/** Of a page that says of each link itself how it is: the banner leads here, and is not shown. */
export function SaysLinks() {
  return <span hidden data-says-links />
}
