import { buttonClass } from '#components/primitives/button.ts'
import { SettingsSection } from '#components/settings/settings-section.tsx'
import type { Notice } from './account-words.ts'
import { ConfirmPassword } from './confirm-password.tsx'
import { INPUT_CLASS } from './input-class.ts'
import { NoticeBanner } from './notice-banner.tsx'
import { QrCode } from './qr-code.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

export type SecondStepView = {
  isOn: boolean
  /** The day since which it is on. */
  since: string | null
  codesLeft: number
  hasPassword: boolean
  /** True while this session may change it. */
  isFresh: boolean
  /** The secret that waits for its first code: as apps read it, and as people type it. */
  enrolment: { address: string; secret: string } | null
  /** New recovery codes that the person has not kept yet. */
  newCodes: string[]
}

/** The authenticator app: on or off, setting it up, and its recovery codes. Plain forms. */
export function SecondStep({ view, notice }: { view: SecondStepView; notice: Notice | null }) {
  return (
    <SettingsSection
      id="second-step"
      title="Second step"
      about="After your password, a code from an app on your phone. Whoever learns your password cannot enter with it alone."
    >
      <NoticeBanner notice={notice} />
      {view.newCodes.length > 0 && <RecoveryCodes codes={view.newCodes} />}
      <p className="mb-3 text-[13px]">
        {view.isOn ? (
          <>
            On since {view.since}. Recovery codes left: <span className="tabular-nums">{view.codesLeft}</span> of 10.
          </>
        ) : (
          'Off.'
        )}
      </p>
      <SecondStepForms view={view} />
    </SettingsSection>
  )
}

function SecondStepForms({ view }: { view: SecondStepView }) {
  if (!view.hasPassword && !view.isOn)
    return <p className="text-[13px] text-ink2">You have no password here: your company’s sign-in asks for its own.</p>
  if (!view.isFresh) return <ConfirmPassword place="second-step" hasPassword={view.hasPassword} />
  if (view.isOn)
    return (
      <div className="flex flex-wrap gap-2">
        <PostButton action="/api/account/second-step/codes" label="Make new recovery codes" />
        <PostButton action="/api/account/second-step/disable" label="Turn off" />
      </div>
    )
  if (view.enrolment === null) return <PostButton action="/api/account/second-step/begin" label="Set up an app" />
  return <EnrolmentForm enrolment={view.enrolment} />
}

function EnrolmentForm({ enrolment }: { enrolment: { address: string; secret: string } }) {
  return (
    <div className="flex flex-col gap-3 text-[13px]">
      <p>Scan this with an authenticator app, or type the key into it.</p>
      <QrCode text={enrolment.address} label="QR code for an authenticator app" />
      <p>
        Key: <code className="break-all font-mono">{enrolment.secret.match(/.{1,4}/g)?.join(' ')}</code>
      </p>
      <form method="post" action="/api/account/second-step/enable" className="flex flex-col items-start gap-2">
        <label className="flex w-full flex-col gap-1">
          The six digits that the app shows now
          <input name="code" inputMode="numeric" autoComplete="one-time-code" required className={INPUT_CLASS} />
        </label>
        <button type="submit" className={buttonClass({ look: 'primary' })}>
          Turn on
        </button>
      </form>
      <PostButton action="/api/account/second-step/begin" label="Make another key" />
    </div>
  )
}

function PostButton({ action, label }: { action: string; label: string }) {
  return (
    <form method="post" action={action}>
      <button type="submit" className={buttonClass()}>
        {label}
      </button>
    </form>
  )
}
