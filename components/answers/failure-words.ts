import type { PartnerErrorKind } from '#lib/partner/partner-error.ts'

/**
 * Why a call to the platform failed, in a few words. The platform's own words stand beside, as
 * evidence.
 */
export const FAILURE_WORDS: Record<PartnerErrorKind, string> = {
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
  unavailable: 'Failed on its side',
  rejected: 'Refused the request',
  foreign_origin: 'Not the platform’s address',
}
