/**
 * How a click on "Connect account" can end. The key travels in the address of the connections page
 * (`/connections?connect=<key>`). The words are fixed here: nothing the platform sends is ever
 * shown.
 */
export type ConnectOutcome = {
  title: string
  text: string
  tone: 'success' | 'neutral' | 'danger'
  /** Whether the page offers to start again from here. */
  startAgain?: boolean
}

export const CONNECT_OUTCOMES = {
  connected: {
    title: 'Account connected',
    text: 'Its invoices and lines are on their way. The account is named once its profiles have arrived.',
    tone: 'success',
  },
  reconnecting: {
    title: 'Access granted again',
    text: 'The worker is checking that it is the same account. Then its sync continues where it stopped.',
    tone: 'success',
  },
  disconnecting: {
    title: 'Not connected: the account is being disconnected',
    text: 'Wait until it is disconnected, then reconnect it. Nothing was stored.',
    tone: 'neutral',
  },
  declined: {
    title: 'Not connected: access was declined',
    text: 'On the platform, access was declined. Nothing was stored.',
    tone: 'neutral',
    startAgain: true,
  },
  expired: {
    title: 'Not connected: it took too long',
    text: 'Connecting has to be finished within ten minutes. Nothing was stored.',
    tone: 'neutral',
    startAgain: true,
  },
  not_started: {
    title: 'Not connected: this browser did not ask for it',
    text: 'The platform sent an answer that does not belong to a click on “Connect account” in this browser. It was ignored, and nothing was stored.',
    tone: 'danger',
    startAgain: true,
  },
  other_user: {
    title: 'Not connected: started in another session',
    text: 'Connecting was started by someone else, or before you signed in again. Nothing was stored.',
    tone: 'danger',
    startAgain: true,
  },
  not_admin: {
    title: 'Not connected: only admins connect accounts',
    text: 'Your role does not allow connecting accounts. Nothing was stored. Ask an admin of your organization.',
    tone: 'danger',
  },
  state: {
    title: 'Not connected: the answer does not match',
    text: 'The platform’s answer does not belong to the account being connected in this browser. It was ignored and nothing was stored. If you connect in two tabs, finish the newer one.',
    tone: 'danger',
    startAgain: true,
  },
  replayed: {
    title: 'This answer was already used',
    text: 'The platform’s answer counts once. If the account is listed below, all is well.',
    tone: 'neutral',
    startAgain: true,
  },
  refused: {
    title: 'Not connected: the platform refused',
    text: 'The platform could not ask for your consent. Nothing was stored. If this continues, tell your operator.',
    tone: 'danger',
    startAgain: true,
  },
  incomplete: {
    title: 'Not connected: the link would not last',
    text: 'The platform’s answer lacks what is needed to renew the link to the account. Nothing was stored. Tell your operator.',
    tone: 'danger',
  },
  failed: {
    title: 'Not connected: something went wrong',
    text: 'The platform’s answer could not be turned into a link to the account. Nothing was stored. If this continues, tell your operator.',
    tone: 'danger',
    startAgain: true,
  },
} as const satisfies Record<string, ConnectOutcome>

export type ConnectOutcomeKey = keyof typeof CONNECT_OUTCOMES

/** The outcome an address names; null for any other name, even `constructor` or `__proto__`. */
export function toConnectOutcome(key: unknown): ConnectOutcome | null {
  return typeof key === 'string' && Object.hasOwn(CONNECT_OUTCOMES, key)
    ? CONNECT_OUTCOMES[key as ConnectOutcomeKey]
    : null
}
