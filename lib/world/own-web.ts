/** The production web server beside an own world, for soaks over HTTP. */

import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { hashPassword } from '#lib/auth/passwords/password.ts'
import { buildWebApp } from '#lib/cli/builds/web-build.ts'
import { toWebEnvironment } from '#lib/cli/processes/prepare.ts'
import { startWebProcess, waitForWeb } from '#lib/cli/processes/web-process.ts'
import { CommandError } from '#lib/cli/run/command-error.ts'
import type { Lifetime } from '#lib/cli/run/lifetime.ts'
import { findFreePort } from '#lib/db/embedded-postgres.ts'
import { withSystemSql } from '#lib/db/tenant.ts'
import { parseSettings, requireSetting } from '#lib/env.ts'
import type { OrganizationId, UserId } from '#lib/ids.ts'
import { countSockets } from './count-sockets.ts'
import type { OwnWorld } from './own-world.ts'
import { readResidentBytes } from './process-figures.ts'

export type OwnUser = { organizationId: OrganizationId; userId: UserId; email: string }

export type OwnWeb = {
  url: string
  port: number
  pid: number
  logFile: string
  /** Creates a user with the password `OWN_PASSWORD`, in a new organization unless one is named. */
  addUser: (email: string, organizationId?: OrganizationId) => Promise<OwnUser>
  /** Creates a user like `addUser` and signs them in; returns their Cookie header. */
  signIn: (email: string, organizationId?: OrganizationId) => Promise<{ user: OwnUser; cookie: string }>
  /** Before the end of the lifetime. */
  stop: () => Promise<unknown>
  /** TCP connections of the server (count-sockets.ts). */
  countSockets: () => number | null
  /** Memory in use, in MB; 0 where the system does not tell. */
  residentMb: () => number
}

/** The password of every user created here. */
export const OWN_PASSWORD = 'correct horse battery staple'

/** What one of several has that a single one finds by itself. */
export type OwnWebOptions = {
  port?: number
  /** The address that people use, of what stands before it. */
  appUrl?: string
  databaseUrl?: string
  sessionSecret?: string
  /** Further settings, by their names. */
  variables?: Record<string, string>
}

/**
 * Builds and starts the web server as in production, with this process's keys and settings; the
 * lifetime ends it.
 */
export async function startOwnWeb(lifetime: Lifetime, world: OwnWorld, options: OwnWebOptions = {}): Promise<OwnWeb> {
  await buildWebApp(lifetime.signal)
  const port = options.port ?? (await findFreePort())
  const url = `http://127.0.0.1:${port}`
  const { appUrl = url, databaseUrl = world.databaseUrl, variables } = options
  const partner = requireSetting('partner')
  const logFile = join(world.folder, 'web.log')
  const prepared = {
    settings: parseSettings({ APP_URL: appUrl, PORT: String(port), DATA_DIR: world.folder }),
    databaseUrls: { web: databaseUrl, worker: databaseUrl },
    keys: {
      sessionSecret: options.sessionSecret ?? randomBytes(48).toString('base64url'),
      tokenPublicKeys: JSON.stringify(requireSetting('tokenPublicKeys')),
    },
  }
  const partnerVariables = {
    PARTNER_BASE_URL: partner.baseUrl,
    PARTNER_AUTH_URL: partner.authUrl,
    PARTNER_CLIENT_ID: partner.clientId,
    PARTNER_CLIENT_SECRET: partner.clientSecret.reveal(),
    PARTNER_PRIVATE_ADDRESSES: 'allowed',
  }
  // a handful of people stand for many
  const settingsOfWeb = { ...partnerVariables, REQUEST_BUDGET_FACTOR: '10000', ...variables }
  const env = toWebEnvironment(prepared, settingsOfWeb, 'production')
  const web = { host: '127.0.0.1', port, isDevelopment: false, env, logFile }
  const server = startWebProcess(web)
  lifetime.onEnd('Web server', server.stop)
  await waitForWeb(server, web, lifetime.signal)
  return {
    url,
    port,
    pid: server.pid,
    logFile,
    addUser,
    signIn: async (email, organizationId) => {
      const user = await addUser(email, organizationId)
      return { user, cookie: await signIn(url, appUrl, email) }
    },
    stop: () => server.stop(false),
    countSockets: () => countSockets(port),
    residentMb: () => Math.round((readResidentBytes(server.pid) ?? 0) / 2 ** 20),
  }
}

async function addUser(email: string, organizationId?: OrganizationId): Promise<OwnUser> {
  const passwordHash = await hashPassword(OWN_PASSWORD)
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

async function signIn(url: string, appUrl: string, email: string): Promise<string> {
  const reply = await fetch(`${url}/api/sign-in`, {
    method: 'POST',
    headers: { origin: appUrl, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ email, password: OWN_PASSWORD, next: '/' }).toString(),
    redirect: 'manual',
  })
  const cookie = reply.headers.getSetCookie().find((each) => each.startsWith('tieout.session='))
  if (cookie === undefined) throw new CommandError(`${email} could not sign in (status ${reply.status}).`)
  return cookie.slice(0, cookie.indexOf(';'))
}
