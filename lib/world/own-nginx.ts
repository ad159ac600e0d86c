/** Debian's nginx before web servers of this machine, as docs/deploy/nginx.conf sets it up. */
import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CommandError } from '#lib/cli/run/command-error.ts'
import type { Lifetime } from '#lib/cli/run/lifetime.ts'
import { projectRoot } from '#lib/cli/run/project-root.ts'
import { stopProgram, waitForPort } from './wait-for-port.ts'

const NGINX = '/usr/sbin/nginx'

/** @throws CommandError that says what to install. */
export function requireNginx(): void {
  if (!existsSync(NGINX)) throw new CommandError("This needs nginx: install Debian's package nginx.")
}

export type OwnNginx = { url: string; accessLog: string }

/** Starts one at `port` before the web servers at `servers`; the lifetime ends it. */
export async function startOwnNginx(
  lifetime: Lifetime,
  { folder, port, servers }: { folder: string; port: number; servers: number[] },
): Promise<OwnNginx> {
  mkdirSync(folder, { recursive: true })
  // its workers have an account of their own where this one is root
  chmodSync(folder, 0o777)
  const accessLog = join(folder, 'access.log')
  const file = join(folder, 'nginx.conf')
  writeFileSync(file, toConfiguration(folder, accessLog, port, servers))
  const child = spawn(NGINX, ['-c', file, '-p', folder, '-e', join(folder, 'error.log'), '-g', 'daemon off;'], {
    stdio: 'ignore',
  })
  lifetime.onEnd('nginx', () => stopProgram(child, 'SIGTERM'))
  if (!(await waitForPort(port, child)))
    throw new CommandError('nginx did not start.', { details: readFileSync(join(folder, 'error.log'), 'utf8') })
  return { url: `http://127.0.0.1:${port}`, accessLog }
}

/** The documented file, with these ports, without TLS, and everything in this folder. */
function toConfiguration(folder: string, accessLog: string, port: number, servers: number[]): string {
  const site = readFileSync(join(projectRoot, 'docs', 'deploy', 'nginx.conf'), 'utf8')
  const [first] = /^ {2}server 127\.0\.0\.1:.*$/m.exec(site) ?? ['']
  const ours = servers.map((each) => first.replace(/:\d+/, `:${each}`)).join('\n')
  const changed = site
    .replace(/(^ {2}server 127\.0\.0\.1:.*\n)+/m, `${ours}\n`)
    .replace(/^ {2}listen .*$/m, `  listen 127.0.0.1:${port};`)
    .replace(/^ {2}ssl_certificate.*\n/gm, '')
    .replace(/^ {2}access_log \S+/m, `  access_log ${accessLog}`)
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `  ${name}_temp_path ${join(folder, name)};`,
  )
  return [`pid ${join(folder, 'nginx.pid')};`, 'events {}', 'http {', ...places, changed, '}', ''].join('\n')
}
