/** The production web server beside an own world, for soaks that ask it over HTTP. */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hashPassword } from '../auth/password.ts'
import { findFreePort } from '../db/embedded-postgres.ts'
import { withSystemSql } from '../db/tenant.ts'
import { requireSetting, toChildEnvironment } from '../env.ts'
import { CommandError } from './command-error.ts'
import type { Lifetime } from './lifetime.ts'
import type { OwnWorld } from './own-world.ts'
import { buildWebApp } from './web-build.ts'
import { startWebProcess, waitForWeb } from './web-process.ts'

export type OwnUser = { organizationId: string; userId: string; email: string }

export type OwnWeb = {
  url: string
  port: number
  logFile: string
  /** Makes a user with a password, in a new organization unless one is named, and signs them in: their Cookie header. */
  signIn: (email: string, organizationId?: string) => Promise<{ user: OwnUser; cookie: string }>
  /** TCP connections of the server, but for those that wait out their last minute; null where the system does not tell. */
  countSockets: () => number | null
  /** Memory in use, in MB; null where the system does not tell. */
  residentMb: () => number | null
}

const PASSWORD = 'correct horse battery staple'

/** Builds and starts it; the lifetime ends it. */
export async function startOwnWeb(lifetime: Lifetime, world: OwnWorld): Promise<OwnWeb> {
  await buildWebApp(lifetime.signal)
  const port = await findFreePort()
  const url = `http://localhost:${port}`
  const partner = requireSetting('partner')
  const logFile = join(world.folder, 'web.log')
  const env = toChildEnvironment({
    NODE_ENV: 'production',
    NEXT_TELEMETRY_DISABLED: '1',
    APP_URL: url,
    PORT: String(port),
    DATABASE_URL: world.databaseUrl,
    SESSION_SECRET: randomBytes(32).toString('hex'),
    TOKEN_PUBLIC_KEYS: JSON.stringify(requireSetting('tokenPublicKeys')),
    TOKEN_PRIVATE_KEYS: undefined,
    PARTNER_BASE_URL: partner.baseUrl,
    PARTNER_AUTH_URL: partner.authUrl,
    PARTNER_CLIENT_ID: partner.clientId,
    PARTNER_CLIENT_SECRET: partner.clientSecret,
    LOG_LEVEL: 'info',
  })
  const options = { host: '127.0.0.1', port, isDevelopment: false, env, logFile }
  const server = startWebProcess(options)
  lifetime.onEnd('Web server', server.stop)
  await waitForWeb(server, options, lifetime.signal)
  return {
    url,
    port,
    logFile,
    signIn: async (email, organizationId) => {
      const user = await makeUser(email, organizationId)
      return { user, cookie: await signIn(url, email) }
    },
    countSockets: () => countSockets(port),
    residentMb: () => residentMb(server.pid),
  }
}

async function makeUser(email: string, organizationId?: string): Promise<OwnUser> {
  const passwordHash = await hashPassword(PASSWORD)
  const [user] = await withSystemSql((sql) =>
    sql<OwnUser>(
      `with o as (insert into organization (name) select $1 where $2::uuid is null returning id)
       insert into app_user (organization_id, email, name, role, password_hash)
       select coalesce($2::uuid, (select id from o)), $1, $1, 'finance', $3
       returning organization_id as "organizationId", id as "userId", email`,
      [email, organizationId ?? null, passwordHash],
    ),
  )
  return user as OwnUser
}

async function signIn(url: string, email: string): Promise<string> {
  const reply = await fetch(`${url}/api/sign-in`, {
    method: 'POST',
    headers: { origin: url, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ email, password: PASSWORD, next: '/' }).toString(),
    redirect: 'manual',
  })
  const cookie = reply.headers.getSetCookie().find((each) => each.startsWith('tieout.session='))
  if (cookie === undefined) throw new CommandError(`${email} could not sign in (status ${reply.status}).`)
  return cookie.slice(0, cookie.indexOf(';'))
}

const TIME_WAIT = '06'
const LISTEN = '0A'

/** From the kernel's own list (proc(5)): the server's side of each connection to its port. */
function countSockets(port: number): number | null {
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  try {
    const rows = ['tcp', 'tcp6'].flatMap((file) => readFileSync(`/proc/net/${file}`, 'utf8').split('\n').slice(1))
    return rows.filter((row) => {
      const [, address, , state] = row.trim().split(/\s+/)
      return address?.endsWith(local) && state !== LISTEN && state !== TIME_WAIT
    }).length
  } catch {
    return null
  }
}

function residentMb(pid: number): number | null {
  try {
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Math.round(Number(kilobytes) / 1024)
  } catch {
    return null
  }
}
