/** What a page says after a form that changes how somebody signs in: `?said=` or `?error=`. */
const SAID: Record<string, string> = {
  begun: 'Scan the code with your app, then type what it shows.',
  'second-step-on': 'Your second step is on. Keep the recovery codes below.',
  'second-step-off': 'Your second step is off.',
  'codes-made': 'Your earlier recovery codes no longer work. Keep the new ones below.',
  'codes-kept': 'The recovery codes are not shown again.',
  confirmed: 'Thank you. You can change this for ten minutes.',
  'recovery-code': 'You signed in with a recovery code. It does not work again.',
  'passkey-added': 'The passkey is added. You can sign in with it from now on.',
  'passkey-removed': 'The passkey no longer signs you in.',
  'second-step-reset': 'Second step and passkeys are removed, and the person is signed out everywhere.',
  'second-step-rule': 'The rule is saved. It holds from now on, also for whoever is signed in.',
}

const ERRORS: Record<string, string> = {
  required: 'Your organization asks everybody for a second step. Set it up to go on.',
  code: 'This code is not right. Wait for the next one and type it at once; the phone’s clock must be right.',
  confirm: 'Type your password first. Nothing was changed.',
  password: 'This is not your password.',
  wait: 'There were too many attempts. Please wait a moment and try again.',
  'already-on': 'Your second step is on already.',
  off: 'Your second step is not on.',
  passkey: 'The passkey could not be added. Please try again.',
}

export type Notice = { tone: 'good' | 'bad'; text: string }

/**
 * The notice of an address; null when it has none, or one that is another section's. `prefix`: what
 * the section's keys begin with (`PREFIXES` in lib/auth/doors/account-route.ts).
 */
export function toNotice({ said, error }: Record<string, string | string[] | undefined>, prefix = ''): Notice | null {
  const [good, bad] = [said, error].map((key) => withoutPrefix(key, prefix))
  if (bad !== undefined && Object.hasOwn(ERRORS, bad)) return { tone: 'bad', text: ERRORS[bad] as string }
  if (good !== undefined && Object.hasOwn(SAID, good)) return { tone: 'good', text: SAID[good] as string }
  return null
}

function withoutPrefix(key: string | string[] | undefined, prefix: string): string | undefined {
  return typeof key === 'string' && key.startsWith(prefix) ? key.slice(prefix.length) : undefined
}
