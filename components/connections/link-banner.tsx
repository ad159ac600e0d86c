import Link from 'next/link'
import type { LinkWarning } from '../../lib/connections/link-warnings.ts'
import { Banner } from '../primitives/banner.tsx'
import { RelativeTime } from '../text/relative-time.client.tsx'

/** On every page, for admins: which links have ended or are about to, and the way there. Nothing when all is well. */
export function LinkBanner({ warnings, now }: { warnings: LinkWarning[]; now: number }) {
  const [first] = warnings
  if (first === undefined) return null
  const isBad = warnings.some(({ daysLeft }) => daysLeft === null || daysLeft === 1)
  const ended = warnings.filter(({ daysLeft }) => daysLeft === null).length
  const isOne = warnings.length === 1
  return (
    <Banner tone={isBad ? 'bad' : 'warn'} className="shrink-0 border-b print:hidden">
      {isOne ? (
        <>
          <bdi className="font-medium">{first.name ?? 'New account'}</bdi>{' '}
          {first.endsAt === null ? (
            'needs to be reconnected: nothing new is read from it.'
          ) : (
            <>
              could not be renewed; its link ends <RelativeTime at={first.endsAt} now={now} />.
            </>
          )}
        </>
      ) : (
        <>
          {ended > 0 && `${ended} ${ended === 1 ? 'connection needs' : 'connections need'} to be reconnected`}
          {ended > 0 && ended < warnings.length && '; '}
          {ended < warnings.length &&
            `${warnings.length - ended} ${warnings.length - ended === 1 ? 'link ends' : 'links end'} within 7 days`}
          .
        </>
      )}{' '}
      <Link
        href={isOne ? `/connections/${first.connectionId}` : '/connections?show=attention'}
        className="font-medium underline underline-offset-2"
      >
        {isOne ? 'Show the connection' : 'Show them'}
      </Link>
    </Banner>
  )
}
