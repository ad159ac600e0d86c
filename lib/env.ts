/**
 * The configuration contract (docs/operations.md, "Configuration"): the only place that reads
 * `process.env`. Web, worker and command line all parse the same variables. A wrong one stops the
 * program, with one clear sentence each.
 */
import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import * as z from 'zod'
import { isLoopbackAddress, toAddressUse } from './ip-address.ts'
import { Secret, toSecret } from './secret.ts'

/** Thrown at start when variables are missing or wrong; one sentence in `problems` for each. */
export class SettingsError extends Error {
  readonly problems: string[]
  constructor(problems: string[]) {
    super(problems.join('\n'))
    this.name = 'SettingsError'
    this.problems = problems
  }
}

/** True for hosts that cannot leave this machine (RFC 6761, 6.3; RFC 1122, 3.2.1.3). */
export function isLoopbackHost(hostname: string): boolean {
  const host = toHost(hostname)
  return host === 'localhost' || host.endsWith('.localhost') || isLoopbackAddress(host)
}

/** A host name or address as a URL has it, without brackets. */
function toHost(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '').toLowerCase()
}

const httpUrl = z
  .string()
  .refine(
    (text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol),
    'must be an http: or https: address',
  )
  .transform((text) => text.replace(/\/+$/, ''))

/** True for an address without a query or fragment, to which a path can be added. */
function isBase(text: string): boolean {
  const { search, hash } = new URL(text)
  return search === '' && hash === '' && !/[?#]/.test(text)
}

/** For `refine`: nobody's name and password stand in the address. */
const WITHOUT_USER = [
  (text: string) => new URL(text).username === '' && new URL(text).password === '',
  'must not hold a user name or password',
] as const

/** For `refine`: what looks like an address can be read as one. */
const PARSABLE = [
  (text: string) => URL.canParse(text),
  'must be an address as RFC 3986 has it: %-encode what its password has of / ? # @ [ ] %',
] as const

/** Cloud metadata and link-local hosts: they may hand out this machine's own credentials. */
function isMetadataHost(hostname: string): boolean {
  const host = toHost(hostname)
  if (isIP(host) !== 0) return toAddressUse(host) === 'never'
  return /^(metadata|metadata\.google\.internal|instance-data(\.ec2\.internal)?)\.?$/.test(host)
}

/** What goes there is not for whoever is on the way. */
const safeUrl = httpUrl.refine(
  (text) => new URL(text).protocol === 'https:' || isLoopbackHost(new URL(text).hostname),
  'must be https: (http: is accepted for loopback hosts only)',
)

const partnerUrl = safeUrl
  .refine((text) => !isMetadataHost(new URL(text).hostname), 'must not be an address of cloud metadata')
  .refine(...WITHOUT_USER)
  .refine(isBase, 'must not hold a query (?) or fragment (#)')

const jwkSetShape = z.object({ keys: z.array(z.looseObject({ kid: z.string(), kty: z.string() })).min(1) })

const jwkSet = z
  .string()
  .transform((text, context) => {
    try {
      return JSON.parse(text) as unknown
    } catch {
      context.addIssue({ code: 'custom', message: 'must be a JWK set in JSON' })
      return z.NEVER
    }
  })
  .refine((value) => jwkSetShape.safeParse(value).success, 'must be a JWK set whose keys have kid and kty')
  .pipe(jwkSetShape)

/** For the web server: a private part (`d`, RFC 7517) in it is the very thing it must not have. */
const publicJwkSet = jwkSet.refine(
  ({ keys }) => keys.every((key) => !('d' in key)),
  'must hold no private part (d); `npm run keys -- public` prints the public set',
)

/** The name of a database role as people write it, without quotes. */
const roleName = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_-]{0,62}$/, 'must be the name of a database role: letters, digits, _ and -')

const scopes = z
  .string()
  .regex(/^[\w-]+:[\w-]+( [\w-]+:[\w-]+)*$/, 'must be scopes of the form name:permission, separated by a space')

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

function wholeNumber(from: number, to: number) {
  const sentence = `must be a whole number from ${from} to ${to}`
  return z
    .string()
    .regex(/^\d{1,9}$/, sentence)
    .transform(Number)
    .refine((n) => n >= from && n <= to, sentence)
}

const databaseUrl = z
  .string()
  .regex(/^postgres(ql)?:\/\//, 'must be a postgresql:// address')
  .refine(...PARSABLE)

const schema = z.object({
  NODE_ENV: z.enum(['development', 'test', 'production'], 'must be development, test or production').optional(),
  APP_URL: httpUrl
    .refine(isBase, 'must be an origin without a query (?) or fragment (#)')
    .refine(...WITHOUT_USER)
    .refine(
      (text) => new URL(text).protocol === 'https:' || isLoopbackHost(new URL(text).hostname),
      'must be https: unless it is an address of this machine (localhost): passwords and cookies would cross the network in the clear',
    )
    .optional(),
  PORT: wholeNumber(1, 65_535).optional(),
  WEB_METRICS_PORT: wholeNumber(1, 65_535).optional(),
  WORKER_METRICS_PORT: wholeNumber(1, 65_535).optional(),
  METRICS_HOST: z
    .string()
    .refine((text) => isIP(text) !== 0, 'must be an IP address of this machine')
    .optional(),
  LISTEN_HOST: z
    .string()
    .refine((text) => isIP(text) !== 0, 'must be an IP address of this machine, e.g. 127.0.0.1 or 0.0.0.0')
    .optional(),
  DATA_DIR: z.string().default('.data'),
  SPOOL_DIR: z.string().optional(),
  ATTACHMENTS_DIR: z.string().optional(),
  DATABASE_URL: databaseUrl.optional(),
  DATABASE_DIRECT_URL: databaseUrl.optional(),
  DATABASE_OWNER_URL: databaseUrl.optional(),
  DATABASE_WEB_ROLE: roleName.optional(),
  DATABASE_WORKER_ROLE: roleName.optional(),
  SESSION_SECRET: z.string().min(32, 'must have at least 32 characters').optional(),
  PARTNER_NAME: z.string().max(60, 'must have at most 60 characters').optional(),
  PARTNER_BASE_URL: partnerUrl.optional(),
  PARTNER_AUTH_URL: partnerUrl.optional(),
  PARTNER_SCIM_BASE_URL: partnerUrl.optional(),
  PARTNER_PRIVATE_ADDRESSES: z.enum(['allowed', 'refused'], 'must be allowed or refused').default('refused'),
  PARTNER_CLIENT_ID: z.string().optional(),
  PARTNER_CLIENT_SECRET: z.string().optional(),
  PARTNER_SCOPES: scopes.default('expenses:read'),
  PARTNER_PAGE_SIZE: wholeNumber(10, 500).default(50),
  PARTNER_CALLS_PER_SECOND: wholeNumber(0, 10_000).default(10),
  WEBHOOK_SECRET: z.string().min(16, 'must have at least 16 characters').optional(),
  WEBHOOK_SIGNATURE_HEADER: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9-]{0,63}$/, 'must be the name of a header')
    .default('X-Signature'),
  CLIENT_ADDRESS_HEADER: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9-]{0,63}$/, 'must be the name of a header')
    .refine((name) => name.toLowerCase() !== 'forwarded', 'must be a header of addresses alone, as X-Forwarded-For is')
    .optional(),
  CLIENT_ADDRESS_HOPS: wholeNumber(1, 10).optional(),
  TOKEN_PUBLIC_KEYS: publicJwkSet.optional(),
  TOKEN_PRIVATE_KEYS: jwkSet.optional(),
  ADMIN_EMAIL: z.email('must be an email address').optional(),
  ADMIN_PASSWORD: z.string().min(8, 'must have at least 8 characters').optional(),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\/[^\s/]+/, 'must be an smtp:// or smtps:// address')
    .refine(...PARSABLE)
    .optional(),
  MAIL_FROM: z
    .string()
    .regex(
      /^[^\s@<>]+@[^\s@<>]+$|^[^<>\r\n]*<[^\s@<>]+@[^\s@<>]+>$/,
      'must be an email address, or a name with one in <>',
    )
    .optional(),
  SMTP_TLS: z.enum(['required', 'optional'], 'must be required or optional').default('required'),
  LAKE_S3_ENDPOINT: safeUrl
    .refine(...WITHOUT_USER)
    .refine(isBase, 'must not hold a query (?) or fragment (#)')
    .optional(),
  LAKE_S3_REGION: z
    .string()
    .regex(/^[a-z0-9-]{1,40}$/, 'must be the name of a region, such as eu-central-1')
    .default('us-east-1'),
  LAKE_S3_ACCESS_KEY_ID: z.string().optional(),
  LAKE_S3_SECRET_ACCESS_KEY: z.string().optional(),
  REQUEST_BUDGET_FACTOR: wholeNumber(1, 10_000).default(1),
  LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`).default('info'),
})

/** The names of the configuration contract, for callers that must not pass them on. */
export const SETTING_NAMES = Object.keys(schema.shape)

export type JwkSet = z.infer<typeof jwkSet>

/** What the platform is, and how this program identifies itself to it. */
export type PartnerSettings = {
  name: string
  baseUrl: string
  authUrl: string
  scimBaseUrl: string | null
  clientId: string
  clientSecret: Secret
  scopes: string
  pageSize: number
  /** The call budget of a host, shared by all workers; 0 = no limit. */
  callsPerSecond: number
}

/** Where an S3-compatible store is, and who we are there. */
export type LakeSettings = { endpoint: string; region: string; accessKeyId: string; secretAccessKey: Secret }

export type Settings = {
  appUrl: string
  port: number
  /** The address that the web server listens on. */
  listenHost: string
  /** Where each process shows its metrics; null = nowhere. */
  metrics: { host: string; webPort: number | null; workerPort: number | null }
  dataDir: string
  /** Where answers of the token endpoint stay, sealed, until the database has them. */
  spoolDir: string
  /** Where the files of comments are; null = in the database. */
  attachmentsDir: string | null
  /** The database for the role of this process; null = the embedded server. */
  databaseUrl: string | null
  /**
   * PostgreSQL itself, with the role of this process, where `databaseUrl` leads through a
   * connection pooler; null = it does not.
   */
  databaseDirectUrl: string | null
  /** The same database for the role that owns its tables; only `npm run migrate` needs it. */
  databaseOwnerUrl: string | null
  /** The roles that `npm run migrate` gives their rights; null = one role does everything. */
  databaseRoles: { web: string; worker: string } | null
  sessionSecret: Secret | null
  /** null = no `PARTNER_*` variable is set: `npm start` brings the sandbox. */
  partner: PartnerSettings | null
  /**
   * Whether the platform may be on this machine or in a private network: outside production, or
   * when the operator allows it.
   */
  mayPartnerBePrivate: boolean
  tokenPublicKeys: JwkSet | null
  tokenPrivateKeys: Secret<JwkSet> | null
  adminEmail: string | null
  adminPassword: Secret | null
  /**
   * null = no mail is sent: `SMTP_URL` is not set. `isTlsOptional`: also in the clear, when the
   * server on another machine offers nothing else and no password goes there.
   */
  mail: { smtpUrl: Secret; from: string; isTlsOptional?: boolean } | null
  /** null = the webhook receiver is off. The header's name is in lower case. */
  webhook: { secret: Secret; signatureHeader: string } | null
  /**
   * The header in which our proxies say who connected to them, and how many proxies there are; null
   * = use the socket's address.
   */
  clientAddress: { header: string; hops: number } | null
  /** null = the lake of Parquet files can only be in a folder. */
  lake: LakeSettings | null
  /** By how much each person's budget of requests is multiplied (request-kinds.ts). */
  requestBudgetFactor: number
  logLevel: z.infer<typeof schema>['LOG_LEVEL']
  isProduction: boolean
}

/**
 * Parses the configuration contract. Empty variables count as absent. Never guesses: refuses a
 * half-configured partner.
 * @throws SettingsError with one sentence per wrong variable.
 */
export function parseSettings(environment: Record<string, string | undefined>): Settings {
  const present = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  )
  const parsed = schema.safeParse(present)
  if (!parsed.success)
    throw new SettingsError(parsed.error.issues.map((issue) => `${issue.path[0]?.toString()}: ${issue.message}.`))
  const value = parsed.data
  const partner = toPartnerSettings(value)
  const isProduction = value.NODE_ENV === 'production'
  const appUrl = value.APP_URL ?? `http://localhost:${value.PORT ?? 3000}`
  if (new URL(appUrl).pathname !== '/') throw new SettingsError(['APP_URL: must be an origin without a path.'])
  const settings: Settings = {
    appUrl,
    port: value.PORT ?? portOf(appUrl),
    listenHost: value.LISTEN_HOST ?? (new URL(appUrl).hostname === '[::1]' ? '::1' : '127.0.0.1'),
    metrics: {
      host: value.METRICS_HOST ?? '127.0.0.1',
      webPort: value.WEB_METRICS_PORT ?? null,
      workerPort: value.WORKER_METRICS_PORT ?? null,
    },
    dataDir: resolve(value.DATA_DIR),
    spoolDir: resolve(value.SPOOL_DIR ?? join(value.DATA_DIR, 'spool')),
    attachmentsDir: value.ATTACHMENTS_DIR === undefined ? null : resolve(value.ATTACHMENTS_DIR),
    databaseUrl: value.DATABASE_URL ?? null,
    databaseDirectUrl: toDirectUrl(value),
    databaseOwnerUrl: value.DATABASE_OWNER_URL ?? null,
    databaseRoles: toDatabaseRoles(value),
    sessionSecret: toSecret(value.SESSION_SECRET),
    partner,
    mayPartnerBePrivate: !isProduction || value.PARTNER_PRIVATE_ADDRESSES === 'allowed',
    tokenPublicKeys: value.TOKEN_PUBLIC_KEYS ?? null,
    tokenPrivateKeys: toSecret(value.TOKEN_PRIVATE_KEYS),
    adminEmail: value.ADMIN_EMAIL?.toLowerCase() ?? null,
    adminPassword: toSecret(value.ADMIN_PASSWORD),
    mail: toMailSettings(value),
    webhook:
      value.WEBHOOK_SECRET === undefined
        ? null
        : { secret: new Secret(value.WEBHOOK_SECRET), signatureHeader: value.WEBHOOK_SIGNATURE_HEADER.toLowerCase() },
    clientAddress: toClientAddress(value),
    lake: toLakeSettings(value),
    requestBudgetFactor: value.REQUEST_BUDGET_FACTOR,
    logLevel: value.LOG_LEVEL,
    isProduction,
  }
  if (!settings.mayPartnerBePrivate) refusePrivatePartner(settings)
  return settings
}

/**
 * @throws SettingsError for each address of the partner that says by itself that it is this
 * machine, or special-purpose. Names are judged when they are resolved (lib/partner/http).
 */
function refusePrivatePartner({ partner }: Settings): void {
  if (partner === null) return
  const addresses = {
    PARTNER_BASE_URL: partner.baseUrl,
    PARTNER_AUTH_URL: partner.authUrl,
    PARTNER_SCIM_BASE_URL: partner.scimBaseUrl,
  }
  const problems = Object.entries(addresses)
    .filter(([, url]) => url !== null && isPrivateHost(new URL(url).hostname))
    .map(([name]) => `${name}: ${PRIVATE_SENTENCE}`)
  if (problems.length > 0) throw new SettingsError(problems)
}

const PRIVATE_SENTENCE =
  'must not be of this machine or a private network in production; PARTNER_PRIVATE_ADDRESSES=allowed accepts it.'

function isPrivateHost(hostname: string): boolean {
  const host = toHost(hostname)
  return isLoopbackHost(host) || (isIP(host) !== 0 && toAddressUse(host) !== 'public')
}

function portOf(appUrl: string): number {
  const { port, hostname } = new URL(appUrl)
  return port !== '' && isLoopbackHost(hostname) ? Number(port) : 3000
}

function toDirectUrl(value: z.infer<typeof schema>): string | null {
  if (value.DATABASE_DIRECT_URL !== undefined && value.DATABASE_URL === undefined)
    throw new SettingsError(['DATABASE_URL: is missing, while DATABASE_DIRECT_URL is set.'])
  return value.DATABASE_DIRECT_URL ?? null
}

function toDatabaseRoles(value: z.infer<typeof schema>): Settings['databaseRoles'] {
  const { DATABASE_WEB_ROLE: web, DATABASE_WORKER_ROLE: worker } = value
  if (web === undefined && worker === undefined) return null
  if (web === undefined) throw new SettingsError(['DATABASE_WEB_ROLE: is missing, while DATABASE_WORKER_ROLE is set.'])
  if (worker === undefined)
    throw new SettingsError(['DATABASE_WORKER_ROLE: is missing, while DATABASE_WEB_ROLE is set.'])
  if (web === worker) throw new SettingsError(['DATABASE_WORKER_ROLE: must be another role than DATABASE_WEB_ROLE.'])
  return { web, worker }
}

function toMailSettings({ SMTP_URL, MAIL_FROM, SMTP_TLS }: z.infer<typeof schema>): Settings['mail'] {
  if (SMTP_URL === undefined && MAIL_FROM === undefined) return null
  if (SMTP_URL === undefined) throw new SettingsError(['SMTP_URL: is missing, while MAIL_FROM is set.'])
  if (MAIL_FROM === undefined) throw new SettingsError(['MAIL_FROM: is missing, while SMTP_URL is set.'])
  return { smtpUrl: new Secret(SMTP_URL), from: MAIL_FROM, ...(SMTP_TLS === 'optional' && { isTlsOptional: true }) }
}

function toLakeSettings(value: z.infer<typeof schema>): LakeSettings | null {
  const { LAKE_S3_REGION: region, LAKE_S3_ACCESS_KEY_ID: id, LAKE_S3_SECRET_ACCESS_KEY: secret } = value
  const endpoint = value.LAKE_S3_ENDPOINT ?? `https://s3.${region}.amazonaws.com`
  if (id !== undefined && secret !== undefined)
    return { endpoint, region, accessKeyId: id, secretAccessKey: new Secret(secret) }
  if (id === undefined && secret === undefined && value.LAKE_S3_ENDPOINT === undefined) return null
  const missing = id === undefined ? 'LAKE_S3_ACCESS_KEY_ID' : 'LAKE_S3_SECRET_ACCESS_KEY'
  throw new SettingsError([`${missing}: is missing, while other LAKE_S3_ variables are set.`])
}

function toClientAddress(value: z.infer<typeof schema>): Settings['clientAddress'] {
  const { CLIENT_ADDRESS_HEADER: header, CLIENT_ADDRESS_HOPS: hops } = value
  if (header !== undefined) return { header: header.toLowerCase(), hops: hops ?? 1 }
  if (hops === undefined) return null
  throw new SettingsError(['CLIENT_ADDRESS_HEADER: is missing, while CLIENT_ADDRESS_HOPS is set.'])
}

function toPartnerSettings(value: z.infer<typeof schema>): PartnerSettings | null {
  const required = ['PARTNER_BASE_URL', 'PARTNER_AUTH_URL', 'PARTNER_CLIENT_ID', 'PARTNER_CLIENT_SECRET'] as const
  // the address of SCIM alone would be taken for a platform, and be the sandbox's
  const isAnySet = [...required, 'PARTNER_SCIM_BASE_URL' as const].some((name) => value[name] !== undefined)
  if (!isAnySet) return null
  const missing = required.filter((name) => value[name] === undefined)
  if (missing.length > 0)
    throw new SettingsError(missing.map((name) => `${name}: is missing, while other PARTNER_ variables are set.`))
  return {
    name: value.PARTNER_NAME ?? 'Travel platform',
    baseUrl: value.PARTNER_BASE_URL as string,
    authUrl: value.PARTNER_AUTH_URL as string,
    scimBaseUrl: value.PARTNER_SCIM_BASE_URL ?? null,
    clientId: value.PARTNER_CLIENT_ID as string,
    clientSecret: new Secret(value.PARTNER_CLIENT_SECRET as string),
    scopes: value.PARTNER_SCOPES,
    pageSize: value.PARTNER_PAGE_SIZE,
    callsPerSecond: value.PARTNER_CALLS_PER_SECOND,
  }
}

/** A public key set from elsewhere, e.g. a file. @throws SettingsError naming `source`. */
export function parsePublicKeys(source: string, text: string): JwkSet {
  return parseKeySet(publicJwkSet, source, text)
}

/** A private key set from elsewhere, e.g. a file. @throws SettingsError naming `source`. */
export function parsePrivateKeys(source: string, text: string): JwkSet {
  return parseKeySet(jwkSet, source, text)
}

function parseKeySet(shape: z.ZodType<JwkSet>, source: string, text: string): JwkSet {
  const parsed = shape.safeParse(text)
  if (!parsed.success) throw new SettingsError(parsed.error.issues.map(({ message }) => `${source}: ${message}.`))
  return parsed.data
}

let current: Settings | undefined

/** This process's settings, parsed once. @throws SettingsError */
export function settings(): Settings {
  current ??= parseSettings(process.env)
  return current
}

/** Where the platform sends the browser back (configuration contract; registered there). */
export function redirectUri(appUrl: string): string {
  return `${appUrl}/api/auth/callback/partner`
}

/** A setting that this process cannot do without. @throws SettingsError */
export function requireSetting<
  K extends 'databaseUrl' | 'sessionSecret' | 'partner' | 'tokenPublicKeys' | 'tokenPrivateKeys',
>(name: K): NonNullable<Settings[K]> {
  const value = settings()[name]
  if (value === null) throw new SettingsError([`${VARIABLE_OF[name]}: is missing; this process cannot do without it.`])
  return value as NonNullable<Settings[K]>
}

const VARIABLE_OF = {
  databaseUrl: 'DATABASE_URL',
  sessionSecret: 'SESSION_SECRET',
  partner: 'PARTNER_BASE_URL',
  tokenPublicKeys: 'TOKEN_PUBLIC_KEYS',
  tokenPrivateKeys: 'TOKEN_PRIVATE_KEYS',
}

/** next-auth reads address and secret from the environment: ours, never from Host headers. */
export function provideNextAuthEnvironment(): void {
  process.env.NEXTAUTH_URL = settings().appUrl
  process.env.NEXTAUTH_SECRET = requireSetting('sessionSecret').reveal()
}

/** Our environment for a child process, with `changes` on top; undefined removes a variable. */
export function toChildEnvironment(changes: Record<string, string | undefined>): NodeJS.ProcessEnv {
  const kept = Object.entries({ ...process.env, ...changes }).filter(([, value]) => value !== undefined)
  return Object.fromEntries(kept) as NodeJS.ProcessEnv
}
