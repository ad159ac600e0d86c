/**
 * How a write ended, as a value. A plain form is led back to a page, a script gets JSON: `toReply`
 * makes the one or the other of it, so no handler asks which of the two was sent.
 */
import { errorReply, jsonReply, redirectTo } from './replies.ts'

/** Where forms lead back to; the outcome says what `[id]` is. */
const LANDINGS = {
  you: '/account#you',
  password: '/account#password',
  'own-sessions': '/account#sessions',
  'own-formats': '/account#formats',
  'own-digest': '/account#digest',
  'second-step': '/account#second-step',
  passkeys: '/account#passkeys',
  everybody: '/people',
  invite: '/people#invite',
  invitations: '/people#invitations',
  people: '/people#second-steps',
  person: '/people#person',
  organization: '/settings#organization',
  settings: '/settings#second-step',
  'session-limits': '/settings#sessions',
  'default-formats': '/settings#formats',
  names: '/settings#names',
  reasons: '/settings#reasons',
  signing: '/settings#signing',
  'single-sign-on': '/settings#single-sign-on',
  directory: '/settings#directory',
  chain: '/audit#chain',
  check: '/checks#[id]',
  habits: '/checks#habits',
  rules: '/close/rules',
  'fiscal-year': '/checks#fiscal-year',
  connections: '/connections',
  connection: '/connections/[id]',
  sync: '/connections/[id]#sync',
  loss: '/connections/[id]/loss',
  scim: '/connections/[id]/scim',
  rejected: '/rejected',
  decisions: '/decisions',
  list: '/[id]',
  'sign-in': '/sign-in',
  invited: '/invite[id]',
  packed: '/pack',
} as const
type Name = keyof typeof LANDINGS

/** Where a page has several places, each one's notices have keys of their own. */
const PREFIXES: Partial<Record<Name, string>> = {
  password: 'password-',
  'own-sessions': 'sessions-',
  person: 'person-',
  'own-formats': 'formats-',
  'own-digest': 'digest-',
  'session-limits': 'sessions-',
  'default-formats': 'formats-',
  names: 'names-',
  reasons: 'reasons-',
  signing: 'signing-',
  'single-sign-on': 'sso_',
  directory: 'directory-',
}

type NameOfMany = { [N in Name]: (typeof LANDINGS)[N] extends `${string}[id]${string}` ? N : never }[Name]

/** A place of a page, by its name in the table; with an id where there are many of it. */
export type Landing = Exclude<Name, NameOfMany> | readonly [name: NameOfMany, id: string]

/** What the page is told in its address. */
export type Notice = {
  /** A key of the page's words, without the prefix of the place. */
  said?: string
  /** The same, of what went wrong. */
  error?: string
  /** What else there is to tell, as it stands in an address. */
  query?: string | URLSearchParams
  cookies?: string[]
}

/** What a form gets, and what a script gets: a reply, or a value to send as JSON. */
export class Outcome {
  readonly form: Response
  readonly script: unknown

  constructor(form: Response, script: unknown) {
    this.form = form
    this.script = script
  }
}

/** A form lands with the notice; a script gets the value, or the reply that the value is. */
export function done(landing: Landing, value: unknown, notice: Notice = {}): Outcome {
  return new Outcome(landAt(landing, notice), value)
}

/** 409 is the status of all others. */
const STATUS: Record<string, number> = { 'bad-request': 400, 'not-found': 404 }

/**
 * Nothing was changed. A form lands with the notice, which is the error of that code unless it is
 * given; a script gets code and text.
 */
export function refused(landing: Landing, code: string, text: string, notice: Notice = { error: code }): Outcome {
  return new Outcome(landAt(landing, notice), errorReply(STATUS[code] ?? 409, code, text))
}

/** Leads a form to the page, and a script too: it gets no answer of its own. */
export function landAt(landing: Landing, { said, error, query, cookies }: Notice = {}): Response {
  const [name, id = ''] = typeof landing === 'string' ? [landing] : landing
  const prefix = PREFIXES[name] ?? ''
  const told = [said && `said=${prefix}${said}`, error && `error=${prefix}${error}`, query].filter(Boolean).join('&')
  const [page = '', spot = ''] = LANDINGS[name].replace('[id]', () => id).split(/(?=#)/)
  return redirectTo(`${page}${told && `?${told}`}${spot}`, cookies)
}

/** The reply to how it ended. What is no outcome is the same for forms and scripts. */
export function toReply(ended: unknown, isForm: boolean): Response {
  const answer = ended instanceof Outcome ? (isForm ? ended.form : ended.script) : ended
  return answer instanceof Response ? answer : jsonReply(answer)
}
