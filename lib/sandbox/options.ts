import type { DataSize } from './data/account.ts'

/**
 * What happens when a just-used refresh token comes again within the grace period: the same new
 * pair, a refusal, or revocation of every token from the same consent.
 */
export type GraceMode = 'same-pair' | 'refuse' | 'revoke-family'

export type SandboxOptions = {
  /** 0 (the default) takes a free port. */
  port?: number
  host?: string
  clientId: string
  clientSecret: string
  redirectUris: string[]
  /** Scopes granted to the application. */
  scopes?: string[]
  /** The application's name on the consent page. */
  appName?: string
  size?: DataSize
  seed?: number
  /** The key of the control endpoints (X-Control-Key). */
  controlKey: string
  /** The key of the SCIM endpoints (Authorization: apikey ...). */
  scimApiKey: string
  grace?: GraceMode
  gracePeriodSeconds?: number
  /**
   * Pages are rendered once and kept as sent (lines compressed, for clients that accept it) up to
   * this many bytes; 0 (the default) renders each on request.
   */
  keptPageBytes?: number
  /**
   * The file that keeps consents and tokens over a restart; without it they end with the process.
   */
  stateFile?: string
}

export type SandboxSettings = Required<Omit<SandboxOptions, 'stateFile'>> & Pick<SandboxOptions, 'stateFile'>

const SIZES: readonly DataSize[] = ['company', 'hostile', 'large', 'huge']
export const GRACE_MODES: readonly GraceMode[] = ['same-pair', 'refuse', 'revoke-family']
const DEFAULT_SCOPES = ['expenses:read', 'trips:read', 'bookings:read', 'users:read', 'scim:read']

/** Fills in defaults; throws RangeError for a setting that cannot work. */
export function toSettings(options: SandboxOptions): SandboxSettings {
  for (const name of ['clientId', 'clientSecret', 'controlKey', 'scimApiKey'] as const) {
    if (!options[name]) throw new RangeError(`${name} is missing`)
  }
  if (options.redirectUris.length === 0) throw new RangeError('redirectUris is empty')
  const { size = 'company' } = options
  requireDataSize(size)
  if (options.grace !== undefined && !GRACE_MODES.includes(options.grace)) {
    throw new RangeError(`grace must be one of ${GRACE_MODES.join(', ')}`)
  }
  const numbers = [options.port ?? 0, options.seed ?? 0, options.gracePeriodSeconds ?? 0]
  if (!numbers.every((number) => Number.isInteger(number) && number >= 0)) {
    throw new RangeError('port, seed and gracePeriodSeconds must be whole numbers')
  }
  return {
    port: 0,
    host: '127.0.0.1',
    scopes: DEFAULT_SCOPES,
    appName: 'Tieout',
    seed: 20_260,
    grace: 'refuse',
    gracePeriodSeconds: 120,
    keptPageBytes: 0,
    ...options,
    size,
  }
}

/** @throws RangeError for a size of the data that there is not. */
export function requireDataSize(size: unknown): void {
  if (size === undefined || SIZES.some((known) => known === size)) return
  const lines = typeof size === 'object' && size !== null && 'lines' in size ? size.lines : null
  if (lines === null) throw new RangeError(`size must be one of ${SIZES.join(', ')}`)
  if (!(typeof lines === 'number' && Number.isInteger(lines) && lines >= 1 && lines <= 1_000_000))
    throw new RangeError('size.lines must be a whole number from 1 to 1000000')
}
