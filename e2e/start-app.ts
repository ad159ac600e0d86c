/**
 * The whole app for browser tests: new database, sandbox, worker and production web server, on free
 * ports.
 */
import { mkdtempSync, rmSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Cookie } from '@playwright/test'
import pg from 'pg'
import { provideFirstAdmin } from '#lib/auth/people/first-admin.ts'
import { buildWorker, type WorkerFiles } from '#lib/cli/builds/worker-build.ts'
import type { ManagedProcess } from '#lib/cli/processes/managed-process.ts'
import { type Prepared, toWebEnvironment, toWorkerEnvironment } from '#lib/cli/processes/prepare.ts'
import { startWebProcess, waitForWeb } from '#lib/cli/processes/web-process.ts'
import { startWorkerProcess } from '#lib/cli/processes/worker-process.ts'
import { provideKeys, type WebKeys, type WorkerKeys } from '#lib/cli/run/keys.ts'
import { findFreePort } from '#lib/db/embedded-postgres.ts'
import { endPool, switchPool } from '#lib/db/pool.ts'
import { startCitusCluster } from '#lib/db/test-support/test-citus-cluster.ts'
import { cloneTemplate, startTestCluster, type TestServer } from '#lib/db/test-support/test-cluster.ts'
import { parseSettings, redirectUri } from '#lib/env.ts'
import { type Sandbox, startSandbox } from '#lib/sandbox/server.ts'

export type App = {
  appUrl: string
  adminEmail: string
  adminPassword: string
  /** The database's address for the role that owns its tables. */
  databaseUrl: string
  /** The same for one that its policies hold for, and that may what web server and worker may. */
  policedUrl: string
  /** Queries the database, outside every tenant scope. */
  query: (text: string) => Promise<Record<string, unknown>[]>
  /** The platform itself, in this process: its clock, faults, totals and requests seen. */
  sandbox: Sandbox
  logFiles: { web: string; worker: string }
  /** Kills the worker as a crash would, in the middle of its work. */
  killWorker: () => Promise<void>
  /** Starts a worker when none runs. */
  startWorker: () => void
  /** Starts another web server of the same installation, until the app stops; its address. */
  startAnotherWeb: () => Promise<string>
  /** The cookies with which people are signed in, by their addresses. */
  sessions: Map<string, Cookie[]>
  /**
   * Makes the installation as new, with the same processes of the web server and the platform: an
   * empty database with its first admin, a platform that remembers nothing and has the data of
   * `platform`, empty logs, and another worker.
   */
  renew: (platform: PlatformOptions) => Promise<void>
  stop: () => Promise<void>
}

type PlatformOptions = NonNullable<Parameters<Sandbox['reset']>[0]>

export type AppOptions = PlatformOptions & {
  /** Further settings of web and worker, by their environment names. */
  settings?: Record<string, string>
}

const ADMIN = { email: 'admin@example.com', password: 'correct horse battery staple' }

/** The worker's program, built once: each file of stories has another worker. */
let program: WorkerFiles | undefined

/**
 * Starts everything and waits until the web server answers. If a part fails, stops the others
 * again.
 */
export async function startApp(options: AppOptions = {}): Promise<App> {
  const toStop: (() => Promise<unknown>)[] = []
  const stop = async () => {
    for (let end = toStop.pop(); end; end = toStop.pop()) await end()
  }
  try {
    return { ...(await startParts(options, toStop)), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function queryDatabase(databaseUrl: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: databaseUrl, options: '-c tieout.scope=system' })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

/** One PostgreSQL of its own; by `npm run soak -- citus e2e/…`, a cluster that runs already. */
async function startServer(toStop: (() => Promise<unknown>)[]): Promise<TestServer> {
  const { TEST_CLUSTER_URL: url = '' } = process.env
  if (url !== '') return startCitusCluster(url)
  const { server, stop } = await startTestCluster()
  toStop.push(stop)
  return server
}

async function startParts(
  { settings: extra, ...platform }: AppOptions,
  toStop: (() => Promise<unknown>)[],
): Promise<Omit<App, 'stop'>> {
  const database = await cloneTemplate(await startServer(toStop))
  toStop.push(database.drop)
  const dataDir = mkdtempSync(join(tmpdir(), 'tieout-e2e-'))
  toStop.push(async () => rmSync(dataDir, { recursive: true, force: true }))

  const port = await findFreePort()
  const appUrl = `http://localhost:${port}`
  const sandbox = await startSandbox({
    clientId: 'tieout-e2e',
    clientSecret: 'e2e-client-secret',
    controlKey: 'e2e-control-key',
    scimApiKey: 'e2e-scim-api-key',
    redirectUris: [redirectUri(appUrl)],
    size: 'hostile',
  })
  toStop.push(sandbox.close)
  sandbox.reset(platform)

  const settings = parseSettings({ APP_URL: appUrl, DATA_DIR: dataDir, DATABASE_URL: database.url })
  // as `npm start` does it: web server and worker each have a role that owns nothing
  const prepared: Prepared<WebKeys & WorkerKeys> = {
    settings,
    databaseUrls: database.urls,
    keys: provideKeys(settings),
  }
  const variables = {
    PARTNER_BASE_URL: sandbox.baseUrl,
    PARTNER_AUTH_URL: sandbox.authUrl,
    PARTNER_SCIM_BASE_URL: sandbox.scimBaseUrl,
    PARTNER_CLIENT_ID: sandbox.settings.clientId,
    PARTNER_CLIENT_SECRET: sandbox.settings.clientSecret,
    PARTNER_PRIVATE_ADDRESSES: 'allowed',
    LOG_LEVEL: 'info',
    // stories click faster than people, and read their accounts as quickly as it goes
    REQUEST_BUDGET_FACTOR: '1000',
    PARTNER_CALLS_PER_SECOND: '0',
    WEBHOOK_SECRET: 'a secret of the endpoint',
    ...extra,
  }
  const provideAdmin = async () => {
    await switchPool(database.urls.web)
    await provideFirstAdmin(ADMIN, new Date()).finally(endPool)
  }
  await provideAdmin()

  const logFiles = { web: join(dataDir, 'web.log'), worker: join(dataDir, 'worker.log') }
  let worker: ManagedProcess | null = null
  const killWorker = async () => {
    await worker?.stop(true)
    worker = null
  }
  const startWorker = () => {
    const env = toWorkerEnvironment(prepared, variables, 'production')
    program ??= buildWorker()
    worker ??= startWorkerProcess({ env, logFile: logFiles.worker, program })
  }
  startWorker()
  toStop.push(async () => worker?.stop(false))
  const sessions = new Map<string, Cookie[]>()
  const renew = async (wanted: PlatformOptions) => {
    sessions.clear()
    await killWorker()
    await database.renew()
    sandbox.reset(wanted)
    // an answer of the token endpoint that the killed worker had no time to store
    rmSync(join(dataDir, 'spool'), { recursive: true, force: true })
    for (const file of Object.values(logFiles)) truncateSync(file)
    await provideAdmin()
    startWorker()
  }

  const webEnvironment = toWebEnvironment(prepared, variables, 'production')
  const startWeb = async (port: number, logFile: string) => {
    const web = { host: '127.0.0.1', port, isDevelopment: false, env: webEnvironment, logFile }
    const webProcess = startWebProcess(web)
    toStop.push(() => webProcess.stop(false))
    await waitForWeb(webProcess, web, AbortSignal.timeout(60_000))
    return `http://localhost:${port}`
  }
  await startWeb(port, logFiles.web)

  return {
    appUrl,
    adminEmail: ADMIN.email,
    adminPassword: ADMIN.password,
    databaseUrl: database.url,
    policedUrl: database.urls.both,
    query: (text) => queryDatabase(database.url, text),
    sandbox,
    logFiles,
    killWorker,
    startWorker,
    startAnotherWeb: async () => startWeb(await findFreePort(), join(dataDir, 'another-web.log')),
    sessions,
    renew,
  }
}
