import { type PartnerResponse, partnerRequest } from '#lib/partner/http/http.ts'
import type { FormRequest } from '#lib/partner/oauth/oauth-requests.ts'
import { LARGEST_ANSWER_BYTES } from './spool.ts'

/** For the whole request. The lease of a refresh is longer (refresh-lease.ts). */
export const TOKEN_DEADLINE_MS = 30_000

/**
 * Asks the token endpoint, with what a code or a refresh token that works once needs: a socket of
 * its own, since a kept one may be half dead, and an answer that is bounded in time and size.
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
