import { buttonClass } from '#components/primitives/button.ts'
import { SettingsSection } from '#components/settings/settings-section.tsx'
import type { Notice } from './account-words.ts'
import { ConfirmPassword } from './confirm-password.tsx'
import { NoticeBanner } from './notice-banner.tsx'

type RuleProps = { isRequired: boolean; hasPassword: boolean; isFresh: boolean; notice: Notice | null }

/** Whether everybody needs a second step. */
export function SecondStepRule({ isRequired, hasPassword, isFresh, notice }: RuleProps) {
  return (
    <SettingsSection
      id="second-step"
      title="Second step"
      about="When everybody needs one, people without it set it up before they see anything else."
    >
      <NoticeBanner notice={notice} />
      {isFresh ? (
        <form
          method="post"
          action="/api/settings/second-step"
          className="flex flex-wrap items-center gap-2 text-[13px]"
        >
          <label className="flex max-w-full flex-wrap items-center gap-2">
            A second step is
            <select name="required" defaultValue={isRequired ? 'yes' : 'no'} className="field h-7 max-w-full">
              <option value="no">up to each person</option>
              <option value="yes">required for everybody with a password</option>
            </select>
          </label>
          <button type="submit" className={buttonClass()}>
            Save
          </button>
        </form>
      ) : (
        <>
          <p className="mb-3 text-[13px]">
            {isRequired ? 'Required for everybody with a password.' : 'Up to each person.'}
          </p>
          <ConfirmPassword place="settings" hasPassword={hasPassword} />
        </>
      )}
    </SettingsSection>
  )
}
