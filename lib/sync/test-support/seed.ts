/**
 * A connected account for tests: a database, a sandbox on a free port, an organization, and tokens
 * from the sandbox's token endpoint.
 */

import { personOf } from '#lib/audit/test-support/test-actor.ts'
import { storeCandidate } from '#lib/connections/life/reconnect-store.ts'
import { checkCandidate, claimCandidate } from '#lib/connections/life/reconnect-work.ts'
import { storeConnection } from '#lib/connections/life/store-connection.ts'
import { requestSync } from '#lib/connections/runs/request-sync.ts'
import { generateTokenKeys } from '#lib/connections/tokens/vault.ts'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import { type PartnerSettings, settings } from '#lib/env.ts'
import type { ConnectionId, OrganizationId, RunId, UserId } from '#lib/ids.ts'
import { seedOrganization } from '#lib/ledger/test-support/seed.ts'
import { partnerRequest } from '#lib/partner/http/http.ts'
import { type Sandbox, type SandboxOptions, startSandbox } from '#lib/sandbox/server.ts'
import { Secret } from '#lib/secret.ts'
import type { RunOutcome } from '../model.ts'
import { runSync, type SyncOptions } from '../reading/run-sync.ts'
import { SYNC_TIMING, type SyncTiming } from '../runs/timing.ts'

export type SyncWorld = {
  database: TestDatabase
  sandbox: Sandbox
  partner: PartnerSettings
  organizationId: OrganizationId
  userId: UserId
  /** Connects another sandbox account by its id, as after the consent page; queues a sync. */
  connect: (account: string) => Promise<{ connectionId: ConnectionId; runId: RunId }>
  /** Reconnects a connection, and compares the accounts as the worker does. */
  reconnect: (account: string, connectionId: ConnectionId) => Promise<void>
  /** The environment a worker process needs. */
  environment: Record<string, string>
  close: () => Promise<void>
}

/** Real leases, pauses too short to notice, and a commit per page, the most possible. */
export const QUICK_TIMING: SyncTiming = {
  ...SYNC_TIMING,
  completeWindowRecords: undefined,
  groupPages: 1,
  pagesAhead: 1,
  retryBaseMs: 5,
  retryCapMs: 50,
  throttledMs: 1,
  postponeBaseMs: 5,
  postponeCapMs: 50,
  // other tests cover a failing host
  circuit: { ...SYNC_TIMING.circuit, failures: 1_000_000 },
}

/** For what a test has to have first: the account is read in one piece and committed at once. */
export const ARRANGE_TIMING: SyncTiming = { ...QUICK_TIMING, windowRecords: 100_000, groupPages: 40 }

const REDIRECT_URI = 'http://localhost:3000/api/auth/callback/partner'
const APPLICATION = { clientId: 'tieout-tests', clientSecret: 'a secret of the tests' }

export async function seedSyncWorld(
  options: { size?: SandboxOptions['size']; pageSize?: number; database?: TestDatabase } = {},
): Promise<SyncWorld> {
  const database = options.database ?? (await createTestDatabase())
  const sandbox = await startSandbox({
    ...APPLICATION,
    redirectUris: [REDIRECT_URI],
    controlKey: 'control-key-of-tests',
    scimApiKey: 'scim-key-of-tests',
    size: options.size ?? 'hostile',
  })
  const partner: PartnerSettings = {
    ...APPLICATION,
    clientSecret: new Secret(APPLICATION.clientSecret),
    name: 'Sandbox',
    baseUrl: sandbox.baseUrl,
    authUrl: sandbox.authUrl,
    scimBaseUrl: sandbox.scimBaseUrl,
    scopes: 'expenses:read',
    pageSize: options.pageSize ?? 50,
    callsPerSecond: 0,
  }
  const keys = await generateTokenKeys()
  // the process's settings, as if they came from the environment
  Object.assign(settings(), {
    partner,
    tokenPublicKeys: keys.publicKeys,
    tokenPrivateKeys: new Secret(keys.privateKeys),
  })
  const { organizationId, userId } = await seedOrganization(database.query)
  return {
    database,
    sandbox,
    partner,
    organizationId,
    userId,
    connect: async (account) =>
      storeConnection(
        { organizationId, userId, actor: personOf(userId), idHash: 'no-intent' },
        await obtainTokens(sandbox, account),
        0,
      ),
    reconnect: async (account, connectionId) => {
      const intent = { organizationId, userId, actor: personOf(userId), idHash: 'no-intent', connectionId }
      await storeCandidate(intent, await obtainTokens(sandbox, account), 0)
      const consent = await claimCandidate()
      if (consent !== null) await checkCandidate(consent)
    },
    environment: {
      DATABASE_URL: database.urls.worker,
      PARTNER_BASE_URL: partner.baseUrl,
      PARTNER_AUTH_URL: partner.authUrl,
      PARTNER_CLIENT_ID: partner.clientId,
      PARTNER_CLIENT_SECRET: APPLICATION.clientSecret,
      PARTNER_PAGE_SIZE: String(partner.pageSize),
      PARTNER_CALLS_PER_SECOND: '0',
      TOKEN_PUBLIC_KEYS: JSON.stringify(keys.publicKeys),
      TOKEN_PRIVATE_KEYS: JSON.stringify(keys.privateKeys),
    },
    close: async () => {
      await sandbox.close()
      await database.drop()
    },
  }
}

async function obtainTokens(sandbox: Sandbox, account: string) {
  const { clientId, clientSecret } = APPLICATION
  const code = sandbox
    .state()
    .oauth.issueCode(sandbox.state().requireAccount(account).id, 'expenses:read', clientId, REDIRECT_URI)
  const response = await partnerRequest({
    method: 'POST',
    url: `${sandbox.authUrl}/accounts/oauth2/token/`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: REDIRECT_URI,
      client_id: clientId,
      client_secret: clientSecret,
    }).toString(),
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

/**
 * Requests a sync of the connection and runs it in this process; `options` override the test
 * defaults.
 */
export async function syncNow(
  world: SyncWorld,
  connectionId: ConnectionId,
  options: Partial<SyncOptions> = {},
): Promise<{ outcome: RunOutcome; runId: RunId }> {
  const wish = { trigger: 'manual', requestedBy: personOf(world.userId) } as const
  const { runId } = await requestSync(world.organizationId, connectionId, wish)
  const outcome = await runSync(
    { organizationId: world.organizationId, runId },
    { partner: world.partner, timing: QUICK_TIMING, signal: new AbortController().signal, ...options },
  )
  return { outcome, runId }
}
