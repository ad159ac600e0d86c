import { buttonClass } from '#components/primitives/button.ts'
import { SettingsSection } from '#components/settings/settings-section.tsx'
import { RoleSelect } from './role-select.tsx'

type InviteFormProps = {
  hasMail: boolean
  /** Only a session that has just shown whose it is makes an admin. */
  mayInviteAdmins: boolean
}

/** Invites an address: by mail where the desk sends any, or by a link that is shown once. */
export function InviteForm({ hasMail, mayInviteAdmins }: InviteFormProps) {
  return (
    <SettingsSection
      id="invite"
      title="Invite"
      about={`${hasMail ? 'Mails a link, or makes one for you to hand over.' : 'Makes a link for you to hand over.'} It works once, for seven days. The person chooses name and password.`}
    >
      <form method="post" action="/api/people/invitations" className="flex flex-wrap items-end gap-2">
        <input type="hidden" name="action" value="invite" />
        <label className="flex min-w-0 flex-[2_1_220px] flex-col gap-1 font-medium text-[13px]">
          Email
          <input name="email" type="email" required maxLength={320} className="field h-8 w-full font-normal" />
        </label>
        <label className="flex min-w-0 flex-[1_1_140px] flex-col gap-1 font-medium text-[13px]">
          Name, if you like
          <input name="name" maxLength={120} dir="auto" className="field h-8 w-full font-normal" />
        </label>
        <RoleSelect value="viewer" />
        {hasMail && (
          <button type="submit" name="by" value="mail" className={buttonClass({ look: 'primary' })}>
            Invite by mail
          </button>
        )}
        <button type="submit" name="by" value="link" className={buttonClass({ look: hasMail ? 'plain' : 'primary' })}>
          Make link
        </button>
      </form>
      {!mayInviteAdmins && (
        <p className="mt-2 text-[13px] text-ink2">
          To invite an admin, first type your password under{' '}
          <a href="#second-steps" className="text-accent underline underline-offset-2">
            Second steps
          </a>
          .
        </p>
      )}
    </SettingsSection>
  )
}
