import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findFreePort } from '#lib/db/embedded-postgres.ts'
import { parseSettings } from '#lib/env.ts'
import { makePrivateKeySet, toPublicKeySet } from './run/keys.ts'
import { projectRoot } from './run/project-root.ts'
import { runCommand, runCommandHere } from './test-support/test-command.ts'

let folder: string
let port: string
let busy: Server
let busyPort: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tieout-settings-'))
  port = String(await findFreePort())
  busy = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => busy.once('listening', resolve))
  const address = busy.address()
  busyPort = String(typeof address === 'object' ? address?.port : 0)
  writeFileSync(join(folder, 'file'), '')
  for (const name of ['broken-keys', 'open-keys']) mkdirSync(join(folder, name, 'keys'), { recursive: true })
  writeFileSync(join(folder, 'broken-keys', 'keys', 'token-private-keys.json'), 'cut o')
  writeFileSync(join(folder, 'open-keys', 'keys', 'token-public-keys.json'), makePrivateKeySet())
})
afterAll(() => {
  busy.close()
  rmSync(folder, { recursive: true })
})

const PARTNER = {
  PARTNER_BASE_URL: 'https://data.example.com',
  PARTNER_AUTH_URL: 'https://login.example.com',
  PARTNER_CLIENT_ID: 'client',
  PARTNER_CLIENT_SECRET: 'secret',
}
/** What is never reached: a wrong setting is said before anybody asks the database. */
const DATABASE_URL = 'postgresql://tieout_web:password@127.0.0.1:1/tieout'
const ours = makePrivateKeySet()
const theirs = makePrivateKeySet()
/** A key of another kind, with parameters as it has them (RFC 7518, 6.3.1). */
const RSA = JSON.stringify({ keys: [{ kid: 'rsa', kty: 'RSA', n: 'AQ'.repeat(171), e: 'AQAB' }] })
const NO_POINT = JSON.stringify({ keys: [{ kid: 'flat', kty: 'EC', crv: 'P-256' }] })

type Variables = Record<string, string>
/** `FOLDER`, `PORT` and `BUSY` in a value stand for those of this run. */
const WRONG: [command: string, variables: Variables, sentence: string][] = [
  ['start', { PORT: '65536' }, 'PORT: must be a whole number'],
  ['dev', { LOG_LEVEL: 'loud' }, 'LOG_LEVEL: must be one of'],
  ['start', { NODE_ENV: 'staging' }, 'NODE_ENV: must be development, test or production.'],
  ['start', { APP_URL: 'http://tieout.example.com' }, 'APP_URL: must be https:'],
  ['start', { APP_URL: 'https://tieout.example.com/desk' }, 'APP_URL: must be an origin without a path.'],
  ['start', { APP_URL: 'https://tieout.example.com?from=mail' }, 'APP_URL: must be an origin without a query'],
  ['start', { APP_URL: 'https://ada:lovelace@tieout.example.com' }, 'APP_URL: must not hold a user name'],
  ['start', { LISTEN_HOST: 'localhost' }, 'LISTEN_HOST: must be an IP address of this machine'],
  ['start', { LISTEN_HOST: '192.0.2.7' }, 'LISTEN_HOST: 192.0.2.7 is no address of this machine'],
  ['web', { ...PARTNER, METRICS_HOST: '192.0.2.7', WEB_METRICS_PORT: '9411' }, 'METRICS_HOST: 192.0.2.7 is no address'],
  ['worker', { ...PARTNER, WORKER_METRICS_PORT: 'BUSY' }, 'is in use: choose another with WORKER_METRICS_PORT.'],
  ['start', { WEB_METRICS_PORT: 'PORT' }, 'WEB_METRICS_PORT: must be another port than PORT.'],
  [
    'start',
    { WEB_METRICS_PORT: '9413', WORKER_METRICS_PORT: '9413' },
    'WORKER_METRICS_PORT: must be another port than WEB_METRICS_PORT.',
  ],
  ['start', { DATA_DIR: 'FOLDER/file/data' }, "The data directory FOLDER/file/data can't be written (ENOTDIR)"],
  ['worker', { ...PARTNER, SPOOL_DIR: 'FOLDER/file' }, "SPOOL_DIR: FOLDER/file can't be written (ENOTDIR)"],
  ['web', { ...PARTNER, ATTACHMENTS_DIR: 'FOLDER/file' }, "ATTACHMENTS_DIR: FOLDER/file can't be written (ENOTDIR)"],
  ['web', { DATABASE_URL: 'mysql://127.0.0.1/tieout' }, 'DATABASE_URL: must be a postgresql:// address.'],
  ['migrate', { DATABASE_URL: 'postgresql://tieout:pa#ss@127.0.0.1/tieout' }, 'DATABASE_URL: must be an address'],
  ['start', { DATABASE_OWNER_URL: DATABASE_URL }, 'DATABASE_URL: is missing, while DATABASE_OWNER_URL is set.'],
  [
    'web',
    { ...PARTNER, DATABASE_URL, DATABASE_OWNER_URL: DATABASE_URL },
    'DATABASE_OWNER_URL: is for `npm run migrate`',
  ],
  ['migrate', { DATABASE_WEB_ROLE: 'tieout_web' }, 'DATABASE_WORKER_ROLE: is missing'],
  ['web', { SESSION_SECRET: 'short' }, 'SESSION_SECRET: must have at least 32 characters.'],
  ['start', { PARTNER_BASE_URL: 'http://127.0.0.1:9' }, 'PARTNER_AUTH_URL: is missing'],
  ['start', { PARTNER_SCIM_BASE_URL: 'https://data.example.com' }, 'PARTNER_BASE_URL: is missing'],
  [
    'start',
    { ...PARTNER, PARTNER_BASE_URL: 'http://127.0.0.1:9' },
    'PARTNER_BASE_URL: must not be of this machine or a private network in production',
  ],
  ['web', { ...PARTNER, PARTNER_AUTH_URL: 'https://10.0.0.7' }, 'PARTNER_AUTH_URL: must not be of this machine'],
  ['worker', { ...PARTNER, PARTNER_SCIM_BASE_URL: 'https://[::1]/scim' }, 'PARTNER_SCIM_BASE_URL: must not be of this'],
  [
    'start',
    { ...PARTNER, PARTNER_BASE_URL: 'https://data.example.com?v=2' },
    'PARTNER_BASE_URL: must not hold a query',
  ],
  ['worker', { ...PARTNER, PARTNER_PAGE_SIZE: '5' }, 'PARTNER_PAGE_SIZE: must be a whole number from 10 to 500.'],
  ['worker', {}, 'PARTNER_BASE_URL: is missing, and no sandbox partner runs here'],
  ['web', { ...PARTNER, DATABASE_URL }, 'TOKEN_PUBLIC_KEYS: is missing, and FOLDER/data/keys/token-public-keys.json'],
  ['web', { ...PARTNER, TOKEN_PRIVATE_KEYS: ours }, 'TOKEN_PRIVATE_KEYS: is for workers alone'],
  ['web', { ...PARTNER, TOKEN_PUBLIC_KEYS: ours }, 'TOKEN_PUBLIC_KEYS: must hold no private part'],
  [
    'web',
    { ...PARTNER, DATABASE_URL, DATA_DIR: 'FOLDER/open-keys' },
    'token-public-keys.json: must hold no private part',
  ],
  ['web', { ...PARTNER, TOKEN_PUBLIC_KEYS: RSA }, 'TOKEN_PUBLIC_KEYS: the key rsa is none for ECDH-ES'],
  [
    'start',
    { TOKEN_PUBLIC_KEYS: toPublicKeySet(ours) },
    'TOKEN_PRIVATE_KEYS: is missing, while TOKEN_PUBLIC_KEYS is set.',
  ],
  ['worker', { ...PARTNER, TOKEN_PRIVATE_KEYS: NO_POINT }, 'TOKEN_PUBLIC_KEYS: the key flat is none for ECDH-ES'],
  [
    'worker',
    { ...PARTNER, TOKEN_PRIVATE_KEYS: ours, TOKEN_PUBLIC_KEYS: toPublicKeySet(theirs) },
    'TOKEN_PRIVATE_KEYS: the private part of',
  ],
  ['web', { ...PARTNER, DATABASE_URL, TOKEN_PUBLIC_KEYS: toPublicKeySet(ours) }, 'SESSION_SECRET: is missing'],
  ['start', { DATA_DIR: 'FOLDER/broken-keys' }, 'token-private-keys.json: must be a JWK set in JSON.'],
  ['start', { ADMIN_EMAIL: 'admin' }, 'ADMIN_EMAIL: must be an email address.'],
  ['start', { ADMIN_PASSWORD: 'password1' }, 'ADMIN_PASSWORD: is one of those that'],
  ['worker', { ...PARTNER, SMTP_URL: 'smtp://mail.example.com' }, 'MAIL_FROM: is missing, while SMTP_URL is set.'],
  ['worker', { ...PARTNER, SMTP_URL: 'smtp://mail:99999', MAIL_FROM: 'a@example.com' }, 'SMTP_URL: must be an address'],
  ['worker', { ...PARTNER, SMTP_TLS: 'never' }, 'SMTP_TLS: must be required or optional.'],
  ['start', { CLIENT_ADDRESS_HOPS: '2' }, 'CLIENT_ADDRESS_HEADER: is missing'],
  ['start', { WEBHOOK_SECRET: 'short' }, 'WEBHOOK_SECRET: must have at least 16 characters.'],
  ['start', { REQUEST_BUDGET_FACTOR: '0' }, 'REQUEST_BUDGET_FACTOR: must be a whole number'],
  ['start --sandbox=enormous', {}, 'size must be one of company, hostile, large, huge'],
  ['start --sandbox-lines=many', {}, 'size.lines must be a whole number'],
  ['users list', { LOG_LEVEL: 'loud' }, 'LOG_LEVEL: must be one of'],
  ['users list', {}, 'There is no installation here: DATABASE_URL is not set, and FOLDER/data holds no database.'],
  ['organization list', {}, 'There is no installation here'],
  ['audit verify', {}, 'Use the settings and the user of the web server for this command'],
  ['keys rotate', {}, 'Use the settings and the user of the worker for this command'],
  ['keys status', { TOKEN_PUBLIC_KEYS: toPublicKeySet(ours), DATABASE_URL }, 'TOKEN_PRIVATE_KEYS: is missing'],
]

const fill = (text: string) =>
  text
    .replaceAll('FOLDER', folder)
    .replace(/^PORT$/, port)
    .replaceAll('BUSY', busyPort)

/** Everything in the folder, and when what a start makes was made. */
function look(): unknown {
  const made = ['node_modules/.tieout-lock-hash', 'lib/db/generated/schema-hash', '.next/tieout-build-hash', '.data']
  return [
    readdirSync(folder, { recursive: true }).sort(),
    made.map((name) => statSync(join(projectRoot, name), { throwIfNoEntry: false })?.mtimeMs),
  ]
}

const given = (variables: Variables): Variables =>
  Object.fromEntries(
    Object.entries({ PORT: port, DATA_DIR: join(folder, 'data'), ...variables }).map(([name, value]) => [
      name,
      fill(value),
    ]),
  )

/** What the contract alone refuses; null when it takes the settings. */
function parse(variables: Variables): string | null {
  try {
    parseSettings(given(variables))
    return null
  } catch (thrown) {
    return (thrown as Error).message
  }
}

/** What needs a process of its own: once for each command, that it parses before anything else. */
const isFirst = (command: string) => {
  const isNew = !parsing.has(command)
  parsing.add(command)
  return isNew
}
const parsing = new Set<string>()

test.each(WRONG.map((row) => [row[0], Object.keys(row[1]).at(-1) ?? 'no settings', row[2], row] as const))(
  '%s with a wrong %s says so before it writes, installs or starts anything: %s',
  async (_command, _setting, _sentence, [command, variables, sentence]) => {
    const refused = parse(variables)
    if (refused !== null) expect(refused).toContain(fill(sentence))
    if (refused !== null && !isFirst(command)) return
    const before = look()
    const run = refused === null ? runCommandHere : runCommand
    const { code, stdout, stderr } = await run(command, given(variables))
    expect(stderr).toContain(fill(sentence))
    expect(stderr).not.toMatch(/\n {4}at /)
    expect(stdout).toBe('')
    expect(code).toBeGreaterThan(0)
    expect(look()).toEqual(before)
  },
)
