import { buttonClass } from '#components/primitives/button.ts'
import { type SectionMessage, SettingsSection } from '#components/settings/settings-section.tsx'

const FIELDS = [
  { name: 'old', label: 'Old password', autoComplete: 'current-password' },
  { name: 'chosen', label: 'New password', autoComplete: 'new-password' },
]

/** Changes the person's own password; says how the last try ended. */
export function PasswordSection({ email, message }: { email: string; message: SectionMessage }) {
  return (
    <SettingsSection
      id="password"
      title="Password"
      about="At least eight characters that nobody would guess. Changing it signs you out everywhere else."
      message={message}
    >
      <form method="post" action="/api/account/password" className="flex max-w-[320px] flex-col gap-3">
        {/* for password managers */}
        <input type="hidden" autoComplete="username" value={email} readOnly />
        {FIELDS.map(({ label, ...input }) => (
          <label key={input.name} className="flex flex-col gap-1 font-medium text-[13px]">
            {label}
            <input type="password" required className="field h-8 w-full font-normal max-md:h-9" {...input} />
          </label>
        ))}
        <button type="submit" className={`${buttonClass()} self-start`}>
          Change the password
        </button>
      </form>
    </SettingsSection>
  )
}
