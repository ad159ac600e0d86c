import { buttonClass } from '#components/primitives/button.ts'
import { plural } from '#components/text/plural.ts'
import { type SectionMessage, SettingsSection } from './settings-section.tsx'

type SessionLimitsSectionProps = {
  idleMinutes: number
  sessionDays: number
  choices: { idleMinutes: readonly number[]; sessionDays: readonly number[] }
  message: SectionMessage
}

/** When sessions end by themselves. */
export function SessionLimitsSection({ idleMinutes, sessionDays, choices, message }: SessionLimitsSectionProps) {
  const fields = [
    {
      name: 'idleMinutes',
      label: 'Sign out when idle for',
      value: idleMinutes,
      of: choices.idleMinutes,
      say: sayMinutes,
    },
    { name: 'sessionDays', label: 'Sign out after', value: sessionDays, of: choices.sessionDays, say: sayDays },
  ]
  return (
    <SettingsSection
      id="sessions"
      title="Sessions"
      about="When somebody has to sign in again. It holds at the next request, also for those who are signed in."
      message={message}
    >
      <form method="post" action="/api/settings/sessions" className="flex flex-wrap items-end gap-3 text-[13px]">
        {fields.map(({ name, label, value, of, say }) => (
          <label key={name} className="flex flex-col gap-1 font-medium">
            {label}
            <select name={name} defaultValue={value} className="field h-8 font-normal max-md:h-9">
              {[...new Set([...of, value])].map((each) => (
                <option key={each} value={each}>
                  {say(each)}
                </option>
              ))}
            </select>
          </label>
        ))}
        <button type="submit" className={buttonClass()}>
          Save
        </button>
      </form>
    </SettingsSection>
  )
}

function sayMinutes(minutes: number): string {
  return minutes < 60 ? plural(minutes, 'minute') : plural(minutes / 60, 'hour')
}

function sayDays(days: number): string {
  return plural(days, 'day')
}
