import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Sandbox } from './server.ts'
import {
  answerConsent,
  callApi,
  connect,
  control,
  exchangeCode,
  postForm,
  refresh,
  revoke,
  startTestSandbox,
  TEST_SETTINGS,
  type TokenBody,
} from './test-support/test-client.ts'

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await startTestSandbox()
})
beforeEach(() => sandbox.reset())
afterAll(() => sandbox.close())

const advance = (seconds: number) => control(sandbox, 'POST', 'clock', { advanceSeconds: seconds })
const newCode = async () => (await answerConsent(sandbox, 'allow')).searchParams.get('code') ?? ''

async function errorOf(response: Response): Promise<[number, string]> {
  return [response.status, ((await response.json()) as { error: string }).error]
}

describe('token exchange', () => {
  it('answers with both tokens, the lifetime, the type and the scope', async () => {
    const body = await connect(sandbox)
    expect(body).toMatchObject({ expires_in: 3600, token_type: 'Bearer', scope: 'expenses:read' })
    expect((await callApi(sandbox, '/profiles', body.access_token)).status).toBe(200)
  })

  it('takes a code once', async () => {
    const code = await newCode()
    expect((await exchangeCode(sandbox, code)).status).toBe(200)
    expect(await errorOf(await exchangeCode(sandbox, code))).toEqual([400, 'invalid_grant'])
  })

  it('lets a code expire after a minute of its clock', async () => {
    const code = await newCode()
    await advance(61)
    expect(await errorOf(await exchangeCode(sandbox, code))).toEqual([400, 'invalid_grant'])
  })

  it('binds a code to its redirect_uri', async () => {
    const response = await exchangeCode(sandbox, await newCode(), { redirect_uri: 'http://localhost:3000/other' })
    expect(await errorOf(response)).toEqual([400, 'invalid_grant'])
  })

  it('refuses a wrong secret without spending the code', async () => {
    const code = await newCode()
    expect(await errorOf(await exchangeCode(sandbox, code, { client_secret: 'wrong' }))).toEqual([
      401,
      'invalid_client',
    ])
    expect((await exchangeCode(sandbox, code)).status).toBe(200)
  })
})

describe('the form', () => {
  it('refuses any parameter in the query string, even when the body is complete', async () => {
    const { refresh_token } = await connect(sandbox)
    const body = {
      grant_type: 'refresh_token',
      refresh_token,
      client_id: TEST_SETTINGS.clientId,
      client_secret: TEST_SETTINGS.clientSecret,
    }
    expect(await errorOf(await postForm(sandbox, '/accounts/oauth2/token/?grant_type=refresh_token', body))).toEqual([
      400,
      'invalid_request',
    ])
    expect((await postForm(sandbox, '/accounts/oauth2/token/', body)).status).toBe(200)
  })

  it('refuses JSON, a doubled parameter, a missing parameter and an unknown grant', async () => {
    const url = `${sandbox.authUrl}/accounts/oauth2/token/`
    const json = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"grant_type":"refresh_token"}',
    })
    expect(await errorOf(json)).toEqual([400, 'invalid_request'])
    const doubled = await fetch(url, {
      method: 'POST',
      body: new URLSearchParams('grant_type=refresh_token&grant_type=refresh_token'),
    })
    expect(await errorOf(doubled)).toEqual([400, 'invalid_request'])
    expect(await errorOf(await refresh(sandbox, ''))).toEqual([400, 'invalid_request'])
    expect(await errorOf(await refresh(sandbox, 'x', { grant_type: 'password' }))).toEqual([
      400,
      'unsupported_grant_type',
    ])
  })

  it('redirects a path without its slash instead of serving it', async () => {
    const response = await postForm(sandbox, '/accounts/oauth2/token', {})
    expect([response.status, response.headers.get('location')]).toEqual([301, '/accounts/oauth2/token/'])
  })
})

describe('refresh', () => {
  it('rotates: new tokens work, the used refresh token does not', async () => {
    const first = await connect(sandbox)
    const second = (await (await refresh(sandbox, first.refresh_token)).json()) as TokenBody
    expect(second.refresh_token).not.toBe(first.refresh_token)
    expect((await callApi(sandbox, '/profiles', second.access_token)).status).toBe(200)
    expect(await errorOf(await refresh(sandbox, first.refresh_token))).toEqual([400, 'invalid_grant'])
    expect((await refresh(sandbox, second.refresh_token)).status).toBe(200)
    expect(await control(sandbox, 'GET', 'state')).toMatchObject({ reuseAttempts: 1, maxSuccessesPerGeneration: 1 })
  })

  it('expires an access token after an hour and a refresh token after thirty days', async () => {
    const tokens = await connect(sandbox)
    await advance(3599)
    expect((await callApi(sandbox, '/profiles', tokens.access_token)).status).toBe(200)
    await advance(1)
    expect((await callApi(sandbox, '/profiles', tokens.access_token)).status).toBe(401)
    await advance(30 * 86_400 - 3600)
    expect(await errorOf(await refresh(sandbox, tokens.refresh_token))).toEqual([400, 'invalid_grant'])
  })

  it('same-pair: answers a replay with the same pair within the grace period, not later', async () => {
    await control(sandbox, 'POST', 'grace', { mode: 'same-pair', periodSeconds: 120 })
    const first = await connect(sandbox)
    const second = await (await refresh(sandbox, first.refresh_token)).json()
    expect(await (await refresh(sandbox, first.refresh_token)).json()).toEqual(second)
    await advance(121)
    expect(await errorOf(await refresh(sandbox, first.refresh_token))).toEqual([400, 'invalid_grant'])
  })

  it('revoke-family: a replay kills every token of the consent', async () => {
    await control(sandbox, 'POST', 'grace', { mode: 'revoke-family' })
    const first = await connect(sandbox)
    const second = (await (await refresh(sandbox, first.refresh_token)).json()) as TokenBody
    await refresh(sandbox, first.refresh_token)
    expect((await callApi(sandbox, '/profiles', second.access_token)).status).toBe(401)
    expect(await errorOf(await refresh(sandbox, second.refresh_token))).toEqual([400, 'invalid_grant'])
  })
})

describe('revoke', () => {
  it("disables only that account's integration, and answers with an empty body", async () => {
    const tokens = await connect(sandbox)
    const other = await connect(sandbox, { account: 'meridian' })
    const response = await revoke(sandbox, tokens.refresh_token)
    expect([response.status, await response.text()]).toEqual([200, ''])
    expect((await callApi(sandbox, '/profiles', tokens.access_token)).status).toBe(401)
    expect(await errorOf(await refresh(sandbox, tokens.refresh_token))).toEqual([400, 'invalid_grant'])
    expect((await callApi(sandbox, '/profiles', other.access_token)).status).toBe(200)
  })

  it('answers 200 for an unknown token and changes nothing', async () => {
    const tokens = await connect(sandbox)
    expect((await revoke(sandbox, 'unknown')).status).toBe(200)
    expect((await callApi(sandbox, '/profiles', tokens.access_token)).status).toBe(200)
  })

  it('needs the hint and the client', async () => {
    const { refresh_token, access_token } = await connect(sandbox)
    expect((await revoke(sandbox, refresh_token, { token_type_hint: '' })).status).toBe(400)
    expect((await revoke(sandbox, refresh_token, { token_type_hint: 'access_token' })).status).toBe(400)
    expect((await revoke(sandbox, refresh_token, { client_secret: 'wrong' })).status).toBe(401)
    expect((await callApi(sandbox, '/profiles', access_token)).status).toBe(200)
  })

  it('a new consent enables the integration again without reviving old tokens', async () => {
    const old = await connect(sandbox)
    await control(sandbox, 'POST', 'disable', { account: 'nordlicht' })
    expect((await callApi(sandbox, '/profiles', old.access_token)).status).toBe(401)
    const fresh = await connect(sandbox)
    expect((await callApi(sandbox, '/profiles', fresh.access_token)).status).toBe(200)
    expect((await callApi(sandbox, '/profiles', old.access_token)).status).toBe(401)
  })
})
