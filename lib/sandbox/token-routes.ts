import type { OauthStore, TokenPair } from './oauth-store.ts'
import type { SandboxSettings } from './options.ts'
import { jsonReply, type Reply, redirectReply, type SandboxRequest } from './reply.ts'

const TOKEN_PATH = '/accounts/oauth2/token/'
const REVOKE_PATH = '/accounts/oauth2/revoke_token/'

/** The token and revoke endpoints (contract: endpoints 2 to 4); null for any other path. */
export function handleTokenRoute(request: SandboxRequest, settings: SandboxSettings, store: OauthStore): Reply | null {
  const { path } = request
  if (path === TOKEN_PATH.slice(0, -1)) return redirectReply(301, TOKEN_PATH)
  if (path === REVOKE_PATH.slice(0, -1)) return redirectReply(301, REVOKE_PATH)
  if (path !== TOKEN_PATH && path !== REVOKE_PATH) return null
  if (request.method !== 'POST')
    return {
      ...oauthError(405, 'invalid_request', 'use POST'),
      headers: { allow: 'POST', 'content-type': 'application/json' },
    }
  const form = readForm(request)
  if (path === REVOKE_PATH) {
    const { reply, outcome } =
      form instanceof URLSearchParams ? revoke(form, settings, store) : { reply: form, outcome: 'invalid_request' }
    store.countRevokeCall(outcome)
    return reply
  }
  const { reply, outcome } =
    form instanceof URLSearchParams ? issue(form, settings, store) : { reply: form, outcome: 'invalid_request' }
  const grantType = form instanceof URLSearchParams ? (form.get('grant_type') ?? 'missing') : 'unreadable'
  store.countTokenCall(grantType.slice(0, 40), outcome)
  return reply
}

type Outcome = { reply: Reply; outcome: string }

/**
 * The body's parameters; a refusal when they are not in a form body, are also in the query string,
 * or come twice.
 */
function readForm(request: SandboxRequest): URLSearchParams | Reply {
  if ([...request.query.keys()].length > 0)
    return oauthError(400, 'invalid_request', 'parameters must be in the request body')
  const contentType = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase()
  if (contentType !== 'application/x-www-form-urlencoded') {
    return oauthError(400, 'invalid_request', 'the body must be application/x-www-form-urlencoded')
  }
  const form = new URLSearchParams(request.body)
  const names = [...form.keys()]
  const doubled = names.find((name, index) => names.indexOf(name) !== index)
  return doubled === undefined ? form : oauthError(400, 'invalid_request', `parameter given twice: ${doubled}`)
}

function issue(form: URLSearchParams, settings: SandboxSettings, store: OauthStore): Outcome {
  const grantType = form.get('grant_type')
  if (!grantType) return refusal(400, 'invalid_request', 'grant_type is missing')
  const client = checkClient(form, settings)
  if (client) return client
  if (grantType !== 'authorization_code' && grantType !== 'refresh_token')
    return refusal(400, 'unsupported_grant_type', `not supported: ${grantType}`)
  const needed = grantType === 'authorization_code' ? ['code', 'redirect_uri'] : ['refresh_token']
  const missing = needed.find((name) => !form.get(name))
  if (missing) return refusal(400, 'invalid_request', `${missing} is missing`)
  const grant =
    grantType === 'authorization_code'
      ? store.exchangeCode(String(form.get('code')), String(form.get('client_id')), String(form.get('redirect_uri')))
      : store.refresh(String(form.get('refresh_token')))
  if (grant.kind === 'invalid_grant') return refusal(400, 'invalid_grant', grant.reason)
  return { reply: jsonReply(200, tokenBody(grant.pair)), outcome: 'success' }
}

function revoke(form: URLSearchParams, settings: SandboxSettings, store: OauthStore): Outcome {
  const client = checkClient(form, settings)
  if (client) return client
  const token = form.get('token')
  if (!token) return refusal(400, 'invalid_request', 'token is missing')
  const hint = form.get('token_type_hint')
  if (!hint) return refusal(400, 'invalid_request', 'token_type_hint is missing')
  if (hint !== 'refresh_token') return refusal(400, 'unsupported_token_type', 'token_type_hint must be refresh_token')
  const outcome = store.revoke(token) ? 'disabled' : 'no_effect'
  return { reply: { status: 200, headers: { 'content-length': '0' }, body: '' }, outcome }
}

function checkClient(form: URLSearchParams, settings: SandboxSettings): Outcome | null {
  const missing = ['client_id', 'client_secret'].find((name) => !form.get(name))
  if (missing) return refusal(400, 'invalid_request', `${missing} is missing`)
  if (form.get('client_id') === settings.clientId && form.get('client_secret') === settings.clientSecret) return null
  return refusal(401, 'invalid_client', 'client authentication failed')
}

function tokenBody(pair: TokenPair) {
  return {
    access_token: pair.accessToken,
    refresh_token: pair.refreshToken,
    expires_in: pair.expiresInSeconds,
    token_type: 'Bearer',
    scope: pair.scope,
  }
}

function refusal(status: number, error: string, description: string): Outcome {
  return { reply: oauthError(status, error, description), outcome: error }
}

function oauthError(status: number, error: string, description: string): Reply {
  return jsonReply(status, { error, error_description: description })
}
