import { FormatsForm, toFormatWords } from '#components/settings/formats-form.tsx'
import { type SectionMessage, SettingsSection } from '#components/settings/settings-section.tsx'
import type { Formats } from '#lib/reconcile/formats.ts'
import {
  AS_ORGANIZATION,
  type BrowserFormats,
  NO_CHOICE,
  resolveFormats,
  type StoredFormats,
} from '#lib/reconcile/own-formats/format-choices.ts'

type OwnFormatsProps = {
  own: StoredFormats
  organization: StoredFormats
  browser: BrowserFormats
  timeZones: readonly string[]
  message: SectionMessage
}

/** How the person reads figures, days and times. */
export function OwnFormats({ own, organization, browser, timeZones, message }: OwnFormatsProps) {
  const ofBrowser = resolveFormats(NO_CHOICE, organization, browser)
  const ofOrganization = resolveFormats(NO_CHOICE, organization, { number: null, date: null, timeZone: null })
  const first = [
    { value: '', say: (field: keyof StoredFormats) => `As my browser (${toLook(field, ofBrowser)})` },
    {
      value: AS_ORGANIZATION,
      say: (field: keyof StoredFormats) => `As my organization (${toLook(field, ofOrganization)})`,
    },
  ]
  return (
    <SettingsSection
      id="formats"
      title="Numbers and dates"
      about="How pages, printouts and what you copy are written for you. Files keep a rule of their own: plain decimals with a point, days as 2026-03-04, times in UTC."
      message={message}
    >
      <FormatsForm action="/api/account/formats" stored={own} first={first} timeZones={timeZones} />
    </SettingsSection>
  )
}

function toLook(field: keyof StoredFormats, { number, date, timeZone }: Formats): string {
  return toFormatWords(field, { numberFormat: number, dateFormat: date, timeZone }[field])
}
