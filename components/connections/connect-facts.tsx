/** What a scope permits; unknown scopes are shown by name. */
const SCOPES: Record<string, string> = {
  'expenses:read': 'read invoices, invoice lines and profiles',
  'trips:read': 'read trips',
  'bookings:read': 'read bookings',
  'users:read': 'read users',
  'scim:read': 'read the SCIM service',
}

type ConnectFactsProps = {
  /** Null when no platform is configured. */
  partner: { name: string; scopes: string } | null
  session: { organizationName: string; name: string }
}

/**
 * What connecting an account means: which platform, which organization, which user, which
 * permissions.
 */
export function ConnectFacts({ partner, session }: ConnectFactsProps) {
  return (
    <dl className="grid grid-cols-[112px_minmax(0,1fr)] gap-y-2 border-y py-3">
      <dt className="text-ink3">Platform</dt>
      <dd>{partner?.name ?? 'none configured'}</dd>
      <dt className="text-ink3">Organization</dt>
      <dd>
        <bdi>{session.organizationName}</bdi>
      </dd>
      <dt className="text-ink3">As</dt>
      <dd>
        <bdi>{session.name}</bdi>
      </dd>
      <dt className="text-ink3">Can then</dt>
      <dd>
        <ul>
          {(partner?.scopes ?? '').split(' ').map((scope) => (
            <li key={scope}>
              {SCOPES[scope] ?? 'use the scope'} <code className="font-mono text-[12px] text-ink3">{scope}</code>
            </li>
          ))}
        </ul>
      </dd>
    </dl>
  )
}
