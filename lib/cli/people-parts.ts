/** What the commands for people and for organizations have in common. */
import * as z from 'zod'
import type { Actor } from '#lib/audit/model.ts'
import type { Person } from '#lib/auth/passwords/easy-passwords.ts'
import { findPasswordProblem, makePassword } from '#lib/auth/passwords/password.ts'
import { listOrganizations, type Organization } from '#lib/auth/people/organizations.ts'
import { endPool, switchPool } from '#lib/db/pool.ts'
import { settings as readSettings } from '#lib/env.ts'
import { askPassword } from './ask-password.ts'
import { CommandError } from './run/command-error.ts'
import { provideDataDir } from './run/data-dir.ts'
import { provideDatabase } from './run/database.ts'
import type { Lifetime } from './run/lifetime.ts'
import { bold, say } from './run/terminal.ts'

/** Whoever runs a command, as the audit names them. */
export function toOperator(command: string): Actor {
  return { kind: 'operator', name: `npm run ${command}` }
}

/** Works on the installation's database, with the web server's role. */
export async function withDatabase(lifetime: Lifetime, work: () => Promise<void>): Promise<void> {
  const settings = readSettings()
  if (!settings.databaseUrl) provideDataDir(settings.dataDir)
  const { web: databaseUrl } = await provideDatabase(settings, lifetime, ['web'])
  await switchPool(databaseUrl)
  try {
    await work()
  } finally {
    await endPool()
  }
}

/** The address as users have it. @throws CommandError */
export function requireEmail(address: string): string {
  const email = address.trim().toLowerCase()
  if (z.email().max(320).safeParse(email).success) return email
  throw new CommandError(`${email} is not an email address.`, { exitCode: 2 })
}

/** The organization of that name or id; the only one when none is named. @throws CommandError */
export async function requireOrganization(wanted: string | undefined): Promise<Organization> {
  const all = await listOrganizations()
  const named = all.filter(({ id, name }) => wanted === undefined || id === wanted || name === wanted)
  const [organization, ...others] = named
  if (organization !== undefined && others.length === 0) return organization
  if (all.length === 0) throw new CommandError('There is no organization yet: start the program once.')
  const choice = (named.length === 0 ? all : named).map(({ id, name }) => `  ${name}  ${id}`).join('\n')
  const problem = named.length === 0 ? `There is no organization "${wanted}".` : 'Which organization?'
  throw new CommandError(`${problem} Name one with --organization, by its name or id:\n${choice}`)
}

/** The organization of that name or id, or all of them when none is named. @throws CommandError */
export async function findOrganizations(wanted: string | undefined): Promise<Organization[]> {
  const all = await listOrganizations()
  const found = all.filter(({ id, name }) => wanted === undefined || id === wanted || name === wanted)
  if (found.length === 0 && wanted !== undefined)
    throw new CommandError(`There is no organization "${wanted}".`, { exitCode: 2 })
  return found
}

export type Chosen = { text: string; isMadeUp: boolean }

/** A password that is made up, or with `ask` typed. @throws CommandError for one not to use. */
export async function choosePassword(ask: boolean | undefined, signal: AbortSignal, person: Person): Promise<Chosen> {
  if (!ask) return { text: makePassword(), isMadeUp: true }
  const text = await askPassword(undefined, signal)
  const problem = await findPasswordProblem(text, person)
  if (problem !== null) throw new CommandError(`The password ${problem}. Nothing was changed.`)
  return { text, isMadeUp: false }
}

export function showPassword({ text, isMadeUp }: Chosen): void {
  if (isMadeUp) say(`Password, shown this once: ${bold(text)}`)
}

/** Rows with their columns below each other. */
export function sayTable(rows: string[][]): void {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  for (const row of rows)
    say(`  ${row.map((text, at) => (at === row.length - 1 ? text : text.padEnd(widths[at] ?? 0))).join('  ')}`)
}
