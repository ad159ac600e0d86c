import { parseArgs } from 'node:util'
import * as z from 'zod'
import { findPasswordProblem, makePassword } from '#lib/auth/password.ts'
import { ROLES, type Role } from '#lib/auth/permissions.ts'
import { resetSecondStep } from '#lib/auth/reset-second-step.ts'
import {
  addUser,
  disableUser,
  enableUser,
  findUserByEmail,
  type KnownUser,
  listOrganizations,
  listUsers,
  type Organization,
  setPassword,
  setRole,
  signOutUser,
} from '#lib/auth/users.ts'
import { endPool, switchPool } from '#lib/db/pool.ts'
import { settings as readSettings } from '#lib/env.ts'
import { askPassword } from './ask-password.ts'
import { CommandError } from './run/command-error.ts'
import { provideDataDir } from './run/data-dir.ts'
import { provideDatabase } from './run/database.ts'
import type { Lifetime } from './run/lifetime.ts'
import { bold, say } from './run/terminal.ts'

const USAGE = `Usage: npm run users -- <what>
  list                              [--organization <name or id>]
  add <email>                       [--name <name>] [--role ${ROLES.join('|')}] [--organization <name or id>] [--ask]
  password <email>                  [--ask]
  role <email> ${ROLES.join('|')}
  disable <email>
  enable <email>
  sign-out <email>
  reset-second-step <email>         (also removes passkeys; for a lost phone)
A password is made up and shown once, or with --ask typed at the terminal or read from standard input.`

type Call = { email: string; role: string | undefined; options: Options; now: Date; signal: AbortSignal }
type Options = { organization?: string; name?: string; role?: string; ask?: boolean }

const ACTIONS: Record<string, (call: Call) => Promise<void>> = {
  list,
  add,
  password,
  role,
  disable,
  enable,
  'sign-out': signOut,
  'reset-second-step': resetFactors,
}

/**
 * Manages the people who sign in: add, set a password or role, disable, enable, sign out
 * everywhere, list.
 * @throws CommandError with one sentence for a wrong call or a refusal; nothing has changed then.
 */
export async function users(lifetime: Lifetime, args: string[]): Promise<void> {
  const { action, call } = parseCall(args, lifetime.signal)
  const settings = readSettings()
  if (!settings.databaseUrl) provideDataDir(settings.dataDir)
  const { web: databaseUrl } = await provideDatabase(settings, lifetime, ['web'])
  await switchPool(databaseUrl)
  try {
    await action(call)
  } finally {
    await endPool()
  }
}

function parseCall(args: string[], signal: AbortSignal): { action: (call: Call) => Promise<void>; call: Call } {
  const { values, positionals } = parseOptions(args)
  const [verb = '', address = '', role] = positionals
  const action = Object.hasOwn(ACTIONS, verb) ? ACTIONS[verb] : undefined
  const expected = verb === 'list' ? 1 : verb === 'role' ? 3 : 2
  if (action === undefined || positionals.length !== expected) throw new CommandError(USAGE, { exitCode: 2 })
  const email = address.trim().toLowerCase()
  if (verb !== 'list' && !z.email().max(320).safeParse(email).success)
    throw new CommandError(`${email} is not an email address.`, { exitCode: 2 })
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
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  for (const row of rows) say(`  ${row.map((text, column) => text.padEnd(widths[column] ?? 0)).join('  ')}`)
}

async function add({ email, options, now, signal }: Call): Promise<void> {
  const role = toRole(options.role ?? 'viewer')
  const { id, name } = await requireOrganization(options.organization)
  const chosen = await choosePassword(options, signal)
  const isAdded = await addUser(id, { email, name: options.name?.trim() || email, role, password: chosen.text }, now)
  if (!isAdded) throw new CommandError(`${email} is a user already. Nothing was changed.`)
  say(`${email} is added to ${name} as ${role}.`)
  showPassword(chosen)
}

async function password({ email, options, now, signal }: Call): Promise<void> {
  const { organizationId, userId, isDisabled } = await requireUser(email, options, now)
  const chosen = await choosePassword(options, signal)
  const ended = await setPassword(organizationId, userId, chosen.text, now)
  say(`${email} has a new password; sessions ended: ${ended}.${isDisabled ? ' The user is still disabled.' : ''}`)
  showPassword(chosen)
}

async function role({ email, role: wanted, options, now }: Call): Promise<void> {
  const next = toRole(wanted ?? '')
  const { organizationId, userId, organizationName } = await requireUser(email, options, now)
  if (!(await setRole(organizationId, userId, next))) throw lastAdmin(email, organizationName)
  say(`${email} is ${next} now, also where signed in.`)
}

async function disable({ email, options, now }: Call): Promise<void> {
  const { organizationId, userId, organizationName } = await requireUser(email, options, now)
  const ended = await disableUser(organizationId, userId, now)
  if (ended === null) throw lastAdmin(email, organizationName)
  say(`${email} is disabled; sessions ended: ${ended}.`)
}

async function enable({ email, options, now }: Call): Promise<void> {
  const { organizationId, userId } = await requireUser(email, options, now)
  await enableUser(organizationId, userId)
  say(`${email} may sign in again, with the same password as before.`)
}

async function signOut({ email, options, now }: Call): Promise<void> {
  const { organizationId, userId } = await requireUser(email, options, now)
  say(`${email} is signed out everywhere; sessions ended: ${await signOutUser(organizationId, userId, now)}.`)
}

async function resetFactors({ email, options, now }: Call): Promise<void> {
  const person = await requireUser(email, options, now)
  const reset = await resetSecondStep(person, { kind: 'operator', name: 'npm run users' }, now)
  if (reset === null) throw new CommandError(`${email} has neither a second step nor passkeys. Nothing was changed.`)
  say(
    `${email} signs in with the password alone now; passkeys removed: ${reset.passkeys}, sessions ended: ${reset.sessions}.`,
  )
}

function lastAdmin(email: string, organization: string): CommandError {
  return new CommandError(
    `${email} is the last admin of ${organization} who can sign in: make somebody else admin first. Nothing was changed.`,
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

/** The organization of that name or id; the only one when none is named. */
async function requireOrganization(wanted: string | undefined): Promise<Organization> {
  const all = await listOrganizations()
  const named = all.filter(({ id, name }) => wanted === undefined || id === wanted || name === wanted)
  const [organization, ...others] = named
  if (organization !== undefined && others.length === 0) return organization
  if (all.length === 0) throw new CommandError('There is no organization yet: start the program once.')
  const choice = (named.length === 0 ? all : named).map(({ id, name }) => `  ${name}  ${id}`).join('\n')
  const problem = named.length === 0 ? `There is no organization "${wanted}".` : 'Which organization?'
  throw new CommandError(`${problem} Name one with --organization, by its name or id:\n${choice}`)
}

type Chosen = { text: string; isMadeUp: boolean }

async function choosePassword({ ask }: Options, signal: AbortSignal): Promise<Chosen> {
  if (!ask) return { text: makePassword(), isMadeUp: true }
  const text = await askPassword(undefined, signal)
  const problem = findPasswordProblem(text)
  if (problem !== null) throw new CommandError(`The password ${problem}. Nothing was changed.`)
  return { text, isMadeUp: false }
}

function showPassword({ text, isMadeUp }: Chosen): void {
  if (isMadeUp) say(`Password, shown this once: ${bold(text)}`)
}
