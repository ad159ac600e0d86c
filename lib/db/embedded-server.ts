/** PostgreSQL's own programs (initdb, pg_ctl), run as the account that may run them. */
import { type SpawnOptions, spawn } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Account, Binaries } from './embedded-account.ts'

export type Cluster = { folder: string; data: string; log: string; account: Account; binaries: Binaries }

/** The server's options for every start, e.g. `['fsync=off']`. */
export type ServerOptions = { port: number; options: string[] }

export type StartOutcome = 'started' | 'port-taken'

export const SUPERUSER = 'postgres'

const MAX_ATTEMPTS = 20

/** Makes an empty cluster. @throws Error with initdb's last words. */
export async function initializeCluster(cluster: Cluster, superuserPassword: string): Promise<void> {
  const passwordFile = join(cluster.folder, 'superuser-password')
  writeFileSync(passwordFile, `${superuserPassword}\n`, { mode: 0o600 })
  if (cluster.account) chownSync(passwordFile, cluster.account.uid, cluster.account.gid)
  try {
    await run(cluster, cluster.binaries.initdb, [
      '-D',
      cluster.data,
      '-U',
      SUPERUSER,
      '-A',
      'scram-sha-256',
      `--pwfile=${passwordFile}`,
      '--encoding=UTF8',
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
    ])
  } finally {
    rmSync(passwordFile)
  }
}

/**
 * Starts the server and waits until it accepts connections; first waits for a stopping one to end.
 * @throws Error with the last lines of the server's log.
 */
export async function startServer(cluster: Cluster, { port, options }: ServerOptions): Promise<StartOutcome> {
  const flags = [`listen_addresses=127.0.0.1`, `unix_socket_directories=''`, ...options].map((option) => `-c ${option}`)
  for (let attempt = 1; ; attempt++) {
    if (existsSync(cluster.log)) rmSync(cluster.log)
    try {
      const arguments_ = [
        '-D',
        cluster.data,
        '-w',
        '-t',
        '60',
        '-l',
        cluster.log,
        '-o',
        `-p ${port} ${flags.join(' ')}`,
        'start',
      ]
      await run(cluster, cluster.binaries.pg_ctl, arguments_)
      return 'started'
    } catch (error) {
      const log = existsSync(cluster.log) ? readFileSync(cluster.log, 'utf8').slice(-3000) : ''
      if (/could not bind|Address already in use/.test(log)) return 'port-taken'
      const isLeaving = /lock file "postmaster.pid" already exists|shared memory block/.test(log)
      if (!isLeaving || attempt === MAX_ATTEMPTS) {
        const reason = log.trim().split('\n').slice(-3).join(' ') || (error instanceof Error ? error.message : '')
        throw new Error(`PostgreSQL does not start: ${reason}`, { cause: error })
      }
      forgetDeadPostmaster(cluster)
      await delay(500)
    }
  }
}

/** Stops the server, ending open sessions, and waits. Does nothing if it is down. */
export async function stopServer(cluster: Cluster): Promise<void> {
  try {
    await run(cluster, cluster.binaries.pg_ctl, ['-D', cluster.data, '-m', 'fast', '-w', '-t', '60', 'stop'])
  } catch (error) {
    if (!(error instanceof Error && /PID file .* does not exist|No such process/.test(error.message))) throw error
  }
}

/** Moves data that nobody can open out of the way; keeps it in case its password turns up. */
export async function setDataAside(cluster: Cluster): Promise<void> {
  // its server may still be running; without the password it can only be stopped
  if (existsSync(join(cluster.data, 'postmaster.pid'))) await stopServer(cluster)
  renameSync(cluster.data, `${cluster.data}-set-aside-${Date.now()}`)
}

/** Removes the lock file of a killed server that is still a zombie: it would lock us out. */
function forgetDeadPostmaster(cluster: Cluster): void {
  const pidFile = join(cluster.data, 'postmaster.pid')
  if (!existsSync(pidFile)) return
  const status = `/proc/${readFileSync(pidFile, 'utf8').split('\n')[0]}/stat`
  if (existsSync(status) && / Z /.test(readFileSync(status, 'utf8'))) rmSync(pidFile)
}

function run(cluster: Cluster, program: string, args: string[]): Promise<void> {
  mkdirSync(cluster.folder, { recursive: true })
  // own process group: Ctrl-C must not reach the server before its users have left
  const env = { PATH: '/usr/bin:/bin', LC_ALL: 'C' } as unknown as NodeJS.ProcessEnv
  const options: SpawnOptions = { ...cluster.account, cwd: '/', env, stdio: ['ignore', 'pipe', 'pipe'], detached: true }
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, options)
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk) => {
        output += chunk
      })
    child.on('error', reject)
    child.on('exit', (code) => {
      child.stdout?.destroy() // the server inherits the pipe and would hold it open
      child.stderr?.destroy()
      if (code === 0) resolve()
      else reject(new Error(output.trim().slice(-500)))
    })
  })
}
