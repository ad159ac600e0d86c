import type { Notice } from '#components/account/account-words.ts'
import { ConfirmPassword } from '#components/account/confirm-password.tsx'
import { NoticeBanner } from '#components/account/notice-banner.tsx'
import { Banner } from '#components/primitives/banner.tsx'
import { buttonClass } from '#components/primitives/button.ts'
import { CopyButton } from '#components/text/copy-button.client.tsx'
import { plural } from '#components/text/plural.ts'
import { RelativeTime } from '#components/text/relative-time.client.tsx'
import type { Confirmation } from '#lib/auth/factors/read-factors.ts'
import { ROLE_LABELS, ROLES, type Role } from '#lib/auth/permissions.ts'
import { MakeDirectoryToken } from './make-directory-token.client.tsx'
import { SettingsSection } from './settings-section.tsx'

type Token = {
  id: string
  name: string
  createdByName: string
  createdAt: Date
  expiresAt: Date | null
  lastUsedAt: Date | null
  isExpired: boolean
}

type DirectorySectionProps = {
  address: string
  tokens: Token[]
  groups: { id: string; displayName: string; role: Role | null; members: number }[]
  defaultRole: Role | null
  people: number
  withoutAccess: number
  /** The keys of the address after a form. */
  said: unknown
  error: unknown
  notice: Notice | null
  now: number
} & Confirmation

const SAID: Record<string, string> = {
  'directory-token-revoked': 'The token is revoked. The directory can no longer use it.',
  'directory-saved': 'Saved. The people whom it concerns have their new role from now on.',
  'directory-missing': 'That group is no longer there.',
}
const ERRORS: Record<string, string> = {
  'directory-two-tokens': 'Two tokens are active. Revoke one of them first.',
  'directory-last-admin': 'Nothing was changed: nobody would be left who can administrate.',
}

/** The company directory that provisions people: its tokens, and what its groups mean here. */
export function DirectorySection(props: DirectorySectionProps) {
  const { address, tokens, people, withoutAccess, said, error, notice, isFresh, hasPassword, now } = props
  const words = typeof said === 'string' ? SAID[said] : undefined
  const problem = typeof error === 'string' ? ERRORS[error] : undefined
  return (
    <SettingsSection
      id="directory"
      title="Directory"
      about="A company directory (SCIM 2.0) adds people, gives them their role by its groups, and ends their access the moment they leave."
    >
      <NoticeBanner notice={notice} />
      <div className="flex flex-col gap-5 text-[13px]">
        {words !== undefined && <Banner tone="good">{words}</Banner>}
        {problem !== undefined && <Banner tone="bad">{problem}</Banner>}
        <div>
          <h3 className="font-medium">Address</h3>
          <p className="mt-1 flex items-center gap-2">
            <code className="min-w-0 break-all font-mono text-[12px]">{address}</code>
            <CopyButton text={address} label="Copy the address" />
          </p>
        </div>
        <div>
          <h3 className="font-medium">Tokens</h3>
          <TokenList tokens={tokens} now={now} />
          {isFresh && <MakeDirectoryToken />}
          <p className="mt-1.5 text-[12px] text-ink2">
            At most two at a time, so that one can be replaced without a gap.
          </p>
        </div>
        <div>
          <h3 className="font-medium">Roles</h3>
          {people > 0 && (
            <p className="mt-1 text-ink2">
              {plural(people, 'person', 'people')} managed by the directory
              {withoutAccess > 0 && `, ${withoutAccess} of them without access`}.
            </p>
          )}
          <RoleList {...props} />
          <p className="mt-1.5 max-w-[70ch] text-[12px] text-ink2">
            Somebody in several groups has the highest of their roles. Somebody without a role may not sign in. People
            made here by hand stay as they are until the directory first changes them.
          </p>
        </div>
        {!isFresh && <ConfirmPassword place="directory" hasPassword={hasPassword} />}
      </div>
    </SettingsSection>
  )
}

function TokenList({ tokens, now }: Pick<DirectorySectionProps, 'tokens' | 'now'>) {
  if (tokens.length === 0) return <p className="mt-1 mb-2 text-ink2">None yet: no directory is connected.</p>
  return (
    <ul className="mt-1 mb-3 divide-y divide-line border-y border-line">
      {tokens.map(({ id, name, createdByName, createdAt, expiresAt, lastUsedAt, isExpired }) => (
        <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
          <span className="min-w-0 flex-1">
            <bdi className="font-medium">{name}</bdi>
            <span className="block text-[12px] text-ink2">
              made by <bdi>{createdByName}</bdi> <RelativeTime at={createdAt.toISOString()} now={now} />,{' '}
              {lastUsedAt === null ? (
                'never used'
              ) : (
                <>
                  used <RelativeTime at={lastUsedAt.toISOString()} now={now} />
                </>
              )}
              {expiresAt !== null && (
                <>
                  , {isExpired ? 'expired' : 'expires'} <RelativeTime at={expiresAt.toISOString()} now={now} />
                </>
              )}
            </span>
          </span>
          <form method="post" action="/api/settings/directory/token/revoke">
            <input type="hidden" name="token" value={id} />
            <button type="submit" aria-label={`Revoke the token ${name}`} className={buttonClass({ size: 'small' })}>
              Revoke
            </button>
          </form>
        </li>
      ))}
    </ul>
  )
}

function RoleList({ groups, defaultRole, isFresh }: Pick<DirectorySectionProps, 'groups' | 'defaultRole' | 'isFresh'>) {
  return (
    <ul className="mt-1 divide-y divide-line border-y border-line">
      {groups.map(({ id, displayName, role, members }) => (
        <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
          <span className="min-w-0 flex-1">
            <bdi>{displayName}</bdi>{' '}
            <span className="text-[12px] text-ink2">{plural(members, 'member', 'members')}</span>
          </span>
          <RoleForm
            action="/api/settings/directory/group-role"
            label={`Role of ${displayName}`}
            role={role}
            isFresh={isFresh}
          >
            <input type="hidden" name="group" value={id} />
          </RoleForm>
        </li>
      ))}
      <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
        <span className="min-w-0 flex-1 text-ink2">In none of the groups with a role</span>
        <RoleForm
          action="/api/settings/directory/default-role"
          label="Role of people in none of these groups"
          role={defaultRole}
          isFresh={isFresh}
        />
      </li>
    </ul>
  )
}

type RoleFormProps = { action: string; label: string; role: Role | null; isFresh: boolean; children?: React.ReactNode }

function RoleForm({ action, label, role, isFresh, children }: RoleFormProps) {
  if (!isFresh) return <span>{role === null ? 'No role' : ROLE_LABELS[role]}</span>
  return (
    <form method="post" action={action} className="flex items-center gap-2">
      {children}
      <select name="role" aria-label={label} defaultValue={role ?? ''} className="field h-7">
        <option value="">No role</option>
        {ROLES.map((each) => (
          <option key={each} value={each}>
            {ROLE_LABELS[each]}
          </option>
        ))}
      </select>
      <button type="submit" className={buttonClass()}>
        Save
      </button>
    </form>
  )
}
