/**
 * What a soak or a benchmark runs against: a temporary PostgreSQL, sandbox and workers, all of
 * which may be killed.
 */

import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ManagedProcess } from '#lib/cli/processes/managed-process.ts'
import { startWorkerProcess } from '#lib/cli/processes/worker-process.ts'
import type { Lifetime } from '#lib/cli/run/lifetime.ts'
import { prepareSchema } from '#lib/cli/run/schema.ts'
import { storeConnection } from '#lib/connections/life/store-connection.ts'
import { generateTokenKeys } from '#lib/connections/tokens/vault.ts'
import { findAccount, reachableFolder } from '#lib/db/embedded-account.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#lib/db/embedded-postgres.ts'
import { endPool, switchPool } from '#lib/db/pool.ts'
import { withSystemSql } from '#lib/db/tenant.ts'
import { settings, toChildEnvironment } from '#lib/env.ts'
import type { ConnectionId, OrganizationId, RunId, UserId } from '#lib/ids.ts'
import { partnerRequest } from '#lib/partner/http/http.ts'
import type { SandboxOptions } from '#lib/sandbox/options.ts'
import { type Sandbox, startSandbox } from '#lib/sandbox/server.ts'
import { Secret } from '#lib/secret.ts'

const APPLICATION = { clientId: 'tieout-own-world', clientSecret: 'a secret of this run' }
const REDIRECT_URI = 'http://localhost:3000/api/auth/callback/partner'
const DATABASE = 'tieout'

export type OwnWorldOptions = {
  /** The sandbox's account to connect. */
  account: string
  size?: SandboxOptions['size']
  /** Passed to the sandbox (lib/sandbox/options.ts). */
  keptPageBytes?: number
  pageSize: number
  workerFlags: string[]
  /** Opens a database of its own, with the schema in it; without it an embedded server starts. */
  openDatabase?: (folder: string) => Promise<{ owner: string }>
}

export type OwnWorld = {
  databaseUrl: string
  sandbox: Sandbox
  organizationId: OrganizationId
  userId: UserId
  connectionId: ConnectionId
  /** The folder with the workers' logs. */
  folder: string
  /** On the world's database unless another is named; with further settings by their names. */
  startWorker: (databaseUrl?: string, variables?: Record<string, string>) => ManagedProcess
  /** Connects the account as another connection, with a backfill queued; here unless named. */
  connect: (owner?: OwnOrganization) => Promise<{ connectionId: ConnectionId; runId: RunId }>
  /** Another organization with an admin. */
  addOrganization: () => Promise<OwnOrganization>
  /** Kills the embedded server's main process (SIGKILL) and starts it again. */
  crashDatabase: () => Promise<void>
}

export type OwnOrganization = { organizationId: OrganizationId; userId: UserId }

/** Starts all of it; the lifetime ends it and removes the folder. */
export async function openOwnWorld(lifetime: Lifetime, options: OwnWorldOptions): Promise<OwnWorld> {
  const { account, size = 'hostile', keptPageBytes = 0, pageSize, workerFlags } = options
  const folder = mkdtempSync(join(tmpdir(), 'tieout-world-'))
  // PostgreSQL's own account must pass: its data would otherwise land elsewhere and outlive this
  // folder
  chmodSync(folder, 0o711)
  lifetime.onEnd('folder', async () => rmSync(folder, { recursive: true, force: true }))
  const postgres = join(folder, 'postgres')
  let embedded: EmbeddedPostgres | undefined
  const openEmbedded = async () => {
    mkdirSync(postgres)
    embedded = await startEmbeddedPostgres(postgres, DATABASE)
    lifetime.onEnd('PostgreSQL', async () => embedded?.leave())
    await prepareSchema(embedded.url, null)
    return { owner: embedded.url }
  }
  const { owner: databaseUrl } = await (options.openDatabase ?? openEmbedded)(folder)
  await switchPool(databaseUrl)
  lifetime.onEnd('connections', () => endPool())
  const sandbox = await startSandbox({
    ...APPLICATION,
    redirectUris: [REDIRECT_URI],
    controlKey: 'control-key-of-this-run',
    scimApiKey: 'scim-key-of-this-run',
    size,
    keptPageBytes,
  })
  lifetime.onEnd('sandbox', () => sandbox.close())
  const keys = await generateTokenKeys()
  const { baseUrl, authUrl, scimBaseUrl } = sandbox
  const clientSecret = new Secret(APPLICATION.clientSecret)
  const partner = {
    ...APPLICATION,
    clientSecret,
    name: 'Sandbox',
    baseUrl,
    authUrl,
    scimBaseUrl,
    scopes: 'expenses:read',
  }
  Object.assign(settings(), {
    partner: { ...partner, pageSize, callsPerSecond: 0 },
    tokenPublicKeys: keys.publicKeys,
    tokenPrivateKeys: new Secret(keys.privateKeys),
  })
  const { organizationId, userId } = await makeOrganization(0)
  const intent = {
    organizationId,
    userId,
    actor: { kind: 'operator', name: 'npm run bench' } as const,
    idHash: 'no-intent',
    connectionId: null,
  }
  const connect = async (owner: OwnOrganization = { organizationId, userId }) =>
    storeConnection({ ...intent, ...owner }, await obtainTokens(sandbox, account), 0)
  const { connectionId } = await connect()
  let organizations = 0
  const env = toChildEnvironment({
    PARTNER_BASE_URL: baseUrl,
    PARTNER_AUTH_URL: authUrl,
    PARTNER_CLIENT_ID: partner.clientId,
    PARTNER_CLIENT_SECRET: APPLICATION.clientSecret,
    PARTNER_PAGE_SIZE: String(pageSize),
    PARTNER_CALLS_PER_SECOND: '0',
    TOKEN_PUBLIC_KEYS: JSON.stringify(keys.publicKeys),
    TOKEN_PRIVATE_KEYS: JSON.stringify(keys.privateKeys),
    LOG_LEVEL: 'info',
  })
  return {
    databaseUrl,
    sandbox,
    organizationId,
    userId,
    connectionId,
    folder,
    connect,
    addOrganization: () => makeOrganization(++organizations),
    startWorker: (url = databaseUrl, variables = {}) =>
      startWorkerProcess({
        env: { ...env, DATABASE_URL: url, ...variables },
        logFile: join(folder, 'worker.log'),
        flags: workerFlags,
      }),
    crashDatabase: async () => {
      const [pid] = readFileSync(
        join(reachableFolder(postgres, findAccount()), 'data', 'postmaster.pid'),
        'utf8',
      ).split('\n')
      process.kill(Number(pid), 'SIGKILL')
      embedded = await startEmbeddedPostgres(postgres, DATABASE)
    },
  }
}

async function makeOrganization(number: number): Promise<OwnOrganization> {
  const [made] = await withSystemSql((sql) =>
    sql<OwnOrganization>(
      `with o as (insert into organization (name) values ('Own' || $1) returning id)
       insert into app_user (organization_id, email, name, role) select id, 'own' || $1 || '@example.com', 'Own', 'admin' from o
       returning organization_id as "organizationId", id as "userId"`,
      [number === 0 ? '' : `-${number}`],
    ),
  )
  return made as OwnOrganization
}

async function obtainTokens(sandbox: Sandbox, account: string) {
  const { oauth } = sandbox.state()
  const code = oauth.issueCode(account, 'expenses:read', APPLICATION.clientId, REDIRECT_URI)
  const fields = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: REDIRECT_URI,
    client_id: APPLICATION.clientId,
    client_secret: APPLICATION.clientSecret,
  }
  const response = await partnerRequest({
    method: 'POST',
    url: `${sandbox.authUrl}/accounts/oauth2/token/`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
    deadlineMs: 10_000,
    maxBytes: 100_000,
  })
  const tokens = JSON.parse(response.body.toString()) as { access_token: string; refresh_token: string; scope: string }
  return {
    accessToken: tokens.access_token,
    refreshToken: tokens.refresh_token,
    expiresInSeconds: 3600,
    scope: tokens.scope,
  }
}
