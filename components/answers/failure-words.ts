import type { PartnerErrorKind } from '#lib/partner/partner-error.ts'

/**
 * Why a call to the platform failed, in a few words. The platform's own words stand beside, as
 * evidence.
 */
const FAILURE_WORDS: Record<PartnerErrorKind, string> = {
  timeout: 'No response in time',
  refused: 'Nobody answered',
  reset: 'Cut off midway',
  dns: 'Host name not found',
  tls: 'No secure connection',
  redirect: 'Led elsewhere',
  too_large: 'Too large',
  bad_encoding: 'Could not be decompressed',
  bad_body: 'Unexpected response',
  unauthorized: 'Refused: not signed in',
  forbidden: 'Refused: scope not granted',
  throttled: 'Asked to wait',
  unavailable: 'Platform unavailable',
  rejected: 'Refused the request',
  foreign_origin: 'Not the platform’s address',
}

/**
 * `Platform unavailable (503)`. A status from 500 on is the platform's trouble, also where it asks
 * to wait.
 */
export function sayFailure({ kind, httpStatus }: { kind: string; httpStatus: number | null }): string {
  const isDown = kind === 'throttled' && httpStatus !== null && httpStatus >= 500
  const known = isDown ? 'unavailable' : kind
  const words = Object.hasOwn(FAILURE_WORDS, known) ? FAILURE_WORDS[known as PartnerErrorKind] : kind
  return httpStatus === null ? words : `${words} (${httpStatus})`
}
