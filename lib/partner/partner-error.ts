/**
 * What went wrong with a call to the partner. On the wire: `timeout` (our deadline), `refused`
 * (nobody accepted the connection), `reset` (cut off midway), `dns`, `tls`. In the answer:
 * `redirect`, `too_large`, `bad_encoding`, `bad_body` (not the interface: HTML, truncated, no
 * list), `unauthorized` (401), `forbidden` (403), `throttled` (429, 503), `unavailable` (other
 * 5xx), `rejected` (other 4xx). Before the call: `foreign_origin` (an address outside the
 * configured partner).
 */
export const PARTNER_ERROR_KINDS = [
  'timeout',
  'refused',
  'reset',
  'dns',
  'tls',
  'redirect',
  'too_large',
  'bad_encoding',
  'bad_body',
  'unauthorized',
  'forbidden',
  'throttled',
  'unavailable',
  'rejected',
  'foreign_origin',
] as const
export type PartnerErrorKind = (typeof PARTNER_ERROR_KINDS)[number]

export type PartnerErrorDetails = {
  status?: number
  /** How long the partner asked us to wait, in milliseconds. */
  retryAfterMs?: number
  /** The beginning of the answer, masked and bounded, to show later. Never a token. */
  evidence?: string
  /** Set when the failure came before the request could leave this machine. */
  neverSent?: boolean
  cause?: unknown
}

const RETRYABLE: ReadonlySet<PartnerErrorKind> = new Set([
  'timeout',
  'refused',
  'reset',
  'dns',
  'tls',
  'too_large',
  'bad_encoding',
  'bad_body',
  'throttled',
  'unavailable',
])

/**
 * A failed call to the partner. `retryable`: the same call may succeed later. Messages never hold a
 * secret.
 */
export class PartnerError extends Error {
  readonly kind: PartnerErrorKind
  readonly retryable: boolean
  /** True if the partner certainly did not see the request; false means it may have acted on it. */
  readonly neverSent: boolean
  readonly status?: number
  readonly retryAfterMs?: number
  readonly evidence?: string

  constructor(kind: PartnerErrorKind, message: string, details: PartnerErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.name = 'PartnerError'
    this.kind = kind
    this.retryable = RETRYABLE.has(kind)
    this.neverSent = details.neverSent ?? false
    this.status = details.status
    this.retryAfterMs = details.retryAfterMs
    this.evidence = details.evidence
  }
}

/** The answer's body breaks the interface: truncated or invalid JSON, or its list is missing. */
export class PartnerBodyError extends PartnerError {
  constructor(message: string, details: PartnerErrorDetails = {}) {
    super('bad_body', message, details)
    this.name = 'PartnerBodyError'
  }
}
