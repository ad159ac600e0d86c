import { RelativeTime } from './relative-time.client.tsx'

type FreshnessProps = {
  /** When each connection was last synced in full; null means never. */
  syncedAt: (string | null)[]
  now: number
}

/** The figures are as old as the least recently synced connection. */
export function Freshness({ syncedAt, now }: FreshnessProps) {
  if (syncedAt.length === 0) return null
  if (syncedAt.some((at) => at === null)) {
    return <> · {syncedAt.length === 1 ? 'not synced in full yet' : 'one or more connections not synced in full yet'}</>
  }
  const oldest = [...(syncedAt as string[])].sort()[0] as string
  return (
    <>
      {' · synced '}
      <RelativeTime at={oldest} now={now} />
    </>
  )
}
