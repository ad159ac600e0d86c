import { parseArgs } from 'node:util'
import { oneLine } from '#lib/auth/one-line.ts'
import { createOrganization, listOrganizations, renameOrganization } from '#lib/auth/people/organizations.ts'
import { listUsers } from '#lib/auth/people/users.ts'
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
import { say } from './run/terminal.ts'

const USAGE = `Usage: npm run organization -- <what>
  list
  create <name> --admin <email>     [--ask]
  rename <name or id> <new name>
The first admin's password is made up and shown once, or with --ask typed at the terminal or read from standard input.`

type Call = { names: string[]; admin: string | undefined; ask: boolean | undefined; now: Date; signal: AbortSignal }

/** Each action, and how many names it takes. */
const ACTIONS: Record<string, { names: number; act: (call: Call) => Promise<void> }> = {
  list: { names: 0, act: list },
  create: { names: 1, act: create },
  rename: { names: 2, act: rename },
}

const OPERATOR = toOperator('organization')

/**
 * Manages the organizations of an installation: make one with its first admin, rename, list.
 * @throws CommandError with one sentence for a wrong call or a refusal; nothing has changed then.
 */
export async function organization(lifetime: Lifetime, args: string[]): Promise<void> {
  const { act, call } = parseCall(args, lifetime.signal)
  await withDatabase(lifetime, () => act(call))
}

function parseCall(args: string[], signal: AbortSignal): { act: (call: Call) => Promise<void>; call: Call } {
  const { values, positionals } = parseOptions(args)
  const [verb = '', ...names] = positionals
  const action = Object.hasOwn(ACTIONS, verb) ? ACTIONS[verb] : undefined
  const isCreate = verb === 'create'
  if (action === undefined || names.length !== action.names || isCreate !== (values.admin !== undefined))
    throw new CommandError(USAGE, { exitCode: 2 })
  const admin = values.admin === undefined ? undefined : requireEmail(values.admin)
  return { act: action.act, call: { names, admin, ask: values.ask, now: new Date(), signal } }
}

function parseOptions(args: string[]) {
  try {
    const options = { admin: { type: 'string' }, ask: { type: 'boolean' } } as const
    return parseArgs({ args, allowPositionals: true, options })
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    throw new CommandError(USAGE, { exitCode: 2, details: problem, cause: error })
  }
}

async function list({ now }: Call): Promise<void> {
  const [organizations, users] = await Promise.all([listOrganizations(), listUsers(null, now)])
  if (organizations.length === 0) say('There is no organization yet: start the program once.')
  sayTable(
    organizations.map(({ id, name }) => {
      const members = users.filter(({ organizationId }) => organizationId === id)
      const admins = members.filter(({ role, isDisabled }) => role === 'admin' && !isDisabled)
      return [name, id, `people: ${members.length}`, `admins: ${admins.length}`]
    }),
  )
}

async function create({ names: [text = ''], admin: email = '', ask, now, signal }: Call): Promise<void> {
  const name = requireName(text)
  const chosen = await choosePassword(ask, signal, { email, organizationName: name })
  const id = await createOrganization(name, { email, name: email, password: chosen.text }, OPERATOR, now)
  if (id === null) throw new CommandError(`${email} is a user already. Nothing was changed.`)
  say(`${name} is made (${id}), with ${email} as its admin.`)
  showPassword(chosen)
}

async function rename({ names: [wanted, text = ''] }: Call): Promise<void> {
  const name = requireName(text)
  const organization = await requireOrganization(wanted)
  await renameOrganization(organization.id, name, OPERATOR)
  say(`${organization.name} is called ${name} now.`)
}

function requireName(text: string): string {
  const parsed = oneLine.safeParse(text)
  if (parsed.success) return parsed.data
  throw new CommandError('A name has 1 to 120 characters in one line. Nothing was changed.', { exitCode: 2 })
}
