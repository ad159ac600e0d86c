import { type PartnerResponse, partnerRequest } from '#lib/partner/http/http.ts'
import type { FormRequest } from '#lib/partner/oauth/oauth-requests.ts'
import { LARGEST_ANSWER_BYTES } from './spool.ts'

/** For the whole request. The lease of a refresh is longer (refresh-lease.ts). */
export const TOKEN_DEADLINE_MS = 30_000

/**
 * Asks the token endpoint, with care for codes and refresh tokens that work once: a new socket,
 * since a kept one may be half dead, and an answer bounded in time and size.
 * @throws PartnerError
 */
export function askTokenEndpoint(
  request: FormRequest,
  { deadlineMs = TOKEN_DEADLINE_MS, onSent }: { deadlineMs?: number; onSent?: () => void } = {},
): Promise<PartnerResponse> {
  return partnerRequest({
    ...request,
    // compressed, a small answer could become a large one
    headers: { ...request.headers, 'accept-encoding': 'identity' },
    deadlineMs,
    maxBytes: LARGEST_ANSWER_BYTES,
    freshConnection: true,
    onSent,
  })
}
