import { Banner } from '#components/primitives/banner.tsx'
import { NameForm } from './name-form.tsx'
import { SettingsSection } from './settings-section.tsx'

/** The organization's name, as everybody sees it. */
export function OrganizationName({ name, isSaved }: { name: string; isSaved: boolean }) {
  return (
    <SettingsSection id="organization" title="Organization" about="The name that everybody sees.">
      {isSaved && (
        <Banner tone="good" className="mb-3">
          The organization’s name is changed.
        </Banner>
      )}
      <NameForm action="/api/settings/name" label="Organization’s name" name={name} />
    </SettingsSection>
  )
}
