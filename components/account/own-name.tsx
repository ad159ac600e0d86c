import { Banner } from '#components/primitives/banner.tsx'
import { NameForm } from '#components/settings/name-form.tsx'
import { SettingsSection } from '#components/settings/settings-section.tsx'
import { ROLE_LABELS, type Role } from '#lib/auth/permissions.ts'

type OwnNameProps = { name: string; email: string; role: Role; isSaved: boolean }

/** The own name, which colleagues see, and what others decide: address and role. */
export function OwnName({ name, email, role, isSaved }: OwnNameProps) {
  return (
    <SettingsSection id="you" title="You" about="What colleagues see of you.">
      {isSaved && (
        <Banner tone="good" className="mb-3">
          Your name is changed.
        </Banner>
      )}
      <NameForm action="/api/account/name" label="Your name" name={name} />
      <p className="mt-3 text-[13px] text-ink2">
        <bdi>{email}</bdi> · {ROLE_LABELS[role]}
      </p>
    </SettingsSection>
  )
}
