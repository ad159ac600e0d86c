import type { ScimProblem, ScimProblemCode, ScimRemark } from './scim-model.ts'

const TEXTS: Record<ScimProblemCode, string> = {
  wrong_key:
    'The platform does not accept the API key. It may be mistyped, replaced or revoked: enter the current one.',
  forbidden: 'The platform knows the API key, but does not let it read this.',
  not_found: 'The platform has nothing at this address. An operator should check PARTNER_SCIM_BASE_URL.',
  throttled: 'The platform asked us to come back later.',
  unavailable: 'The platform reported an internal error. Checking again later may help.',
  refused_request: 'The platform refused the request.',
  redirect:
    'The platform answered with a redirect to another address, which is never followed: the key would go there too.',
  not_json: 'The answer is not JSON.',
  not_scim: 'The answer is JSON, but not SCIM.',
  too_large: 'The answer exceeds our size limit.',
  timeout: 'The platform did not answer in time.',
  unreachable: 'The platform could not be reached.',
  insecure: 'No secure connection to the platform could be made.',
}

/** Why an endpoint could not be read, in one or two plain sentences for people. */
export function describeScimProblem(problem: ScimProblem): string {
  return TEXTS[problem.code]
}

/** A remark on an answer that could be read, as one sentence. */
export function describeScimRemark(remark: ScimRemark): string {
  if (remark.code === 'incomplete')
    return `The platform says there are ${remark.stated} entries, but sent ${remark.received}.`
  const entries = remark.count === 1 ? '1 entry' : `${remark.count} entries`
  return remark.code === 'unreadable_entries'
    ? `${entries} could not be read; see the answer as received.`
    : `${entries} more were sent and are not shown; see the answer as received.`
}
