/**
 * The default database: a real PostgreSQL server from npm packages, started or joined, as root or not.
 * The program's own role is no superuser, so that row-level security holds for it.
 */
import { type SpawnOptions, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { type Account, type Binaries, findAccount, findBinaries, reachableFolder } from './embedded-account.ts'
import { holdStartLock } from './start-lock.ts'

export type EmbeddedPostgres = {
  /** Address of `database` for the program's own role. */
  url: string
  /** True when this call started the server: then it is this process's to stop. */
  startedHere: boolean
  /** Stops the server and waits until it is down. */
  stop: () => Promise<void>
}

type Secrets = { superuserPassword: string; password: string; port: number }
type Cluster = { folder: string; data: string; log: string; account: Account; binaries: Binaries }

const SUPERUSER = 'postgres'
const ROLE = 'tieout'

/**
 * Makes sure that the server of `folder` runs and has `database`; joins it when another process has started it.
 * @throws Error with one clear sentence when the folder cannot be written or the server does not start.
 */
export async function startEmbeddedPostgres(wanted: string, database: string): Promise<EmbeddedPostgres> {
  const account = findAccount()
  const folder = reachableFolder(wanted, account)
  // the secrets stay in the private folder, whatever folder PostgreSQL itself can reach
  const secretsFile = join(wanted, 'server.json')
  const release = await holdStartLock(join(wanted, 'start.lock'))
  try {
    const binaries = await findBinaries(account, folder)
    const cluster = { folder, data: join(folder, 'data'), log: join(folder, 'server.log'), account, binaries }
    let secrets = await readOrCreate(cluster, secretsFile)
    const isRunning = await answers(superuserUrl(secrets))
    if (!isRunning) secrets = await start(cluster, secrets, secretsFile)
    await provideDatabase(secrets, database)
    return {
      url: urlOf(ROLE, secrets.password, secrets.port, database),
      startedHere: !isRunning,
      stop: () => stop(cluster),
    }
  } finally {
    release()
  }
}

function urlOf(role: string, password: string, port: number, database: string): string {
  return `postgresql://${role}:${password}@127.0.0.1:${port}/${database}`
}

function superuserUrl({ superuserPassword, port }: Secrets): string {
  return urlOf(SUPERUSER, superuserPassword, port, 'postgres')
}

async function readOrCreate(cluster: Cluster, secretsFile: string): Promise<Secrets> {
  if (existsSync(join(cluster.data, 'PG_VERSION')) && existsSync(secretsFile))
    return JSON.parse(readFileSync(secretsFile, 'utf8')) as Secrets
  const secret = () => randomBytes(18).toString('base64url')
  const secrets = { superuserPassword: secret(), password: secret(), port: await findFreePort() }
  const passwordFile = join(cluster.folder, 'superuser-password')
  rmSync(cluster.data, { recursive: true, force: true })
  writeFileSync(passwordFile, `${secrets.superuserPassword}\n`, { mode: 0o600 })
  if (cluster.account) chownSync(passwordFile, cluster.account.uid, cluster.account.gid)
  try {
    await run(cluster, cluster.binaries.initdb, [
      ...['-D', cluster.data, '-U', SUPERUSER, '-A', 'scram-sha-256', `--pwfile=${passwordFile}`],
      ...['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
    ])
  } finally {
    rmSync(passwordFile)
  }
  writeSecrets(secretsFile, secrets)
  return secrets
}

function writeSecrets(file: string, secrets: Secrets): void {
  writeFileSync(file, JSON.stringify(secrets), { mode: 0o600 })
}

async function start(cluster: Cluster, secrets: Secrets, secretsFile: string): Promise<Secrets> {
  const logOf = () => (existsSync(cluster.log) ? readFileSync(cluster.log, 'utf8').slice(-3000) : '')
  let current = secrets
  for (let attempt = 1; ; attempt++) {
    if (existsSync(cluster.log)) rmSync(cluster.log)
    try {
      const options = `-p ${current.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=''`
      await run(cluster, cluster.binaries.pg_ctl, [
        '-D',
        cluster.data,
        '-w',
        '-t',
        '60',
        '-l',
        cluster.log,
        '-o',
        options,
        'start',
      ])
      return current
    } catch (error) {
      if (attempt === 20)
        throw new Error(`PostgreSQL does not start: ${logOf().trim().split('\n').slice(-3).join(' ')}`, {
          cause: error,
        })
      if (/could not bind|Address already in use/.test(logOf())) {
        current = { ...current, port: await findFreePort() }
        writeSecrets(secretsFile, current)
      } else if (/lock file "postmaster.pid" already exists|shared memory block/.test(logOf())) {
        forgetDeadPostmaster(cluster)
        await delay(500) // its backends may still be leaving
      } else
        throw new Error(`PostgreSQL does not start: ${logOf().trim().split('\n').slice(-3).join(' ')}`, {
          cause: error,
        })
    }
  }
}

/** A server killed a moment ago may be a zombie that nobody has waited for: its lock file would keep us out for good. */
function forgetDeadPostmaster(cluster: Cluster): void {
  const pidFile = join(cluster.data, 'postmaster.pid')
  if (!existsSync(pidFile)) return
  const status = `/proc/${readFileSync(pidFile, 'utf8').split('\n')[0]}/stat`
  if (existsSync(status) && / Z /.test(readFileSync(status, 'utf8'))) rmSync(pidFile)
}

function stop(cluster: Cluster): Promise<void> {
  return run(cluster, cluster.binaries.pg_ctl, ['-D', cluster.data, '-m', 'fast', '-w', '-t', '60', 'stop'])
}

async function provideDatabase(secrets: Secrets, database: string): Promise<void> {
  const client = new pg.Client({ connectionString: superuserUrl(secrets) })
  await client.connect()
  try {
    const role = await client.query('select 1 from pg_roles where rolname = $1', [ROLE])
    if (role.rowCount === 0)
      await client.query(`create role ${ROLE} login createdb nosuperuser password '${secrets.password}'`)
    const found = await client.query('select 1 from pg_database where datname = $1', [database])
    if (found.rowCount === 0) await client.query(`create database "${database}" owner ${ROLE}`)
  } finally {
    await client.end()
  }
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 })
  try {
    await client.connect()
    return true
  } catch {
    return false // whatever listens there is not this server; starting says what is wrong
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** A port of the loopback interface that nobody listens on at this moment. */
export function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

function run(cluster: Cluster, program: string, args: string[]): Promise<void> {
  mkdirSync(cluster.folder, { recursive: true })
  // its own process group: Ctrl-C in the terminal must not reach the server before the programs that use it have left
  const options: SpawnOptions = { ...cluster.account, cwd: '/', stdio: ['ignore', 'pipe', 'pipe'], detached: true }
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { ...options, env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' } })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk))
    child.on('error', reject)
    child.on('exit', (code) => {
      child.stdout?.destroy() // the server inherits the pipe and would hold it open
      child.stderr?.destroy()
      if (code === 0) resolve()
      else reject(new Error(output.trim().slice(-500)))
    })
  })
}
