import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Sandbox } from './server.ts'
import {
  answerConsent,
  connect,
  control,
  openAuthorize,
  REDIRECT_URI,
  readList,
  startTestSandbox,
} from './test-support/test-client.ts'

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await startTestSandbox()
})
beforeEach(() => sandbox.reset())
afterAll(() => sandbox.close())

it('shows who asks, for which scopes, the accounts with the first chosen, and the two buttons', async () => {
  const html = await (await openAuthorize(sandbox, { scope: 'expenses:read scim:read' })).text()
  for (const piece of ['Tieout asks for access', 'expenses:read', 'scim:read', '>Allow</button>', '>Decline</button>'])
    expect(html).toContain(piece)
  expect(html).toContain('<option value="nordlicht" selected>Nordlicht Group</option><option value="meridian">')
})

it('serves the page with a trailing slash too', async () => {
  const response = await fetch((await openAuthorize(sandbox)).url.replace('/authorize?', '/authorize/?'))
  expect(response.status).toBe(200)
})

it('sends the browser back with a code and the unchanged state', async () => {
  const callback = await answerConsent(sandbox, 'allow')
  expect(callback.origin + callback.pathname).toBe(REDIRECT_URI)
  expect([...callback.searchParams.keys()]).toEqual(['code', 'state'])
  expect(callback.searchParams.get('state')).toBe('state-1')
})

it('connects the account that was chosen', async () => {
  const { access_token } = await connect(sandbox, { account: 'meridian' })
  const { profiles } = await readList(sandbox, '/profiles', access_token)
  expect(profiles.map((profile) => profile.name)).toEqual(['Meridian Works B.V.', 'Meridian Works Inc.'])
})

it('declines with an error and no code, with or without the state', async () => {
  const declined = await answerConsent(sandbox, 'decline')
  expect(declined.searchParams.get('error')).toBe('access_denied')
  expect([declined.searchParams.has('code'), declined.searchParams.get('state')]).toEqual([false, 'state-1'])
  await control(sandbox, 'POST', 'consent', { declineWithState: false })
  expect((await answerConsent(sandbox, 'decline')).searchParams.has('state')).toBe(false)
})

it('shows an error page, and redirects nowhere, for a wrong client or an unregistered address', async () => {
  const wrong: Record<string, string | null>[] = [
    { client_id: 'other' },
    { client_id: null },
    { redirect_uri: `${REDIRECT_URI}/` },
    { redirect_uri: 'https://evil.example/' },
  ]
  for (const change of wrong) {
    const response = await openAuthorize(sandbox, change)
    expect([response.status, response.headers.get('location')]).toEqual([400, null])
  }
})

it.each([
  ['a missing state', { state: null }, 'invalid_request'],
  ['an empty state', { state: '' }, 'invalid_request'],
  ['another response_type', { response_type: 'token' }, 'unsupported_response_type'],
  ['a missing scope', { scope: null }, 'invalid_scope'],
  ['a scope without permission', { scope: 'expenses' }, 'invalid_scope'],
  ['scopes separated by a comma', { scope: 'expenses:read,scim:read' }, 'invalid_scope'],
  ['two spaces', { scope: 'expenses:read  scim:read' }, 'invalid_scope'],
  ['a scope that is not granted', { scope: 'expenses:write' }, 'invalid_scope'],
])('redirects with an error for %s', async (_what, change, error) => {
  const response = await openAuthorize(sandbox, change)
  expect(response.status).toBe(302)
  expect(new URL(response.headers.get('location') ?? '').searchParams.get('error')).toBe(error)
})

it('answers each consent page once', async () => {
  const html = await (await openAuthorize(sandbox)).text()
  const consent = /name="consent" value="([^"]+)"/.exec(html)?.[1] ?? ''
  const answer = () =>
    fetch(`${sandbox.authUrl}/oauth2/authorize/decision`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ consent, decision: 'allow', account: 'nordlicht' }),
    })
  expect((await answer()).status).toBe(302)
  expect((await answer()).status).toBe(400)
})

it('answers without a click in allow mode', async () => {
  await control(sandbox, 'POST', 'consent', { mode: 'allow', account: 'meridian' })
  const response = await openAuthorize(sandbox)
  expect(new URL(response.headers.get('location') ?? '').searchParams.get('code')).toMatch(/^sbx-code-/)
})
