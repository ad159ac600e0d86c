import { buttonClass } from '#components/primitives/button.ts'
import { EntryField } from './entry-page.tsx'

/** What says why the form is there again. */
export const SIGN_IN_ERROR_ID = 'sign-in-error'

type PasswordFormProps = {
  next: string
  /** What was typed before; empty the first time. */
  email: string
  /** Whether email and password did not match. */
  isWrong: boolean
}

/** A plain form that works without scripts. After a mistake the focus is where to go on. */
export function PasswordForm({ next, email, isWrong }: PasswordFormProps) {
  return (
    <form method="post" action="/api/sign-in" className="flex flex-col gap-3">
      <input type="hidden" name="next" value={next} />
      <EntryField
        label="Email"
        name="email"
        type="email"
        autoComplete="username"
        defaultValue={email}
        autoFocus={isWrong && email === ''}
      />
      <EntryField
        label="Password"
        name="password"
        type="password"
        autoComplete="current-password"
        autoFocus={isWrong && email !== ''}
        {...(isWrong && { 'aria-invalid': true, 'aria-describedby': SIGN_IN_ERROR_ID })}
      />
      <button type="submit" className={`${buttonClass({ look: 'primary' })} mt-2 h-9`}>
        Sign in
      </button>
    </form>
  )
}
