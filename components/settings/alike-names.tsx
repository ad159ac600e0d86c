import { buttonClass } from '#components/primitives/button.ts'
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
      <form method="post" action="/api/settings/names" className="flex flex-col items-start gap-3 text-[13px]">
        <label className="flex items-start gap-2">
          <input
            type="checkbox"
            name="foldsNames"
            value="on"
            defaultChecked={foldsNames}
            className="mt-0.5 accent-accent"
          />
          <span>
            Count them as one in groups, filters and choices.
            <span className="block text-ink3">
              What the platform sent stays as it is, also in the file of lines. Without this, each is marked with how it
              differs.
            </span>
          </span>
        </label>
        <button type="submit" className={buttonClass()}>
          Save
        </button>
      </form>
    </SettingsSection>
  )
}
