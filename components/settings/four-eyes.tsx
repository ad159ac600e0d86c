import { CheckedRule } from './checked-rule.tsx'
import { type SectionMessage, SettingsSection } from './settings-section.tsx'

/** Whether who approves must be another person than who prepared. */
export function FourEyes({ fourEyes, message }: { fourEyes: boolean; message: SectionMessage }) {
  return (
    <SettingsSection
      id="signing"
      title="Sign-off"
      about="Who may sign an invoice or a month off. The audit keeps who changed this, and when."
      message={message}
    >
      <CheckedRule
        action="/api/settings/sign-off"
        name="fourEyes"
        isOn={fourEyes}
        rule="Whoever prepared may not approve."
      >
        Two people sign, at every door. Without this, one person may take both steps; what is signed says who did.
      </CheckedRule>
    </SettingsSection>
  )
}
