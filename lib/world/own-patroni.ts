/** Two PostgreSQL of Debian that Patroni keeps, with etcd, as docs/deploy/patroni.yml says. */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, chownSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { CommandError } from '#lib/cli/run/command-error.ts'
import type { Lifetime } from '#lib/cli/run/lifetime.ts'
import { projectRoot } from '#lib/cli/run/project-root.ts'
import { findAccount } from '#lib/db/embedded-account.ts'
import { findFreePort } from '#lib/db/embedded-postgres.ts'
import { withConnection } from '#lib/db/one-connection.ts'
import { requireHaproxy, startOwnHaproxy } from './own-haproxy.ts'
import { findServerTools } from './own-server.ts'
import { listProcessTree } from './process-figures.ts'
import { stopProgram, waitForPort } from './wait-for-port.ts'

const [ETCD, PATRONI] = ['/usr/bin/etcd', '/usr/bin/patroni']
const OWNER = 'tieout'
const READY_WITHIN_MS = 120_000
const LOOK_EVERY_MS = 200
const PATIENCE_MS = 500

/** @throws CommandError that says what to install. */
export function requirePatroni(): void {
  findServerTools()
  requireHaproxy()
  for (const [file, name] of [
    [ETCD, 'etcd-server'],
    [PATRONI, 'patroni'],
  ] as const)
    if (!existsSync(file)) throw new CommandError(`This needs ${name}: install Debian's package ${name}.`)
}

type Place = {
  name: string
  folder: string
  port: number
  checkPort: number
  etcdPort: number
  passwords: Passwords
  /** The folder of PostgreSQL's programs. */
  tools: string
  database: string
  group: number | null
}
type Passwords = { superuser: string; replication: string; restapi: string }
type Node = Place & { patroni: ChildProcess }

/** The two servers; a server is named as in docs/deploy/haproxy.cfg. */
export type OwnPatroni = {
  /** The address of the database, for its owner, wherever it is just now. */
  databaseUrl: string
  superuserUrl: string
  /** The server to write to, once it has a standby that has everything. */
  waitUntilSafe: (signal: AbortSignal) => Promise<string>
  /** The server that says that it is the one to write to; null while none does. */
  findPrimary: () => Promise<string | null>
  /** The other one of the two. */
  findOther: (name: string) => string
  /** SIGKILL of a server with its Patroni, as if its machine lost power. */
  killMachine: (name: string) => void
  startMachine: (name: string) => void
  /** SIGKILL of PostgreSQL's first process alone. */
  killPostgres: (name: string) => void
  /** Stops a server with its Patroni as it is, and lets it go on. */
  freeze: (name: string) => void
  thaw: (name: string) => void
  /** Asks Patroni for a change of places. */
  switchOver: (from: string) => Promise<void>
  /** Asked of a server itself. */
  isReplica: (name: string) => Promise<boolean>
  /** PostgreSQL's own. */
  portOf: (name: string) => number
}

/** `group`: of a cluster whose engine the operator has installed; 0 is the coordinator. */
export type Keeping = { folder: string; database: string; etcdPort: number; group?: number }

/** Starts them with an empty database behind haproxy; the lifetime ends all of it. */
export async function startOwnPatroni(lifetime: Lifetime, keeping: Keeping): Promise<OwnPatroni> {
  requirePatroni()
  const { folder, database, etcdPort, group = null } = keeping
  const tools = findServerTools()
  makeFolder(folder)
  const passwords = { superuser: makePassword(), replication: makePassword(), restapi: makePassword() }
  const nodes: Node[] = []
  for (const name of ['db1', 'db2']) {
    const [port, checkPort] = [await findFreePort(), await findFreePort()]
    const place = { name, folder: join(folder, name), port, checkPort, etcdPort, passwords, tools, group, database }
    writePlace(place)
    nodes.push({ ...place, patroni: startPatroni(place) })
    lifetime.onEnd(`Patroni ${name}`, () => stopNode(find(name)))
    // the first one makes the database, the second copies it
    if (name === 'db1') await waitFor('the first server', async () => (await isPrimary(find(name))) || null)
  }
  function find(name: string): Node {
    return nodes.find((node) => node.name === name) as Node
  }
  const port = await findFreePort()
  await startOwnHaproxy(lifetime, { folder: join(folder, 'haproxy'), port, servers: nodes })
  const findPrimary = async () => {
    const isOne = await Promise.all(nodes.map(isPrimary))
    return nodes.find((_, at) => isOne[at])?.name ?? null
  }
  const waitUntilSafe = (signal: AbortSignal) =>
    waitFor(
      'a standby that has everything',
      async () => {
        const primary = await findPrimary()
        const other = nodes.find(({ name }) => name !== primary) as Node
        return primary !== null && (await isOk(other, 'synchronous')) ? primary : null
      },
      signal,
    )
  const signalAll = (name: string, signal: NodeJS.Signals) => {
    for (const pid of listMachine(find(name))) sendSignal(pid, signal)
  }
  await waitUntilSafe(lifetime.signal)
  const urlOf = (user: string, name: string) => `postgresql://${user}:${passwords.superuser}@127.0.0.1:${port}/${name}`
  if (group === null) await makeDatabase(urlOf('postgres', 'postgres'), database, passwords)
  return {
    databaseUrl: urlOf(OWNER, database),
    superuserUrl: urlOf('postgres', database),
    waitUntilSafe,
    findPrimary,
    findOther: (name) => nodes.find((node) => node.name !== name)?.name ?? name,
    killMachine: (name) => signalAll(name, 'SIGKILL'),
    startMachine: (name) => Object.assign(find(name), { patroni: startPatroni(find(name)) }),
    killPostgres: (name) => sendSignal(readPostmaster(find(name)) as number, 'SIGKILL'),
    freeze: (name) => signalAll(name, 'SIGSTOP'),
    thaw: (name) => signalAll(name, 'SIGCONT'),
    switchOver: (from) => switchOver(find(from)),
    isReplica: (name) => isOk(find(name), 'replica'),
    portOf: (name) => find(name).port,
  }
}

function makeFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o711 })
  const account = findAccount()
  if (account) chownSync(folder, account.uid, account.gid)
}

const makePassword = () => randomBytes(18).toString('base64url')

/** One member, where three are meant to be. @returns its port */
export async function startOwnEtcd(lifetime: Lifetime, folder: string): Promise<number> {
  makeFolder(folder)
  const [port, peerPort] = [await findFreePort(), await findFreePort()]
  const [url, peerUrl] = [port, peerPort].map((each) => `http://127.0.0.1:${each}`) as [string, string]
  const log = openSync(join(folder, 'etcd.log'), 'a')
  const options = {
    'data-dir': join(folder, 'data'),
    'listen-client-urls': url,
    'advertise-client-urls': url,
    'listen-peer-urls': peerUrl,
    'initial-advertise-peer-urls': peerUrl,
    'initial-cluster': `default=${peerUrl}`,
    'enable-v2': 'true',
  }
  const args = Object.entries(options).map(([name, value]) => `--${name}=${value}`)
  const child = spawn(ETCD, args, { ...findAccount(), cwd: '/', stdio: ['ignore', log, log] })
  lifetime.onEnd('etcd', () => stopProgram(child, 'SIGTERM'))
  if (!(await waitForPort(port, child))) throw new CommandError('etcd did not start.')
  return port
}

function writePlace(place: Place): void {
  makeFolder(place.folder)
  const documented = readFileSync(join(projectRoot, 'docs', 'deploy', 'patroni.yml'), 'utf8')
  const file = join(place.folder, 'patroni.yml')
  const own = toPatroniFile(documented, place)
  writeFileSync(file, place.group === null ? own : toGroupFile(own, place.group, place.database))
  const account = findAccount()
  if (account) chownSync(file, account.uid, account.gid)
  chmodSync(file, 0o600)
}

/** The documented file, for a server of this machine with these ports, folders and passwords. */
export function toPatroniFile(
  documented: string,
  { name, folder, port, checkPort, etcdPort, passwords, tools }: Place,
): string {
  const ports: Record<string, number> = { 8008: checkPort, 5432: port }
  const ofRole = (role: 'superuser' | 'replication') => new RegExp(`(^ {4}${role}:\\n.*\\n {6}password: ).*$`, 'm')
  return (
    documented
      .replace(/^name: .*$/m, `name: ${name}`)
      .replace(/(^ {4}username: patroni\n {4}password: ).*$/m, `$1${passwords.restapi}`)
      .replace(/10\.0\.0\.11:(\d+)/g, (_, usual: string) => `127.0.0.1:${ports[usual]}`)
      .replace(/^ {2}hosts: .*$/m, `  hosts: 127.0.0.1:${etcdPort}`)
      .replace(/^ {2}data_dir: .*$/m, `  data_dir: ${join(folder, 'data')}`)
      .replace(/^ {2}bin_dir: .*$/m, `  bin_dir: ${tools}`)
      .replace(/^ {2}pgpass: .*$/m, `  pgpass: ${join(folder, 'pgpass')}`)
      .replace(/^ {4}unix_socket_directories: .*$/m, `    unix_socket_directories: ${folder}`)
      .replaceAll('10.0.0.0/24', '127.0.0.1/32')
      .replace(ofRole('superuser'), `$1${passwords.superuser}`)
      .replace(ofRole('replication'), `$1${passwords.replication}`)
      // a benchmark does not reset the machine
      .replace(/^ {2}mode: automatic$/m, '  mode: off')
  )
}

/** The same for a group of a cluster, whose nodes trust each other on this machine. */
function toGroupFile(own: string, group: number, database: string): string {
  const ofCoordinator = group === 0 ? '\n    citus.propagate_set_commands: local' : ''
  return own
    .replace(
      /^ {4}password_encryption: .*$/m,
      `$&\n    citus.enable_unsafe_triggers: on\n    citus.node_conninfo: sslmode=prefer${ofCoordinator}`,
    )
    .replaceAll('127.0.0.1/32 scram-sha-256', '127.0.0.1/32 trust')
    .concat(`\ncitus:\n  database: ${database}\n  group: ${group}\n`)
}

function startPatroni({ folder }: Place): ChildProcess {
  const log = openSync(join(folder, 'patroni.log'), 'a')
  const file = join(folder, 'patroni.yml')
  return spawn(PATRONI, [file], { ...findAccount(), cwd: '/', stdio: ['ignore', log, log] })
}

/** PostgreSQL ends with its Patroni, unless this was killed: then it is ended itself. */
async function stopNode(node: Node): Promise<void> {
  for (const pid of listMachine(node)) sendSignal(pid, 'SIGCONT')
  await stopProgram(node.patroni, 'SIGTERM')
  for (const pid of listMachine(node)) sendSignal(pid, 'SIGKILL')
}

/** Patroni first, so that it does not see the others end. */
function listMachine(node: Node): number[] {
  const { pid, exitCode, signalCode } = node.patroni
  const patroni = pid === undefined || exitCode !== null || signalCode !== null ? [] : listProcessTree(pid)
  const postmaster = readPostmaster(node)
  return [...new Set([...patroni, ...(postmaster === null ? [] : listProcessTree(postmaster))])]
}

function readPostmaster({ folder }: Place): number | null {
  try {
    const [pid = ''] = readFileSync(join(folder, 'data', 'postmaster.pid'), 'utf8').split('\n')
    // the file outlives a server that was killed, and its number may be somebody else's by now
    return readFileSync(`/proc/${Number(pid)}/comm`, 'utf8').trim() === 'postgres' ? Number(pid) : null
  } catch {
    return null
  }
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error // it has ended meanwhile
  }
}

const isPrimary = (node: Place) => isOk(node, 'primary')

/** What Patroni says of its server, to whoever asks as haproxy does. */
async function isOk({ checkPort }: Place, what: 'primary' | 'synchronous' | 'replica'): Promise<boolean> {
  try {
    const reply = await fetch(`http://127.0.0.1:${checkPort}/${what}`, { signal: AbortSignal.timeout(PATIENCE_MS) })
    await reply.arrayBuffer()
    return reply.status === 200
  } catch {
    return false // it is away
  }
}

async function waitFor<T>(what: string, look: () => Promise<T | null>, signal?: AbortSignal): Promise<T> {
  for (const deadline = Date.now() + READY_WITHIN_MS; ; await delay(LOOK_EVERY_MS, undefined, { signal })) {
    const found = await look()
    if (found !== null) return found
    if (Date.now() > deadline) throw new CommandError(`Patroni did not bring ${what} in time.`)
  }
}

async function switchOver({ name, checkPort, passwords }: Place): Promise<void> {
  const headers = { authorization: `Basic ${Buffer.from(`patroni:${passwords.restapi}`).toString('base64')}` }
  const body = JSON.stringify({ leader: name })
  const reply = await fetch(`http://127.0.0.1:${checkPort}/switchover`, { method: 'POST', headers, body })
  if (!reply.ok) throw new CommandError('Patroni did not switch over.', { details: await reply.text() })
}

async function makeDatabase(url: string, database: string, { superuser }: Passwords): Promise<void> {
  await withConnection(url, async (client) => {
    await client.query(`create role ${OWNER} login password '${superuser}'`)
    await client.query(`create database ${database} owner ${OWNER}`)
  })
}
