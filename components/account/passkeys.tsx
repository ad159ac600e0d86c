import { buttonClass } from '#components/primitives/button.ts'
import { SettingsSection } from '#components/settings/settings-section.tsx'
import type { Notice } from './account-words.ts'
import { AddPasskey } from './add-passkey.client.tsx'
import { ConfirmPassword } from './confirm-password.tsx'
import { NoticeBanner } from './notice-banner.tsx'

type PasskeyView = { id: string; name: string; added: string; lastUsed: string | null }

type PasskeysProps = { passkeys: PasskeyView[]; hasPassword: boolean; isFresh: boolean; notice: Notice | null }

/** The passkeys of the person: name, days, remove, add. */
export function Passkeys({ passkeys, hasPassword, isFresh, notice }: PasskeysProps) {
  return (
    <SettingsSection
      id="passkeys"
      title="Passkeys"
      about="Sign in with your fingerprint, face or device PIN. A passkey stands for password and second step together."
    >
      <NoticeBanner notice={notice} />
      {passkeys.length === 0 ? (
        <p className="mb-3 text-[13px]">None.</p>
      ) : (
        <ul className="mb-3 divide-y divide-line text-[13px]">
          {passkeys.map(({ id, name, added, lastUsed }) => (
            <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
              <span className="min-w-0 flex-1 truncate font-medium">
                <bdi>{name}</bdi>
              </span>
              <span className="text-ink2">
                added {added}, {lastUsed === null ? 'not used yet' : `last used ${lastUsed}`}
              </span>
              {isFresh && (
                <form method="post" action="/api/account/passkeys/remove">
                  <input type="hidden" name="id" value={id} />
                  <button type="submit" aria-label={`Remove ${name}`} className={buttonClass({ size: 'small' })}>
                    Remove
                  </button>
                </form>
              )}
            </li>
          ))}
        </ul>
      )}
      {isFresh ? <AddPasskey /> : <ConfirmPassword place="passkeys" hasPassword={hasPassword} />}
    </SettingsSection>
  )
}
