/**
 * Web server and worker apart, each as an operator starts it, with its own system user, data folder
 * and database role.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, chownSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { buildWorker } from '#lib/cli/builds/worker-build.ts'
import { projectRoot } from '#lib/cli/run/project-root.ts'
import { findFreePort } from '#lib/db/embedded-postgres.ts'
import { databaseUrl, startTestCluster } from '#lib/db/test-support/test-cluster.ts'
import { redirectUri } from '#lib/env.ts'
import { type Sandbox, startSandbox } from '#lib/sandbox/server.ts'

export const ADMIN = { ADMIN_EMAIL: 'owner@example.com', ADMIN_PASSWORD: 'a password of the two processes' }

/**
 * A system user that every Linux has and nobody works as; null when this process may not become
 * one.
 */
type Account = { uid: number; gid: number } | null

/**
 * Two system users when this process is root; otherwise both null, and everything runs as this
 * user.
 */
function findAccounts(): { web: Account; worker: Account } {
  const [web, worker] = ['daemon', 'bin'].map((name): Account => {
    const [uid, gid] = ['-u', '-g'].map((flag) => spawnSync('id', [flag, name], { encoding: 'utf8' }))
    return uid?.status === 0 && gid?.status === 0 ? { uid: Number(uid.stdout), gid: Number(gid.stdout) } : null
  })
  return process.getuid?.() === 0 && web && worker ? { web, worker } : { web: null, worker: null }
}

export type Command = { child: ChildProcess; output: () => string; exited: Promise<number | null> }

export type Party = { account: Account; dataDir: string; environment: Record<string, string> }

export type SeparateProcesses = {
  appUrl: string
  port: number
  sandbox: Sandbox
  ownerUrl: string
  web: Party
  worker: Party
  /** Starts a command as a party, with its environment and `extra`. */
  start: (command: string[], party: Party, extra?: Record<string, string>) => Command
  /** As `start`, until it ends. @throws Error with its output when it fails. */
  run: (command: string[], party: Party, extra?: Record<string, string>) => Promise<string>
  stop: () => Promise<void>
}

/**
 * Sets up what an operator sets up (docs/operations.md, "Web server and worker apart"): three
 * roles, a database, two folders. Uses the tests' database server, which has none of the roles
 * before.
 */
export async function prepareSeparateProcesses(): Promise<SeparateProcesses> {
  const toStop: (() => Promise<unknown>)[] = []
  const stop = async () => {
    for (let end = toStop.pop(); end; end = toStop.pop()) await end()
  }
  const cluster = await startTestCluster()
  toStop.push(cluster.stop)
  const suffix = randomBytes(6).toString('hex')
  const names = { owner: `own_${suffix}`, web: `web_${suffix}`, worker: `wrk_${suffix}` }
  const database = `tieout_apart_${suffix}`
  await superuser(cluster.server.superuser, [
    ...Object.values(names).map((name) => `create role ${name} login password '${name}-password'`),
    `create database ${database} owner ${names.owner}`,
  ])
  toStop.push(() =>
    superuser(cluster.server.superuser, [
      `drop database ${database} with (force)`,
      ...Object.values(names).map((name) => `drop role ${name}`),
    ]),
  )
  const urlOf = (name: string) => {
    const url = new URL(databaseUrl(cluster.server.owner, database))
    url.username = name
    url.password = `${name}-password`
    return url.toString()
  }
  const port = await findFreePort()
  const appUrl = `http://localhost:${port}`
  const sandbox = await startSandbox({
    clientId: 'tieout-apart',
    clientSecret: 'apart-client-secret',
    controlKey: 'apart-control-key',
    scimApiKey: 'apart-scim-api-key',
    redirectUris: [redirectUri(appUrl)],
    size: 'hostile',
  })
  toStop.push(sandbox.close)
  buildWorker() // the processes only read the app's files

  const accounts = findAccounts()
  const partyOf = (name: 'web' | 'worker', environment: Record<string, string>): Party => {
    const dataDir = mkdtempSync(join(tmpdir(), `tieout-${name}-`))
    toStop.push(async () => rmSync(dataDir, { recursive: true, force: true }))
    const account = accounts[name]
    if (account) chownSync(dataDir, account.uid, account.gid)
    chmodSync(dataDir, 0o700)
    const shared = {
      DATABASE_URL: urlOf(names[name]),
      APP_URL: appUrl,
      PARTNER_BASE_URL: sandbox.baseUrl,
      PARTNER_AUTH_URL: sandbox.authUrl,
      PARTNER_CLIENT_ID: sandbox.settings.clientId,
      PARTNER_CLIENT_SECRET: sandbox.settings.clientSecret,
      PARTNER_PRIVATE_ADDRESSES: 'allowed',
    }
    return { account, dataDir, environment: { ...shared, DATA_DIR: dataDir, HOME: dataDir, ...environment } }
  }
  const web = partyOf('web', { ...ADMIN, SESSION_SECRET: randomBytes(48).toString('base64url') })
  const worker = partyOf('worker', {})

  const start: SeparateProcesses['start'] = (command, { account, environment }, extra = {}) => {
    const child = spawn(process.execPath, ['--import', 'tsx', 'lib/cli/main.ts', ...command], {
      cwd: projectRoot,
      env: { NODE_ENV: undefined, PATH: process.env.PATH, ...environment, ...extra } as unknown as NodeJS.ProcessEnv,
      ...account,
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk))
    const exited = new Promise<number | null>((resolve) => child.once('close', resolve))
    toStop.push(async () => {
      child.kill('SIGTERM')
      await exited
    })
    return { child, output: () => output, exited }
  }
  const run: SeparateProcesses['run'] = async (command, party, extra) => {
    const { exited, output } = start(command, party, extra)
    if ((await exited) !== 0) throw new Error(`${command.join(' ')}: ${output()}`)
    return output()
  }
  const ownerUrl = urlOf(names.owner)
  const operator: Party = { ...web, account: null, environment: { DATABASE_OWNER_URL: ownerUrl } }
  await run(['migrate'], operator, { DATABASE_WEB_ROLE: names.web, DATABASE_WORKER_ROLE: names.worker }).catch(
    async (error) => {
      await stop()
      throw error
    },
  )
  return { appUrl, port, sandbox, ownerUrl, web, worker, start, run, stop }
}

async function superuser(url: string, statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

/** A process and all its descendants, from /proc. */
export function listTree(root: number): number[] {
  const parents = new Map<number, number>()
  for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, 'utf8')
      parents.set(Number(entry), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]))
    } catch {
      // it has ended meanwhile
    }
  const found = [root]
  for (const pid of found) for (const [child, parent] of parents) if (parent === pid) found.push(child)
  return found
}

/** What a process of the same user can read of it: environment and command line. */
export function readProcess(pid: number): string {
  return readFileSync(`/proc/${pid}/environ`, 'utf8') + readFileSync(`/proc/${pid}/cmdline`, 'utf8')
}

/** Whether a party's user can read the file or list the folder. */
export function canRead(path: string, { account }: Party): boolean {
  return spawnSync('ls', ['-l', path], { ...account, cwd: '/' }).status === 0 && readable(path, account)
}

function readable(path: string, account: Account): boolean {
  return spawnSync('sh', ['-c', 'test -r "$0"', path], { ...account, cwd: '/' }).status === 0
}
