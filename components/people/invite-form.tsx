import { buttonClass } from '#components/primitives/button.ts'
import { SettingsSection } from '#components/settings/settings-section.tsx'
import { RoleSelect } from './role-select.tsx'

/** Invites an address; the page shows the link once, to hand over. */
export function InviteForm() {
  return (
    <SettingsSection
      id="invite"
      title="Invite"
      about="Makes a link for you to hand over. It works once, for seven days. The person chooses name and password."
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
        <button type="submit" className={buttonClass({ look: 'primary' })}>
          Make link
        </button>
      </form>
    </SettingsSection>
  )
}
