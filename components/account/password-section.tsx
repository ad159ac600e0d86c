import { Banner } from '#components/primitives/banner.tsx'
import { buttonClass } from '#components/primitives/button.ts'
import { SettingsSection } from '#components/settings/settings-section.tsx'

const FIELDS = [
  { name: 'old', label: 'Old password', autoComplete: 'current-password' },
  { name: 'chosen', label: 'New password', autoComplete: 'new-password' },
]

type Message = { section: string; tone: 'good' | 'bad'; text: string } | null

/** Changes the person's own password; says how the last try ended. */
export function PasswordSection({ email, message }: { email: string; message: Message }) {
  return (
    <SettingsSection
      id="password"
      title="Password"
      about="At least eight characters that nobody would guess. Changing it signs you out everywhere else."
    >
      {message?.section === 'password' && (
        <Banner tone={message.tone} className="mb-3 rounded-r-md">
          {message.text}
        </Banner>
      )}
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
