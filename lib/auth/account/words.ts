/** What the pages about the own password and sessions say after a form: `?said=` or `?error=`. */
import { toWaitText } from '#lib/http/wait-reply.ts'
import { PASSWORD_PROBLEMS } from '../passwords/password.ts'

/** A message, and the section of the page that it is about. */
export type Message = { section: string; tone: 'good' | 'bad'; text: string }

const PROBLEMS = Object.fromEntries(
  Object.entries(PASSWORD_PROBLEMS).map(([key, words]) => [`password-${key}`, `The new password ${words}.`]),
)

const SAID: Record<string, string> = {
  joined: 'You have joined. Sign in with the address that was invited and your new password.',
  'password-changed': 'Your password is changed. Wherever else you were signed in, you are signed out.',
  'password-new': 'Your new password is set. Sign in with it.',
  'password-asked':
    'If this address has a password here, a mail with a link is on its way to it. The link works for an hour. Who must use single sign-on gets none.',
  'sessions-ended': 'You are signed out there.',
  'names-saved': 'Groups, filters and choices read names like this from now on.',
  'digest-saved': 'Saved.',
  'digest-asked': 'A worker makes it now. Reload this page in a moment to see what became of it.',
  'reasons-saved': 'From the next decision on, people choose from these reasons.',
  'signing-saved': 'From the next signature on, it is like this.',
  'formats-saved': 'Pages are written like this from now on.',
  'sessions-limits': 'The new limits hold from now on, also for those who are signed in.',
}

const ERRORS: Record<string, string> = {
  ...PROBLEMS,
  'password-wrong': 'The old password is not right. Nothing was changed.',
  'password-same': 'The new password is the one that you have. Choose another.',
  'password-gone': 'This link does not work any more. Ask for another one.',
  'password-form': 'The form arrived damaged. Please try again.',
  'password-origin': 'This page was opened at an address it is not set up for. Open its own address and try again.',
  'reasons-changed':
    'Somebody changed the reasons after you opened this page. Nothing was changed; look at them again.',
  'reasons-gone': 'There is no such reason. Nothing was changed.',
  'reasons-taken': 'There is a reason of these words already.',
  'reasons-taken-retired': 'A retired reason has these words: bring it back instead.',
  'reasons-stays': 'This reason cannot be retired: Tieout itself speaks of it. It may be renamed.',
  'reasons-last': 'A dispute always has a reason: keep at least one.',
  'reasons-full': 'There are as many reasons as there may be.',
  'sessions-gone': 'That session had ended already.',
  'digest-no-mail': 'This installation sends no mail. Your digest is here as a page.',
}

/** The message that an address asks for, or null; unknown keys say nothing. */
export function readMessage({ said, error, seconds }: Record<string, unknown>): Message | null {
  if (error === 'password-wait') return toMessage('bad', error, toWaitText(seconds, 'attempts'))
  if (error === 'digest-wait') return toMessage('bad', error, toWaitText(seconds, 'digests'))
  if (typeof error === 'string' && Object.hasOwn(ERRORS, error)) return toMessage('bad', error, ERRORS[error])
  return typeof said === 'string' && Object.hasOwn(SAID, said) ? toMessage('good', said, SAID[said]) : null
}

function toMessage(tone: Message['tone'], key: string, text = ''): Message {
  return { section: key.slice(0, key.indexOf('-')), tone, text }
}
