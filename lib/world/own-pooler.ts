/** Debian's pgbouncer before a database of this machine, set up by docs/deploy/pgbouncer.ini. */
import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CommandError } from '#lib/cli/run/command-error.ts'
import { projectRoot } from '#lib/cli/run/project-root.ts'
import { findFreePort } from '#lib/db/embedded-postgres.ts'
import { stopProgram, waitForPort } from './wait-for-port.ts'

const PGBOUNCER = '/usr/sbin/pgbouncer'

/** Whether pgbouncer is installed. */
export const hasPooler = existsSync(PGBOUNCER)

/** @throws CommandError that says what to install. */
export function requirePooler(): void {
  if (!hasPooler) throw new CommandError("This needs pgbouncer: install Debian's package pgbouncer.")
}

export type OwnPooler = {
  /** The address of the same database and role through the pooler. */
  through: (url: string) => string
  stop: () => Promise<void>
}

/** Starts one before the database of `urls`, for their roles. */
export async function startOwnPooler(folder: string, urls: string[]): Promise<OwnPooler> {
  const port = await findFreePort()
  writeFiles(folder, port, urls)
  const asNobody = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  const child = spawn(PGBOUNCER, [...asNobody, join(folder, 'pgbouncer.ini')], { stdio: 'ignore' })
  if (!(await waitForPort(port, child))) throw new CommandError('pgbouncer did not start.')
  return {
    through: (url) => Object.assign(new URL(url), { host: `127.0.0.1:${port}` }).href,
    stop: () => stopProgram(child, 'SIGINT'),
  }
}

/** The documented settings, for this database, these roles and this port. */
function writeFiles(folder: string, port: number, urls: string[]): void {
  mkdirSync(folder, { recursive: true })
  const { hostname, port: server, pathname } = new URL(urls[0] as string)
  const users = urls.map((url) => new URL(url))
  const names = users.map(({ username, password }) => `"${username}" "${decodeURIComponent(password)}"\n`)
  const own = readFileSync(join(projectRoot, 'docs', 'deploy', 'pgbouncer.ini'), 'utf8')
    .replace(/^tieout = .*$/m, `${pathname.slice(1)} = host=${hostname} port=${server}`)
    .replace(/^listen_port = .*$/m, `listen_port = ${port}`)
    .replace(/^auth_type = .*$/m, 'auth_type = plain')
    .replace(/^(auth_file|logfile|pidfile) = .*\/([\w.]+)$/gm, (_, name, file) => `${name} = ${join(folder, file)}`)
  writeFileSync(join(folder, 'users.txt'), names.join(''))
  writeFileSync(join(folder, 'pgbouncer.ini'), own)
  chmodSync(folder, 0o777)
  for (const file of ['users.txt', 'pgbouncer.ini']) chmodSync(join(folder, file), 0o644)
}
