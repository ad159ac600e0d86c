import { CheckedRule } from './checked-rule.tsx'
import { type SectionMessage, SettingsSection } from './settings-section.tsx'

/** Whether names that look alike count as one. */
export function AlikeNames({ foldsNames, message }: { foldsNames: boolean; message: SectionMessage }) {
  return (
    <SettingsSection
      id="names"
      title="Names that look alike"
      about="Cost centers, vendors, travelers, bookers and labels that differ in nothing that people can see: a trailing blank, a mark without ink, letters composed in another way."
      message={message}
    >
      <CheckedRule
        action="/api/settings/names"
        name="foldsNames"
        isOn={foldsNames}
        rule="Count them as one in groups, filters and choices."
      >
        What the platform sent stays as it is, also in the file of lines. Without this, each is marked with how it
        differs.
      </CheckedRule>
    </SettingsSection>
  )
}
