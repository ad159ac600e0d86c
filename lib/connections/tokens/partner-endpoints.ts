import type { PartnerSettings } from '#lib/env.ts'
import { joinPath, toTokenUrl } from '#lib/partner/oauth/oauth-requests.ts'

/** Where consent is asked, and codes and refresh tokens traded (contract, endpoints 1 to 3). */
export function toPartnerEndpoints(partner: PartnerSettings): { authorizeUrl: string; tokenUrl: string } {
  return { authorizeUrl: joinPath(partner.authUrl, '/oauth2/authorize'), tokenUrl: toTokenUrl(partner.authUrl) }
}
