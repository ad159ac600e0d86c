/**
 * PostgreSQL as a distribution ships it, with its own pg_dump: the embedded server comes without
 * one, and a pg_dump refuses a server that is newer than itself.
 */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { accessSync, chownSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CommandError } from '#lib/cli/run/command-error.ts'
import type { Lifetime } from '#lib/cli/run/lifetime.ts'
import { findAccount } from '#lib/db/embedded-account.ts'
import { EMBEDDED_ROLES, findFreePort } from '#lib/db/embedded-postgres.ts'
import { withConnection } from '#lib/db/one-connection.ts'

const PROGRAMS = ['initdb', 'pg_ctl', 'postgres', 'pg_dump', 'pg_restore']
/** Where Debian keeps each version's programs. */
const DEBIAN = '/usr/lib/postgresql'
const OWNER = 'tieout'

/** A database's addresses. Only the superuser may dump tables under row-level security. */
export type OwnDatabase = { owner: string; worker: string; superuser: string }

export type OwnServer = {
  /** Makes an empty database that the owner owns. */
  createDatabase: (name: string) => Promise<OwnDatabase>
}

/** The newest folder that holds a server and its tools. @throws CommandError when there is none. */
export function findServerTools(): string {
  const versions = listFolders(DEBIAN).sort((a, b) => Number(b) - Number(a))
  const folder = versions.map((version) => join(DEBIAN, version, 'bin')).find(hasAll)
  if (folder !== undefined) return folder
  throw new CommandError(
    `This needs a PostgreSQL server with its pg_dump and pg_restore under ${DEBIAN}: install Debian's package postgresql.`,
  )
}

function listFolders(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function hasAll(folder: string): boolean {
  try {
    for (const program of PROGRAMS) accessSync(join(folder, program))
    return true
  } catch {
    return false
  }
}

/** Starts an empty server with the program's three roles; the lifetime stops it. */
export async function startOwnServer(lifetime: Lifetime, tools: string, folder: string): Promise<OwnServer> {
  mkdirSync(folder, { recursive: true })
  const password = randomBytes(18).toString('base64url')
  const passwordFile = join(folder, 'password')
  writeFileSync(passwordFile, password, { mode: 0o600 })
  const account = findAccount()
  for (const each of [folder, passwordFile]) if (account) chownSync(each, account.uid, account.gid)
  const [data, port] = [join(folder, 'data'), await findFreePort()]
  const run = (program: string, args: string[]) => runProgram(join(tools, program), args, { account })
  const auth = ['-U', 'postgres', '-A', 'scram-sha-256', `--pwfile=${passwordFile}`]
  await run('initdb', ['-D', data, ...auth, '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync'])
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c fsync=off`
  await run('pg_ctl', ['-D', data, '-w', '-t', '60', '-l', join(folder, 'server.log'), '-o', options, 'start'])
  lifetime.onEnd('PostgreSQL', () => run('pg_ctl', ['-D', data, '-m', 'fast', '-w', 'stop']).then(() => undefined))
  const urlOf = (role: string, database: string) => `postgresql://${role}:${password}@127.0.0.1:${port}/${database}`
  const superuserUrl = (database: string) => urlOf('postgres', database)
  const { web, worker } = EMBEDDED_ROLES
  for (const role of [OWNER, web, worker])
    await execute(superuserUrl('postgres'), `create role ${role} login password '${password}'`)
  return {
    createDatabase: async (name) => {
      await execute(superuserUrl('postgres'), `create database "${name}" owner ${OWNER}`)
      return { owner: urlOf(OWNER, name), worker: urlOf(worker, name), superuser: superuserUrl(name) }
    },
  }
}

/** pg_dump of a database into a file, in the custom format. */
export async function dumpDatabase(tools: string, superuserUrl: string, file: string): Promise<void> {
  await runProgram(join(tools, 'pg_dump'), ['--format=custom', `--file=${file}`, superuserUrl])
}

/** pg_restore of such a file into an empty database; owners and rights come along. */
export async function restoreDatabase(tools: string, superuserUrl: string, file: string): Promise<void> {
  await runProgram(join(tools, 'pg_restore'), ['--exit-on-error', `--dbname=${superuserUrl}`, file])
}

async function execute(url: string, statement: string): Promise<void> {
  await withConnection(url, (client) => client.query(statement))
}

type RunOptions = { account?: ReturnType<typeof findAccount> }

/** @throws CommandError with the program's last words. */
function runProgram(program: string, args: string[], { account = null }: RunOptions = {}): Promise<void> {
  const child = spawn(program, args, { ...account, cwd: '/', stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk
    })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (code) => {
      // a server that was started inherits the pipe and would hold it open
      child.stdout.destroy()
      child.stderr.destroy()
      if (code === 0) resolve()
      else reject(new CommandError(`${program} failed.`, { details: output.trim().slice(-2000) }))
    })
  })
}
