import { buttonClass } from '#components/primitives/button.ts'
import { SettingsSection } from '#components/settings/settings-section.tsx'
import { plural } from '#components/text/plural.ts'
import type { PersonFactors } from '#lib/auth/factors/read-factors.ts'
import type { Notice } from './account-words.ts'
import { ConfirmPassword } from './confirm-password.tsx'
import { NoticeBanner } from './notice-banner.tsx'

type SecondStepsProps = { people: PersonFactors[]; hasPassword: boolean; isFresh: boolean; notice: Notice | null }

/** Who has a second step or passkeys, and a way out for somebody whose phone is lost. */
export function SecondStepsOfPeople({ people, hasPassword, isFresh, notice }: SecondStepsProps) {
  return (
    <SettingsSection
      id="second-steps"
      title="Second steps"
      about="Remove them for somebody whose phone is lost. They are signed out everywhere and use their password alone until they set up a new one."
    >
      <NoticeBanner notice={notice} />
      <ul className="mb-3 divide-y divide-line text-[13px]">
        {people.map(({ userId, name, email, isOn, passkeys }) => (
          <li key={userId} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
            <span className="min-w-0 flex-1 truncate">
              <bdi>{name}</bdi> <span className="text-ink2">{name === email ? '' : email}</span>
            </span>
            <span className={isOn ? '' : 'text-ink2'}>
              {isOn ? 'second step' : 'password only'}
              {passkeys > 0 && `, ${plural(passkeys, 'passkey')}`}
            </span>
            {isFresh && (isOn || passkeys > 0) && (
              <form method="post" action="/api/people/second-step/reset">
                <input type="hidden" name="user" value={userId} />
                <button
                  type="submit"
                  aria-label={`Remove the second step of ${name}`}
                  className={buttonClass({ size: 'small' })}
                >
                  Remove
                </button>
              </form>
            )}
          </li>
        ))}
      </ul>
      {!isFresh && <ConfirmPassword place="people" hasPassword={hasPassword} />}
    </SettingsSection>
  )
}
