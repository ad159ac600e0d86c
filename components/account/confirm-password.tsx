import { buttonClass } from '#components/primitives/button.ts'
import type { UserId } from '#lib/ids.ts'
import { INPUT_CLASS } from './input-class.ts'

type ConfirmPasswordProps = {
  /** Where it leads back to (`FACTOR_PLACES`). */
  place: string
  /** Somebody without a password signs in again instead. */
  hasPassword: boolean
  /** Whom the page shows again. */
  person?: UserId
}

/** Stands in the place of forms that need a session which has just shown whose it is. */
export function ConfirmPassword({ place, hasPassword, person }: ConfirmPasswordProps) {
  if (!hasPassword)
    return <p className="text-[13px] text-ink2">To change this, sign out and in again: then you have ten minutes.</p>
  return (
    <form method="post" action="/api/account/second-step/confirm" className="flex flex-col items-start gap-2">
      <input type="hidden" name="place" value={place} />
      {person !== undefined && <input type="hidden" name="person" value={person} />}
      <label className="flex w-full flex-col gap-1 text-[13px]">
        To change this, type your password again
        <input name="password" type="password" autoComplete="current-password" required className={INPUT_CLASS} />
      </label>
      <button type="submit" className={buttonClass()}>
        Continue
      </button>
    </form>
  )
}
