import { type Sandbox, type SandboxOptions, startSandbox } from '../server.ts'

export const TEST_SETTINGS = {
  clientId: 'client-under-test',
  clientSecret: 'secret-under-test',
  redirectUris: ['http://localhost:3000/api/auth/callback/partner'],
  controlKey: 'control-key-under-test',
  scimApiKey: 'scim-key-under-test',
} satisfies SandboxOptions

export const REDIRECT_URI = TEST_SETTINGS.redirectUris[0] ?? ''

/** A sandbox on a free port for one test file, which closes it. */
export function startTestSandbox(more: Partial<SandboxOptions> = {}): Promise<Sandbox> {
  return startSandbox({ ...TEST_SETTINGS, size: 'hostile', ...more })
}

/** Calls a control endpoint; throws unless it answers 200. */
export async function control<T>(
  sandbox: Sandbox,
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body?: unknown,
): Promise<T> {
  const response = await fetch(`${sandbox.url}/control/${path}`, {
    method,
    headers: { 'x-control-key': TEST_SETTINGS.controlKey },
    body: body === undefined ? undefined : JSON.stringify(body),
  })
  if (response.status !== 200) throw new Error(`control ${path}: ${response.status} ${await response.text()}`)
  return (await response.json()) as T
}

/** Opens the authorization address and follows no redirect. */
export function openAuthorize(sandbox: Sandbox, change: Record<string, string | null> = {}): Promise<Response> {
  const url = new URL(`${sandbox.authUrl}/oauth2/authorize`)
  const usual = {
    client_id: TEST_SETTINGS.clientId,
    redirect_uri: REDIRECT_URI,
    scope: 'expenses:read',
    response_type: 'code',
    state: 'state-1',
  }
  for (const [name, value] of Object.entries({ ...usual, ...change }))
    if (value !== null) url.searchParams.set(name, value)
  return fetch(url, { redirect: 'manual' })
}

/** Consents on the real page (fetches it, posts its form); returns the address of the redirect. */
export async function answerConsent(
  sandbox: Sandbox,
  decision: 'allow' | 'decline',
  { account, scope = 'expenses:read' }: { account?: string; scope?: string } = {},
): Promise<URL> {
  const html = await (await openAuthorize(sandbox, { scope })).text()
  const consent = /name="consent" value="([^"]+)"/.exec(html)?.[1] ?? ''
  const preselected = /<option value="([^"]+)" selected>/.exec(html)?.[1] ?? ''
  const response = await fetch(`${sandbox.authUrl}/oauth2/authorize/decision`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ consent, decision, account: account ?? preselected }),
  })
  return new URL(response.headers.get('location') ?? '')
}

export type TokenBody = {
  access_token: string
  refresh_token: string
  expires_in: number
  token_type: string
  scope: string
  error?: string
}

export function postForm(sandbox: Sandbox, path: string, parameters: Record<string, string>): Promise<Response> {
  return fetch(sandbox.authUrl + path, { method: 'POST', redirect: 'manual', body: new URLSearchParams(parameters) })
}

const CLIENT = { client_id: TEST_SETTINGS.clientId, client_secret: TEST_SETTINGS.clientSecret }

export function exchangeCode(sandbox: Sandbox, code: string, change: Record<string, string> = {}): Promise<Response> {
  return postForm(sandbox, '/accounts/oauth2/token/', {
    grant_type: 'authorization_code',
    code,
    redirect_uri: REDIRECT_URI,
    ...CLIENT,
    ...change,
  })
}

export function refresh(
  sandbox: Sandbox,
  refreshToken: string,
  change: Record<string, string> = {},
): Promise<Response> {
  return postForm(sandbox, '/accounts/oauth2/token/', {
    grant_type: 'refresh_token',
    refresh_token: refreshToken,
    ...CLIENT,
    ...change,
  })
}

export function revoke(sandbox: Sandbox, token: string, change: Record<string, string> = {}): Promise<Response> {
  return postForm(sandbox, '/accounts/oauth2/revoke_token/', {
    token_type_hint: 'refresh_token',
    token,
    ...CLIENT,
    ...change,
  })
}

/** The whole flow: consent, code, tokens. */
export async function connect(
  sandbox: Sandbox,
  options: { account?: string; scope?: string } = {},
): Promise<TokenBody> {
  const callback = await answerConsent(sandbox, 'allow', options)
  const response = await exchangeCode(sandbox, callback.searchParams.get('code') ?? '')
  return (await response.json()) as TokenBody
}

/** A data API call with both required headers; null leaves a header out. */
export function callApi(
  sandbox: Sandbox,
  path: string,
  token: string | null,
  apiVersion: string | null = '1',
): Promise<Response> {
  const headers: Record<string, string> = {}
  if (token !== null) headers.authorization = `Bearer ${token}`
  if (apiVersion !== null) headers['api-version'] = apiVersion
  return fetch(sandbox.baseUrl + path, { headers })
}

export type Listed = {
  total: number
  invoice_lines: WireRow[]
  invoices: WireRow[]
  profiles: WireRow[]
  offset: unknown
  limit: unknown
}
export type WireRow = Record<string, unknown>

export async function readList(sandbox: Sandbox, path: string, token: string): Promise<Listed> {
  const response = await callApi(sandbox, path, token)
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return (await response.json()) as Listed
}

/** Every record of a list, page by page. */
export async function readAll(
  sandbox: Sandbox,
  path: string,
  key: 'invoice_lines' | 'invoices',
  token: string,
): Promise<WireRow[]> {
  const rows: WireRow[] = []
  for (;;) {
    const page = await readList(
      sandbox,
      `${path}${path.includes('?') ? '&' : '?'}offset=${rows.length}&limit=50`,
      token,
    )
    rows.push(...page[key])
    if (page[key].length === 0 || rows.length >= page.total) return rows
  }
}
