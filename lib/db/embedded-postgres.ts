/**
 * The default database: a real PostgreSQL server from npm packages, started or joined, as root or
 * not. None of the program's roles is a superuser, since row-level security would not apply to one.
 * One role owns the tables; web server and worker have roles that own nothing.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import { PROCESSES, type Process } from './access.ts'
import { findAccount, findBinaries, reachableFolder } from './embedded-account.ts'
import { type Cluster, initializeCluster, SUPERUSER, setDataAside, startServer, stopServer } from './embedded-server.ts'
import type { RoleNames } from './roles.ts'
import { readMachine, toServerSettings } from './server-settings.ts'
import { joinUsers } from './server-users.ts'
import { holdStartLock } from './start-lock.ts'

export type EmbeddedPostgres = {
  /** Address of `database` for the role that owns its tables. */
  url: string
  /** Addresses of `database` for the roles of the processes. */
  urls: Record<Process, string>
  /** True when this call started the server; false when another process had. */
  startedHere: boolean
  /** Leaves the server. The last to leave stops it and waits until it is down. */
  leave: () => Promise<void>
}

type Secrets = {
  superuserPassword: string
  password: string
  rolePasswords: Record<Process, string>
  port: number
  isInitialized: boolean
}

const OWNER = 'tieout'

/** The roles of the processes on the embedded server. */
export const EMBEDDED_ROLES: RoleNames = { web: 'tieout_web', worker: 'tieout_worker' }

/**
 * Makes sure that the server of `folder` runs and has `database`; joins it if another process
 * started it. It runs until every process that joined has left or died, and is stopped when one
 * leaves.
 * @param options server options for a start beside those that fit the machine, e.g. `fsync=off` for
 * tests; they win.
 * @throws Error with one clear sentence when the folder cannot be written or the server does not
 * start.
 */
export async function startEmbeddedPostgres(
  wanted: string,
  database: string,
  options: string[] = [],
): Promise<EmbeddedPostgres> {
  const account = findAccount()
  const folder = reachableFolder(wanted, account)
  const lockFile = join(wanted, 'start.lock')
  const release = await holdStartLock(lockFile)
  try {
    const binaries = await findBinaries(account, folder)
    const cluster = { folder, data: join(folder, 'data'), log: join(folder, 'server.log'), account, binaries }
    // the secrets stay in the private folder, even if PostgreSQL cannot reach it
    const secretsFile = join(wanted, 'server.json')
    let secrets = await readOrCreate(cluster, secretsFile)
    const isRunning = await answers(superuserUrl(secrets))
    if (!isRunning) secrets = await start(cluster, secrets, secretsFile, options)
    const leaveUsers = joinUsers(join(wanted, 'users'))
    await provideDatabase(secrets, database)
    const processUrl = (process: Process) =>
      urlOf(EMBEDDED_ROLES[process], secrets.rolePasswords[process], secrets.port, database)
    let left: Promise<void> | undefined
    const leave = () => {
      left ??= stopWhenUnused(cluster, lockFile, leaveUsers)
      return left
    }
    return {
      url: urlOf(OWNER, secrets.password, secrets.port, database),
      urls: { web: processUrl('web'), worker: processUrl('worker') },
      startedHere: !isRunning,
      leave,
    }
  } finally {
    release()
  }
}

async function stopWhenUnused(cluster: Cluster, lockFile: string, leaveUsers: () => boolean): Promise<void> {
  const release = await holdStartLock(lockFile)
  try {
    if (leaveUsers()) await stopServer(cluster)
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
  const known = existsSync(secretsFile) ? readSecrets(secretsFile) : null
  const hasData = existsSync(join(cluster.data, 'PG_VERSION'))
  if (known?.isInitialized && hasData) return known
  if (known?.isInitialized)
    throw new Error(`The database folder ${cluster.data} is gone or empty, while ${secretsFile} knows it.`)
  // an unfinished cluster holds nothing; an unknown one may hold everything
  if (known) rmSync(cluster.data, { recursive: true, force: true })
  else if (hasData) await setDataAside(cluster)
  const secrets = {
    superuserPassword: makePassword(),
    password: makePassword(),
    rolePasswords: makeRolePasswords(),
    port: await findFreePort(),
    isInitialized: false,
  }
  writeSecrets(secretsFile, secrets)
  await initializeCluster(cluster, secrets.superuserPassword)
  const finished = { ...secrets, isInitialized: true }
  writeSecrets(secretsFile, finished)
  return finished
}

/** A file of an earlier version has one role's password: adds those of the others. */
function readSecrets(file: string): Secrets {
  const known = JSON.parse(readFileSync(file, 'utf8')) as Secrets & { rolePasswords?: Secrets['rolePasswords'] }
  if (known.rolePasswords !== undefined) return known
  const secrets = { ...known, rolePasswords: makeRolePasswords() }
  writeSecrets(file, secrets)
  return secrets
}

function makeRolePasswords(): Secrets['rolePasswords'] {
  return { web: makePassword(), worker: makePassword() }
}

function makePassword(): string {
  return randomBytes(18).toString('base64url')
}

function writeSecrets(file: string, secrets: Secrets): void {
  writeFileSync(file, JSON.stringify(secrets), { mode: 0o600 })
}

async function start(cluster: Cluster, secrets: Secrets, secretsFile: string, options: string[]): Promise<Secrets> {
  let current = secrets
  for (let attempt = 1; attempt <= 5; attempt++) {
    if (
      (await startServer(cluster, {
        port: current.port,
        options: [...toServerSettings(readMachine()), ...options],
      })) === 'started'
    )
      return current
    current = { ...current, port: await findFreePort() }
    writeSecrets(secretsFile, current)
  }
  throw new Error('PostgreSQL does not start: other programs take every port that it is given.')
}

async function provideDatabase(secrets: Secrets, database: string): Promise<void> {
  const client = new pg.Client({ connectionString: superuserUrl(secrets) })
  await client.connect()
  try {
    await provideRole(client, OWNER, 'createdb', secrets.password)
    for (const process of PROCESSES)
      await provideRole(client, EMBEDDED_ROLES[process], 'nocreatedb', secrets.rolePasswords[process])
    const found = await client.query('select 1 from pg_database where datname = $1', [database])
    if (found.rowCount === 0) await client.query(`create database "${database}" owner ${OWNER}`)
  } finally {
    await client.end()
  }
}

/** Sets the password each time: its file may be newer or older than the data. */
async function provideRole(client: pg.Client, role: string, attributes: string, password: string): Promise<void> {
  const { rowCount } = await client.query('select 1 from pg_roles where rolname = $1', [role])
  const verb = rowCount === 0 ? 'create' : 'alter'
  await client.query(`${verb} role ${role} login nosuperuser nobypassrls ${attributes} password '${password}'`)
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 })
  try {
    await client.connect()
    return true
  } catch {
    return false // something else listens there; starting the server will say what is wrong
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** A loopback port that nobody listens on right now. */
export function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
