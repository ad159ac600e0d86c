import { toClientNetwork } from '#lib/http/client-address.ts'
import { scimError } from '#lib/http/scim-replies.ts'
import { type Directory, findDirectory } from '../directory-token.ts'
import { toThrottleHash } from '../limits/sign-in-throttle.ts'
import { countTry } from '../limits/throttle.ts'

const CHALLENGE = { 'www-authenticate': 'Bearer realm="Tieout directory"' }

/**
 * The directory that a request's bearer token names, or the refusal: 401 with a challenge, 429 with
 * `Retry-After`. Cookies count for nothing here. Without a token nobody guesses, and nothing is
 * counted. A network that shows wrong tokens makes no directory with a right one wait.
 */
export async function admitDirectory(request: Request, now: Date): Promise<Directory | Response> {
  const token = /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? null
  if (token === null) return refuse()
  const directory = await findDirectory(token, now)
  const seconds = await countTry([
    directory === null
      ? { kind: 'directory-network', key: toThrottleHash('network', toClientNetwork(request.headers)) }
      : { kind: 'directory-token', key: directory.tokenId },
  ])
  if (seconds > 0)
    return scimError(429, 'There are too many requests. Try again later.', undefined, {
      'retry-after': String(Math.max(1, Math.ceil(seconds))),
    })
  return directory ?? refuse()
}

function refuse(): Response {
  return scimError(401, 'The token is missing, unknown, expired or revoked.', undefined, CHALLENGE)
}
