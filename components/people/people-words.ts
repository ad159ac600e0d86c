import type { BannerTone } from '#components/primitives/banner.tsx'

/** What a form of the page People did, by the key in the address it leads back to. */
const SAID: Record<string, string> = {
  name: 'The name is changed.',
  role: 'The role is changed. It counts with the next click, also where the person is signed in.',
  deactivate: 'The person is deactivated: signed out everywhere, and cannot sign in.',
  reactivate: 'The person may sign in again, with the same password as before.',
  'sign-out': 'The person is signed out everywhere.',
  remove: 'The person is removed. Histories and the audit go on naming them.',
  mailed: 'The invitation is on its way by mail. Its link works once, for seven days.',
  withdraw: 'The invitation is withdrawn: its link no longer works.',
}

const ERRORS: Record<string, string> = {
  member: 'This address is in your organization already.',
  'no-mail': 'This desk sends no mail. Make a link, and hand it over.',
  managed: 'Nothing was changed: your company’s directory decides that about this person. Change it there.',
  'last-admin':
    'Nothing was changed: this is the last admin who can sign in. Make somebody else admin first, or reactivate one.',
}

/** What to say at the top of the page; null for an address that says nothing we know. */
export function toNotice(said: unknown, error: unknown): { tone: BannerTone; text: string } | null {
  if (typeof error === 'string' && Object.hasOwn(ERRORS, error)) return { tone: 'bad', text: ERRORS[error] ?? '' }
  if (typeof said === 'string' && Object.hasOwn(SAID, said)) return { tone: 'good', text: SAID[said] ?? '' }
  return null
}
