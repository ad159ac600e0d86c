import type { StoredFormats } from '#lib/reconcile/own-formats/format-choices.ts'
import { FormatsForm } from './formats-form.tsx'
import { type SectionMessage, SettingsSection } from './settings-section.tsx'

type OrganizationFormatsProps = { stored: StoredFormats; timeZones: readonly string[]; message: SectionMessage }

/** How figures, days and times are written where neither person nor browser says it. */
export function OrganizationFormats({ stored, timeZones, message }: OrganizationFormatsProps) {
  return (
    <SettingsSection
      id="formats"
      title="Numbers and dates"
      about="For people who choose “as my organization”, and whose browser says nothing. Everybody chooses on their own account page."
      message={message}
    >
      <FormatsForm
        action="/api/settings/formats"
        stored={stored}
        first={[{ value: '', say: (field) => NONE[field] }]}
        timeZones={timeZones}
      />
    </SettingsSection>
  )
}

const NONE: Record<keyof StoredFormats, string> = {
  numberFormat: 'Not set (1,234,567.89)',
  dateFormat: 'Not set (Mar 4, 2026, 2:05:00 PM)',
  timeZone: 'Not set (UTC)',
}
