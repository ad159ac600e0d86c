import { buttonClass } from '#components/primitives/button.ts'
import { SettingsSection } from '#components/settings/settings-section.tsx'
import { RelativeTime } from '#components/text/relative-time.client.tsx'
import type { Invitation } from '#lib/auth/model.ts'
import { ROLE_LABELS } from '#lib/auth/permissions.ts'

type OpenInvitationsProps = { invitations: Invitation[]; canManage: boolean; hasMail: boolean; now: number }

type Change = { action: 'renew' | 'withdraw'; by: 'link' | 'mail'; text: string; about: string }

const MAIL: Change = { action: 'renew', by: 'mail', text: 'Mail again', about: 'Mail another link to' }
const LINK: Change = { action: 'renew', by: 'link', text: 'Another link', about: 'Make another link for' }
const WITHDRAW: Change = { action: 'withdraw', by: 'link', text: 'Withdraw', about: 'Withdraw the invitation of' }

/** Who is invited and has not come yet; admins can make another link, or withdraw. */
export function OpenInvitations({ invitations, canManage, hasMail, now }: OpenInvitationsProps) {
  const changes = [...(hasMail ? [MAIL] : []), LINK, WITHDRAW]
  return (
    <SettingsSection
      id="invitations"
      title="Invitations"
      about="Who is invited and has not joined. Another link makes the one before stop working."
    >
      {invitations.length === 0 && <p className="text-[13px] text-ink3">No open invitations.</p>}
      <ul className="text-[13px]">
        {invitations.map((invitation) => {
          const { id, email, name, role, invitedByName, expiresAt } = invitation
          const hasEnded = expiresAt.getTime() <= now
          return (
            <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-1.5 border-b py-2 first:pt-0">
              <div className="min-w-0 flex-[1_1_240px]">
                <bdi className="block truncate font-medium">{name === '' ? email : `${name} · ${email}`}</bdi>
                <span className="text-ink2">
                  {ROLE_LABELS[role]} · invited by <bdi>{invitedByName}</bdi> ·{' '}
                  {hasEnded ? 'the link ended ' : 'the link ends '}
                  <RelativeTime at={expiresAt.toISOString()} now={now} />
                  {!hasEnded && <MailState invitation={invitation} now={now} />}
                </span>
              </div>
              {canManage &&
                changes.map(({ action, by, text, about }) => (
                  <form key={text} method="post" action="/api/people/invitations">
                    <input type="hidden" name="action" value={action} />
                    <input type="hidden" name="invitation" value={id} />
                    <input type="hidden" name="by" value={by} />
                    <button type="submit" aria-label={`${about} ${email}`} className={buttonClass({ size: 'small' })}>
                      {text}
                    </button>
                  </form>
                ))}
            </li>
          )
        })}
      </ul>
    </SettingsSection>
  )
}

/** For how long the worker tries to mail a link (lib/worker/invitation-mail.ts). */
const MAIL_MS = 3_600_000

function MailState({ invitation: { mailWantedAt, mailedAt }, now }: { invitation: Invitation; now: number }) {
  if (mailedAt !== null)
    return (
      <>
        {' '}
        · mailed <RelativeTime at={mailedAt.toISOString()} now={now} />
      </>
    )
  if (mailWantedAt === null) return null
  return mailWantedAt.getTime() > now - MAIL_MS
    ? ' · the mail is on its way'
    : ' · could not be mailed: make another link, and hand it over'
}
