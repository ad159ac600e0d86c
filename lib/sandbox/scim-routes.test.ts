import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Sandbox } from './server.ts'
import { startTestSandbox, TEST_SETTINGS } from './test-support/test-client.ts'

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await startTestSandbox()
})
afterAll(() => sandbox.close())

const discover = (name: string, authorization = `apikey ${TEST_SETTINGS.scimApiKey}`) =>
  fetch(`${sandbox.scimBaseUrl}/${name}`, { headers: { authorization } })

it.each(['Bearer', 'ApiKey', 'Apikey', 'APIKEY'])(
  'refuses the scheme word %s, with the status as text',
  async (scheme) => {
    const response = await discover('Schemas', `${scheme} ${TEST_SETTINGS.scimApiKey}`)
    expect(response.status).toBe(401)
    expect(await response.json()).toMatchObject({ status: '401' })
  },
)

it('refuses a wrong key and any parameter', async () => {
  expect((await discover('Schemas', 'apikey wrong')).status).toBe(401)
  expect((await discover('Schemas?count=10')).status).toBe(400)
})

it('serves the three documents as SCIM, naming another host that must not be followed', async () => {
  for (const name of ['ServiceProviderConfig', 'ResourceTypes', 'Schemas']) {
    const response = await discover(name)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/scim+json'])
    expect(await response.text()).toContain('"location":"http://scim-other-host.sandbox.example/api/v2/scim/')
  }
})

it('lists resource types without a total, and one schema each for core, enterprise, travel and expense', async () => {
  expect(await (await discover('ResourceTypes')).json()).not.toHaveProperty('totalResults')
  const schemas = (await (await discover('Schemas')).json()) as { Resources: { id: string }[] }
  expect(schemas.Resources.map(({ id }) => id.split(':').slice(-3, -2)[0])).toEqual([
    'core',
    'enterprise',
    'travel',
    'expense',
  ])
})
