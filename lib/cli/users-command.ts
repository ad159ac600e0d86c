import { parseArgs } from 'node:util'
import { makeLinkByHand } from '#lib/auth/account/reset-password.ts'
import type { KnownUser } from '#lib/auth/model.ts'
import {
  addUser,
  disableUser,
  enableUser,
  findUserByEmail,
  listUsers,
  removeUser,
  setPassword,
  setRole,
  signOutUser,
  type UserChange,
} from '#lib/auth/people/users.ts'
import { ROLES, type Role } from '#lib/auth/permissions.ts'
import { resetSecondStep } from '#lib/auth/sign-in/reset-second-step.ts'
import {
  choosePassword,
  requireEmail,
  requireOrganization,
  sayTable,
  showPassword,
  toOperator,
  withDatabase,
} from './people-parts.ts'
import { CommandError } from './run/command-error.ts'
import type { Lifetime } from './run/lifetime.ts'
import { bold, say } from './run/terminal.ts'

const USAGE = `Usage: npm run users -- <what>
  list                              [--organization <name or id>]
  add <email>                       [--name <name>] [--role ${ROLES.join('|')}] [--organization <name or id>] [--ask]
  password <email>                  [--ask]
  reset-link <email>
  role <email> ${ROLES.join('|')}
  disable <email>
  enable <email>
  sign-out <email>
  remove <email>
  reset-second-step <email>         (also removes passkeys; for a lost phone)
A password is made up and shown once, or with --ask typed at the terminal or read from standard input.`

type Call = { email: string; role: string | undefined; options: Options; now: Date; signal: AbortSignal }
type Options = { organization?: string; name?: string; role?: string; ask?: boolean }

const ACTIONS: Record<string, (call: Call) => Promise<void>> = {
  list,
  add,
  password,
  'reset-link': resetLink,
  role,
  disable,
  enable,
  'sign-out': signOut,
  remove,
  'reset-second-step': resetFactors,
}

const OPERATOR = toOperator('users')

/**
 * Manages the people who sign in: add, set a password or role, disable, enable, sign out
 * everywhere, remove, list.
 * @throws CommandError with one sentence for a wrong call or a refusal; nothing has changed then.
 */
export async function users(lifetime: Lifetime, args: string[]): Promise<void> {
  const { action, call } = parseCall(args, lifetime.signal)
  await withDatabase(lifetime, () => action(call))
}

function parseCall(args: string[], signal: AbortSignal): { action: (call: Call) => Promise<void>; call: Call } {
  const { values, positionals } = parseOptions(args)
  const [verb = '', address = '', role] = positionals
  const action = Object.hasOwn(ACTIONS, verb) ? ACTIONS[verb] : undefined
  const expected = verb === 'list' ? 1 : verb === 'role' ? 3 : 2
  if (action === undefined || positionals.length !== expected) throw new CommandError(USAGE, { exitCode: 2 })
  const email = verb === 'list' ? '' : requireEmail(address)
  return { action, call: { email, role, options: values, now: new Date(), signal } }
}

function parseOptions(args: string[]) {
  const text = { type: 'string' } as const
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: { organization: text, name: text, role: text, ask: { type: 'boolean' } },
    })
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    throw new CommandError(USAGE, { exitCode: 2, details: problem, cause: error })
  }
}

async function list({ options, now }: Call): Promise<void> {
  const organization = options.organization === undefined ? null : await requireOrganization(options.organization)
  const found = await listUsers(organization?.id ?? null, now)
  if (found.length === 0) say('There is no user.')
  const rows = found.map(({ email, name, role, isDisabled, sessions, organizationName }) => {
    const state = isDisabled ? 'disabled' : sessions === 0 ? 'not signed in' : `signed in: ${sessions}`
    return [email, role, state, name, organizationName]
  })
  sayTable(rows)
}

async function add({ email, options, now, signal }: Call): Promise<void> {
  const role = toRole(options.role ?? 'viewer')
  const { id, name } = await requireOrganization(options.organization)
  const chosen = await choosePassword(options.ask, signal, { email, name: options.name, organizationName: name })
  const user = { email, name: options.name?.trim() || email, role, password: chosen.text }
  const isAdded = await addUser(id, user, OPERATOR, now)
  if (!isAdded) throw new CommandError(`${email} is a user already. Nothing was changed.`)
  say(`${email} is added to ${name} as ${role}.`)
  showPassword(chosen)
}

async function password({ email, options, now, signal }: Call): Promise<void> {
  const user = await requireUser(email, options, now)
  const chosen = await choosePassword(options.ask, signal, user)
  const ended = requireDone(user, await setPassword(user.organizationId, user.userId, chosen.text, OPERATOR, now))
  say(`${email} has a new password; sessions ended: ${ended}.${user.isDisabled ? ' The user is still disabled.' : ''}`)
  showPassword(chosen)
}

async function resetLink({ email, options, now }: Call): Promise<void> {
  const { isDisabled, ...person } = await requireUser(email, options, now)
  if (isDisabled) throw new CommandError(`${email} is disabled: enable the user first. Nothing was changed.`)
  const address = await makeLinkByHand(person, OPERATOR, now)
  say(`A link with which ${email} sets a new password, once, within an hour. It is shown this once:`)
  say(bold(address))
}

async function role({ email, role: wanted, options, now }: Call): Promise<void> {
  const next = toRole(wanted ?? '')
  const user = await requireUser(email, options, now)
  requireDone(user, await setRole(user.organizationId, user.userId, next, OPERATOR))
  say(`${email} is ${next} now, also where signed in.`)
}

async function disable({ email, options, now }: Call): Promise<void> {
  const user = await requireUser(email, options, now)
  const ended = requireDone(user, await disableUser(user.organizationId, user.userId, OPERATOR, now))
  say(`${email} is disabled; sessions ended: ${ended}.`)
}

async function enable({ email, options, now }: Call): Promise<void> {
  const user = await requireUser(email, options, now)
  requireDone(user, await enableUser(user.organizationId, user.userId, OPERATOR))
  say(`${email} may sign in again, with the same password as before.`)
}

async function signOut({ email, options, now }: Call): Promise<void> {
  const user = await requireUser(email, options, now)
  const ended = requireDone(user, await signOutUser(user.organizationId, user.userId, OPERATOR, now))
  say(`${email} is signed out everywhere; sessions ended: ${ended}.`)
}

async function resetFactors({ email, options, now }: Call): Promise<void> {
  const person = await requireUser(email, options, now)
  const reset = await resetSecondStep(person, OPERATOR, now)
  if (reset === null) throw new CommandError(`${email} has neither a second step nor passkeys. Nothing was changed.`)
  say(
    `${email} signs in with the password alone now; passkeys removed: ${reset.passkeys}, sessions ended: ${reset.sessions}.`,
  )
}

async function remove({ email, options, now }: Call): Promise<void> {
  const user = await requireUser(email, options, now)
  const ended = requireDone(user, await removeUser(user.organizationId, user.userId, OPERATOR, now))
  say(`${email} is removed, and the address is free; sessions ended: ${ended}.`)
}

/** The sessions that a change ended. */
function requireDone({ email, organizationName }: KnownUser, change: UserChange): number {
  if (change.kind === 'done') return change.endedSessions
  if (change.kind === 'missing') throw new CommandError(`There is no user ${email} any more. Nothing was changed.`)
  if (change.kind === 'managed')
    throw new CommandError(`The directory of ${organizationName} decides that about ${email}. Nothing was changed.`)
  throw new CommandError(
    `${email} is the last admin of ${organizationName} who can sign in: make somebody else admin first. Nothing was changed.`,
  )
}

function toRole(text: string): Role {
  const role = ROLES.find((each) => each === text)
  if (role === undefined)
    throw new CommandError(`There is no role "${text}"; there are ${ROLES.join(', ')}.`, { exitCode: 2 })
  return role
}

async function requireUser(email: string, { organization }: Options, now: Date): Promise<KnownUser> {
  const user = await findUserByEmail(email, now)
  const isMeant = organization === undefined || user?.organizationId === (await requireOrganization(organization)).id
  if (user === null || !isMeant)
    throw new CommandError(`There is no user ${email}${organization === undefined ? '' : ` in ${organization}`}.`)
  return user
}
