/** Debian's haproxy before PostgreSQL servers of this machine, by docs/deploy/haproxy.cfg. */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CommandError } from '#lib/cli/run/command-error.ts'
import type { Lifetime } from '#lib/cli/run/lifetime.ts'
import { projectRoot } from '#lib/cli/run/project-root.ts'
import { stopProgram, waitForPort } from './wait-for-port.ts'

const HAPROXY = '/usr/sbin/haproxy'

/** @throws CommandError that says what to install. */
export function requireHaproxy(): void {
  if (!existsSync(HAPROXY)) throw new CommandError("This needs haproxy: install Debian's package haproxy.")
}

/** A server, and where Patroni says whether it is the one to write to. */
export type CheckedServer = { name: string; port: number; checkPort: number }

/** Starts one at `port`, which leads to whichever server is the primary; the lifetime ends it. */
export async function startOwnHaproxy(
  lifetime: Lifetime,
  { folder, port, servers }: { folder: string; port: number; servers: CheckedServer[] },
): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'haproxy.cfg')
  const documented = readFileSync(join(projectRoot, 'docs', 'deploy', 'haproxy.cfg'), 'utf8')
  writeFileSync(file, toHaproxyFile(documented, port, servers))
  // in the foreground and in one process, which ends with its connections
  const child = spawn(HAPROXY, ['-db', '-f', file], { stdio: 'ignore' })
  lifetime.onEnd('haproxy', () => stopProgram(child, 'SIGTERM'))
  if (!(await waitForPort(port, child))) throw new CommandError('haproxy did not start.')
}

/** The documented file, with these ports. */
export function toHaproxyFile(documented: string, port: number, servers: readonly CheckedServer[]): string {
  const ours = servers.map((each) => `  server ${each.name} 127.0.0.1:${each.port} check port ${each.checkPort}\n`)
  return documented.replace(/^ {2}bind .*$/m, `  bind 127.0.0.1:${port}`).replace(/(^ {2}server .*\n)+/m, ours.join(''))
}
