import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parseSettings, SETTING_NAMES, SettingsError, toChildEnvironment } from './env.ts'

const PARTNER = {
  PARTNER_BASE_URL: 'https://data.example.com',
  PARTNER_AUTH_URL: 'https://auth.example.com',
  PARTNER_CLIENT_ID: 'client',
  PARTNER_CLIENT_SECRET: 'secret',
}
const KEYS = '{"keys":[{"kid":"1","kty":"EC"}]}'

function problemsOf(environment: Record<string, string>): string[] {
  try {
    parseSettings(environment)
  } catch (error) {
    if (error instanceof SettingsError) return error.problems
    throw error
  }
  return []
}

test.each([
  ['APP_URL', 'localhost:3000', 'must be an http: or https: address.'],
  ['APP_URL', 'https://example.com/books', 'must be an origin without a path.'],
  ['LISTEN_HOST', 'localhost', 'must be an IP address of this machine, e.g. 127.0.0.1 or 0.0.0.0.'],
  ['DATABASE_OWNER_URL', 'localhost', 'must be a postgresql:// address.'],
  ['DATABASE_WEB_ROLE', 'web; drop', 'must be the name of a database role: letters, digits, _ and -.'],
  ['PORT', '0', 'must be a whole number from 1 to 65535.'],
  ['PORT', '3e3', 'must be a whole number from 1 to 65535.'],
  ['PORT', '65536', 'must be a whole number from 1 to 65535.'],
  ['DATABASE_URL', 'mysql://localhost/books', 'must be a postgresql:// address.'],
  ['SESSION_SECRET', 'short', 'must have at least 32 characters.'],
  ['PARTNER_NAME', 'x'.repeat(61), 'must have at most 60 characters.'],
  ['PARTNER_BASE_URL', 'ftp://example.com', 'must be an http: or https: address.'],
  ['PARTNER_SCOPES', 'expenses', 'must be scopes of the form name:permission, separated by a space.'],
  ['PARTNER_PAGE_SIZE', '9', 'must be a whole number from 10 to 500.'],
  ['PARTNER_PAGE_SIZE', 'many', 'must be a whole number from 10 to 500.'],
  ['CLIENT_ADDRESS_HEADER', 'X Forwarded', 'must be the name of a header.'],
  ['CLIENT_ADDRESS_HEADER', 'Forwarded', 'must be a header of addresses alone, as X-Forwarded-For is.'],
  ['CLIENT_ADDRESS_HOPS', '0', 'must be a whole number from 1 to 10.'],
  ['TOKEN_PUBLIC_KEYS', 'not json', 'must be a JWK set in JSON.'],
  ['TOKEN_PUBLIC_KEYS', '{"keys":[]}', 'must be a JWK set whose keys have kid and kty.'],
  ['TOKEN_PRIVATE_KEYS', '[]', 'must be a JWK set whose keys have kid and kty.'],
  ['ADMIN_EMAIL', 'admin', 'must be an email address.'],
  ['ADMIN_PASSWORD', 'short', 'must have at least 8 characters.'],
  ['SMTP_URL', 'mail.example.com', 'must be an smtp:// or smtps:// address.'],
  ['MAIL_FROM', 'Desk', 'must be an email address, or a name with one in <>.'],
  ['SMTP_TLS', 'never', 'must be required or optional.'],
  ['LAKE_S3_ENDPOINT', 'http://store.example.com', 'must be https: (http: is accepted for loopback hosts only).'],
  ['LAKE_S3_ENDPOINT', 'https://me:word@store.example.com', 'must not hold a user name or password.'],
  ['LAKE_S3_REGION', 'eu central', 'must be the name of a region, such as eu-central-1.'],
  ['LOG_LEVEL', 'loud', 'must be one of fatal, error, warn, info, debug, trace, silent.'],
])('refuses %s=%s with one sentence', (name, value, sentence) => {
  expect(problemsOf({ [name]: value })).toContain(`${name}: ${sentence}`)
})

test('A12: an address that leaves this machine must be https:, for cookies and passwords', () => {
  for (const host of ['localhost:1', '127.0.0.1:1', '127.9.9.9', '[::1]:1', 'desk.localhost'])
    expect(problemsOf({ APP_URL: `http://${host}` }), host).toEqual([])
  for (const host of ['example.com', '10.0.0.1', '0.0.0.0', 'localhost.example.com', '[::]']) {
    expect(problemsOf({ APP_URL: `http://${host}` }), host).toEqual([
      'APP_URL: must be https: unless it is an address of this machine (localhost): passwords and cookies would cross the network in the clear.',
    ])
    expect(problemsOf({ APP_URL: `https://${host}` }), host).toEqual([])
  }
})

test('listens only on this machine, whatever the public address, unless LISTEN_HOST says otherwise', () => {
  expect(parseSettings({}).listenHost).toBe('127.0.0.1')
  expect(parseSettings({ APP_URL: 'https://books.example.com' }).listenHost).toBe('127.0.0.1')
  expect(parseSettings({ APP_URL: 'http://[::1]:3000' }).listenHost).toBe('::1')
  expect(parseSettings({ LISTEN_HOST: '0.0.0.0' }).listenHost).toBe('0.0.0.0')
})

test('the two database roles are named together, and differ', () => {
  const both = { DATABASE_WEB_ROLE: 'tieout_web', DATABASE_WORKER_ROLE: 'tieout_worker' }
  expect(parseSettings(both).databaseRoles).toEqual({ web: 'tieout_web', worker: 'tieout_worker' })
  expect(parseSettings({}).databaseRoles).toBeNull()
  for (const name of Object.keys(both)) expect(problemsOf({ ...both, [name]: '' })[0]).toContain(`${name}: is missing`)
  expect(problemsOf({ ...both, DATABASE_WORKER_ROLE: 'tieout_web' })).toEqual([
    'DATABASE_WORKER_ROLE: must be another role than DATABASE_WEB_ROLE.',
  ])
})

test('mail needs both its server and its sender', () => {
  const both = { SMTP_URL: 'smtp://mail.example.com', MAIL_FROM: 'Desk <desk@example.com>' }
  const { mail } = parseSettings(both)
  expect([mail?.smtpUrl.reveal(), mail?.from]).toEqual([both.SMTP_URL, both.MAIL_FROM])
  expect(mail?.isTlsOptional).toBe(undefined)
  expect(parseSettings({ ...both, SMTP_TLS: 'optional' }).mail?.isTlsOptional).toBe(true)
  expect(parseSettings({}).mail).toBe(null)
  expect(problemsOf({ SMTP_URL: both.SMTP_URL })).toEqual(['MAIL_FROM: is missing, while SMTP_URL is set.'])
  expect(problemsOf({ MAIL_FROM: both.MAIL_FROM })).toEqual(['SMTP_URL: is missing, while MAIL_FROM is set.'])
})

test('a proxy is trusted only if its header is named, one hop unless said otherwise', () => {
  const header = { CLIENT_ADDRESS_HEADER: 'X-Forwarded-For' }
  expect(parseSettings({}).clientAddress).toBe(null)
  expect(parseSettings(header).clientAddress).toEqual({ header: 'x-forwarded-for', hops: 1 })
  expect(parseSettings({ ...header, CLIENT_ADDRESS_HOPS: '2' }).clientAddress?.hops).toBe(2)
  expect(problemsOf({ CLIENT_ADDRESS_HOPS: '2' })).toEqual([
    'CLIENT_ADDRESS_HEADER: is missing, while CLIENT_ADDRESS_HOPS is set.',
  ])
})

test('files of comments are in the database, or where ATTACHMENTS_DIR says', () => {
  expect(parseSettings({ DATA_DIR: '/data' }).attachmentsDir).toBeNull()
  expect(parseSettings({ ATTACHMENTS_DIR: '/files' }).attachmentsDir).toBe('/files')
})

test('answers are spooled in the data directory, or where SPOOL_DIR says', () => {
  expect(parseSettings({ DATA_DIR: '/data' }).spoolDir).toBe('/data/spool')
  expect(parseSettings({ DATA_DIR: '/data', SPOOL_DIR: '/spool' }).spoolDir).toBe('/spool')
})

test('names all wrong variables at once', () => {
  expect(problemsOf({ PORT: 'x', LOG_LEVEL: 'x' }).map((problem) => problem.split(':')[0])).toEqual([
    'PORT',
    'LOG_LEVEL',
  ])
})

test.each(['PARTNER_BASE_URL', 'PARTNER_AUTH_URL', 'PARTNER_SCIM_BASE_URL'])(
  'accepts http: in %s only for hosts that cannot leave this machine',
  (name) => {
    for (const host of ['localhost:1', '127.0.0.1:1', '127.9.9.9', '[::1]:1', 'platform.localhost'])
      expect(problemsOf({ ...PARTNER, [name]: `http://${host}` })).toEqual([])
    for (const host of ['example.com', '10.0.0.1', 'localhost.example.com', '127.0.0.1.example.com', '128.0.0.1'])
      expect(problemsOf({ ...PARTNER, [name]: `http://${host}` })[0]).toContain(
        'http: is accepted for loopback hosts only',
      )
  },
)

test.each(Object.keys(PARTNER))('refuses a half-configured partner: %s missing', (name) => {
  expect(problemsOf({ ...PARTNER, [name]: '' })).toEqual([
    `${name}: is missing, while other PARTNER_ variables are set.`,
  ])
})

test('needs no variable: each has a default or may be absent, and an empty one counts as absent', () => {
  const defaults = parseSettings({})
  expect(defaults).toMatchObject({ appUrl: 'http://localhost:3000', port: 3000, partner: null, databaseUrl: null })
  expect(parseSettings({ PORT: '', PARTNER_BASE_URL: '', LOG_LEVEL: '' })).toEqual(defaults)
})

test('derives the address from the port and the port from a loopback address, but not from a public one', () => {
  expect(parseSettings({ PORT: '4000' })).toMatchObject({ appUrl: 'http://localhost:4000', port: 4000 })
  expect(parseSettings({ APP_URL: 'http://localhost:4000' })).toMatchObject({ port: 4000 })
  expect(parseSettings({ APP_URL: 'https://books.example.com:8443' })).toMatchObject({ port: 3000 })
  expect(parseSettings({ APP_URL: 'https://books.example.com/', PORT: '8080' })).toMatchObject({
    appUrl: 'https://books.example.com',
    port: 8080,
  })
})

test('takes a whole partner as configured', () => {
  const settings = parseSettings({ ...PARTNER, PARTNER_PAGE_SIZE: '100', TOKEN_PUBLIC_KEYS: KEYS })
  expect({ ...settings.partner, clientSecret: settings.partner?.clientSecret.reveal() }).toEqual({
    name: 'Travel platform',
    baseUrl: 'https://data.example.com',
    authUrl: 'https://auth.example.com',
    scimBaseUrl: null,
    clientId: 'client',
    clientSecret: 'secret',
    scopes: 'expenses:read',
    pageSize: 100,
    callsPerSecond: 10,
  })
  expect(settings.tokenPublicKeys?.keys).toHaveLength(1)
})

test('the webhook receiver is off without a secret, and reads the configured header with one', () => {
  expect(parseSettings({}).webhook).toBeNull()
  const secret = 'a secret of the endpoint'
  const { webhook } = parseSettings({ WEBHOOK_SECRET: secret, WEBHOOK_SIGNATURE_HEADER: 'X-Platform-Signature' })
  expect([webhook?.secret.reveal(), webhook?.signatureHeader]).toEqual([secret, 'x-platform-signature'])
  expect(() => parseSettings({ WEBHOOK_SECRET: 'short' })).toThrow('WEBHOOK_SECRET')
})

test('passes our environment to a child process without what is removed', () => {
  const child = toChildEnvironment({ PATH: undefined, TIEOUT_EXTRA: 'x' })
  expect(child).toMatchObject({ TIEOUT_EXTRA: 'x' })
  expect(child).not.toHaveProperty('PATH')
})

test('the table of docs/operations.md lists every setting, and no other', () => {
  const operations = readFileSync(new URL('../docs/operations.md', import.meta.url), 'utf8')
  const [, section = ''] = /\n## Configuration\n([\s\S]*?)\n## /.exec(operations) ?? []
  const cells = [...section.matchAll(/^\| ([^|]*) \|/gm)].map(([, cell = '']) => cell)
  const documented = cells.flatMap((cell) => [...cell.matchAll(/`([A-Z_][A-Z\d_]+)`/g)].map(([, name]) => name))
  // NODE_ENV is for the tools, not for people
  expect(documented.toSorted()).toEqual(SETTING_NAMES.filter((name) => name !== 'NODE_ENV').toSorted())
})

test('a store for Parquet files needs both halves of its key, and is AWS’s unless it is named', () => {
  const key = { LAKE_S3_ACCESS_KEY_ID: 'id', LAKE_S3_SECRET_ACCESS_KEY: 'word' }
  const { lake } = parseSettings({ ...key, LAKE_S3_REGION: 'eu-central-1' })
  expect([lake?.endpoint, lake?.secretAccessKey.reveal()]).toEqual(['https://s3.eu-central-1.amazonaws.com', 'word'])
  expect(parseSettings({ ...key, LAKE_S3_ENDPOINT: 'http://127.0.0.1:9000/' }).lake?.endpoint).toBe(
    'http://127.0.0.1:9000',
  )
  expect(parseSettings({}).lake).toBeNull()
  for (const name of ['LAKE_S3_ACCESS_KEY_ID', 'LAKE_S3_SECRET_ACCESS_KEY'])
    expect(problemsOf({ ...key, [name]: '' })).toEqual([`${name}: is missing, while other LAKE_S3_ variables are set.`])
})
