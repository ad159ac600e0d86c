import { randomBytes } from 'node:crypto'
import { consentPage, refusalPage } from './consent-page.ts'
import type { OauthStore } from './oauth-store.ts'
import type { SandboxSettings } from './options.ts'
import { htmlReply, type Reply, redirectReply, type SandboxRequest } from './reply.ts'

const AUTHORIZE_PATH = '/oauth2/authorize'
const DECISION_PATH = '/oauth2/authorize/decision'
const SCOPE_FORM = /^[a-z0-9_-]+:[a-z0-9_-]+$/

/** What an open consent page will answer; the page carries only its id. */
type PendingConsent = { redirectUri: string; scope: string; state: string; clientId: string }

/** How the consent page behaves; tests can make it answer by itself. */
export type ConsentBehavior = {
  mode: 'page' | 'allow' | 'decline'
  accountId: string | null
  declineWithState: boolean
}

export type AuthorizeRoute = {
  behavior: ConsentBehavior
  /** Answers the authorization page and its form; null for any other path. */
  handle(request: SandboxRequest): Reply | null
}

export const DEFAULT_CONSENT: ConsentBehavior = { mode: 'page', accountId: null, declineWithState: true }

/** The browser part of the flow (contract: endpoint 1). */
export function createAuthorizeRoute(
  settings: SandboxSettings,
  store: OauthStore,
  listAccounts: () => readonly { id: string; name: string }[],
): AuthorizeRoute {
  const pending = new Map<string, PendingConsent>()
  const route: AuthorizeRoute = { behavior: { ...DEFAULT_CONSENT }, handle }
  return route

  function handle(request: SandboxRequest): Reply | null {
    if (request.path === DECISION_PATH) return decide(request)
    if (request.path !== AUTHORIZE_PATH && request.path !== `${AUTHORIZE_PATH}/`) return null
    if (request.method !== 'GET')
      return { ...htmlReply(405, refusalPage('This page is opened with GET.')), headers: { allow: 'GET' } }
    return begin(request.query)
  }

  function begin(query: URLSearchParams): Reply {
    const only = (name: string) => (query.getAll(name).length === 1 ? query.get(name) : null)
    if (only('client_id') !== settings.clientId)
      return htmlReply(400, refusalPage('The application is not known here (client_id).'))
    const redirectUri = only('redirect_uri')
    if (redirectUri === null || !settings.redirectUris.includes(redirectUri)) {
      return htmlReply(
        400,
        refusalPage('The address to return to is not registered for this application (redirect_uri).'),
      )
    }
    const state = only('state')
    const fail = (error: string, description: string) =>
      backTo(redirectUri, { error, error_description: description, state })
    if (!state) return fail('invalid_request', 'state is required')
    if (only('response_type') !== 'code') return fail('unsupported_response_type', 'response_type must be code')
    const scope = only('scope')
    const scopes = (scope ?? '').split(' ')
    if (scope === null || !scopes.every((each) => SCOPE_FORM.test(each)))
      return fail('invalid_scope', 'scope must be name:permission, separated by spaces')
    if (!scopes.every((each) => settings.scopes.includes(each)))
      return fail('invalid_scope', 'a scope is not granted to this application')
    const consent: PendingConsent = { redirectUri, scope: scopes.join(' '), state, clientId: settings.clientId }
    const accounts = listAccounts()
    const chosen =
      accounts.find((account) => account.id === (query.get('account') ?? route.behavior.accountId)) ?? accounts[0]
    if (route.behavior.mode !== 'page') return answer(consent, route.behavior.mode, chosen?.id ?? '')
    const id = randomBytes(12).toString('base64url')
    pending.set(id, consent)
    return htmlReply(
      200,
      consentPage({
        consentId: id,
        action: DECISION_PATH,
        appName: settings.appName,
        scopes,
        accounts,
        chosenId: chosen?.id ?? '',
      }),
    )
  }

  function decide(request: SandboxRequest): Reply {
    const form = new URLSearchParams(request.body)
    const consent = request.method === 'POST' ? pending.get(form.get('consent') ?? '') : undefined
    const decision = form.get('decision')
    if (!consent || (decision !== 'allow' && decision !== 'decline'))
      return htmlReply(400, refusalPage('This page was answered before. Start again from the application.'))
    pending.delete(form.get('consent') ?? '')
    return answer(consent, decision, form.get('account') ?? '')
  }

  function answer(consent: PendingConsent, decision: 'allow' | 'decline', accountId: string): Reply {
    const { redirectUri, state } = consent
    if (decision === 'decline') {
      store.counters.consents.declined += 1
      return backTo(redirectUri, {
        error: 'access_denied',
        error_description: 'The user declined.',
        state: route.behavior.declineWithState ? state : null,
      })
    }
    if (!listAccounts().some((account) => account.id === accountId))
      return htmlReply(400, refusalPage('That account is not known here.'))
    return backTo(redirectUri, {
      code: store.issueCode(accountId, consent.scope, consent.clientId, redirectUri),
      state,
    })
  }
}

/** A redirect to the application, with parameters added to its address's own query. */
function backTo(redirectUri: string, parameters: Record<string, string | null>): Reply {
  const url = new URL(redirectUri)
  for (const [name, value] of Object.entries(parameters)) if (value !== null) url.searchParams.set(name, value)
  return redirectReply(302, url.toString())
}
