import { processWide } from '#lib/process-wide.ts'
import { askProvider, isProviderUrl, ProviderError } from './provider-http.ts'

/** What a provider says about itself (OpenID Connect Discovery 1.0, 3), as far as it is used. */
export type ProviderMetadata = {
  issuer: string
  authorizationEndpoint: string
  tokenEndpoint: string
  jwksUri: string
  userinfoEndpoint: string | null
}

const KEPT_MS = 10 * 60_000
const MAX_KEPT = 200

type Kept = { metadata: ProviderMetadata; at: number }

/**
 * What the provider of an issuer says about itself, at most ten minutes old. The issuer that it
 * states must be the one that was asked for, to the letter.
 * @throws ProviderError
 */
export async function discover(issuer: string, now: Date): Promise<ProviderMetadata> {
  const providers = processWide('tieoutProviders', () => new Map<string, Kept>())
  const kept = providers.get(issuer)
  if (kept !== undefined && now.getTime() - kept.at < KEPT_MS) return kept.metadata
  const metadata = await readMetadata(issuer)
  if (metadata.issuer !== issuer) throw new ProviderError('the provider states another issuer')
  if (providers.size >= MAX_KEPT) providers.clear()
  providers.set(issuer, { metadata, at: now.getTime() })
  return metadata
}

/**
 * The issuer as its provider writes it: with or without a slash at the end, which people leave out.
 * @throws ProviderError when it states another one, or does not answer.
 */
export async function findIssuer(typed: string): Promise<string> {
  const { issuer } = await readMetadata(typed)
  if (withoutSlash(issuer) !== withoutSlash(typed)) throw new ProviderError('the provider states another issuer')
  return issuer
}

async function readMetadata(issuer: string): Promise<ProviderMetadata> {
  const answer = await askProvider({ url: `${withoutSlash(issuer)}/.well-known/openid-configuration` })
  const { authorization_endpoint, token_endpoint, jwks_uri, userinfo_endpoint } = answer
  if (typeof answer.issuer !== 'string') throw new ProviderError('the provider states no issuer')
  if (!isProviderUrl(authorization_endpoint) || !isProviderUrl(token_endpoint) || !isProviderUrl(jwks_uri))
    throw new ProviderError('the provider states addresses that it may not have')
  return {
    issuer: answer.issuer,
    authorizationEndpoint: authorization_endpoint,
    tokenEndpoint: token_endpoint,
    jwksUri: jwks_uri,
    userinfoEndpoint: isProviderUrl(userinfo_endpoint) ? userinfo_endpoint : null,
  }
}

function withoutSlash(text: string): string {
  return text.replace(/\/+$/, '')
}
