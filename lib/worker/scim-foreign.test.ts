/** SCIM servers we did not write: scimmy's declared resources, and RFC 7643's examples. */

import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import SCIMMY from 'scimmy'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { personOf } from '#lib/audit/test-support/test-actor.ts'
import { requestScimCheck } from '#lib/connections/scim/scim-checks.ts'
import { getScimDiscovery } from '#lib/connections/scim/scim-discovery.ts'
import { storeScimKey } from '#lib/connections/tokens/scim-key.ts'
import { generateTokenKeys } from '#lib/connections/tokens/vault.ts'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import { seedConnection, seedOrganization } from '#lib/ledger/test-support/seed.ts'
import type { ScimAttribute, ScimEndpoint } from '#lib/partner/scim/scim-model.ts'
import { parseResourceTypes } from '#lib/partner/scim/scim-resource-types.ts'
import { isExtensionSchema, parseSchemas } from '#lib/partner/scim/scim-schemas.ts'
import { parseServiceConfig } from '#lib/partner/scim/scim-service-config.ts'
import {
  RFC_RESOURCE_TYPES,
  RFC_SCHEMAS,
  RFC_SERVICE_PROVIDER_CONFIG,
} from '#lib/partner/test-support/rfc7643.test-data.ts'
import { runDueScimChecks } from './scim-job.ts'

const KEY = 'key-of-a-foreign-server'

let database: TestDatabase
const servers: Server[] = []
beforeAll(async () => {
  database = await createTestDatabase()
})
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})
afterAll(() => database.drop())

/** Serves one document per endpoint below /api/v2/scim to any client with the key. */
async function serve(documents: Record<ScimEndpoint, unknown>): Promise<string> {
  const server = createServer((request, response) => {
    const document = documents[(request.url ?? '').replace('/api/v2/scim/', '') as ScimEndpoint]
    const isKnown = request.headers.authorization === `apikey ${KEY}`
    const status = !isKnown ? 401 : document === undefined ? 404 : 200
    response.writeHead(status, { 'content-type': 'application/scim+json; charset=utf-8' })
    response.end(JSON.stringify(status === 200 ? document : { status, detail: 'no' }))
  }).listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v2/scim`
}

/** Discovers through the whole path (key, wish, worker, HTTP, database) and reads what was kept. */
async function discover(documents: Record<ScimEndpoint, unknown>) {
  const { publicKeys, privateKeys } = await generateTokenKeys()
  const owner = await seedOrganization(database.query)
  const connectionId = await seedConnection(database.query, owner)
  await storeScimKey(owner.organizationId, connectionId, KEY, { changedBy: personOf(owner.userId), publicKeys })
  await requestScimCheck(owner.organizationId, connectionId, personOf(owner.userId))
  await runDueScimChecks({ scimBaseUrl: await serve(documents), privateKeys }, new AbortController().signal)
  const { endpoints } = (await getScimDiscovery(owner.organizationId, connectionId)) ?? { endpoints: [] }
  expect(endpoints.map(({ problem }) => problem)).toEqual([null, null, null])
  const raw = (index: number) => endpoints[index]?.answers[0]?.raw ?? ''
  const [config, types, schemas] = [parseServiceConfig(raw(0)), parseResourceTypes(raw(1)), parseSchemas(raw(2))]
  if (!config.ok || !types.ok || !schemas.ok) throw new Error('a kept answer cannot be parsed')
  expect([config.remarks, types.remarks, schemas.remarks]).toEqual([[], [], []])
  return { config: config.value, types: types.value, schemas: schemas.value }
}

/** Attribute paths as SCIM writes them: `emails.value`. */
function toPaths(attributes: ScimAttribute[], prefix = ''): string[] {
  return attributes.flatMap(({ name, subAttributes }) => [
    prefix + name,
    ...toPaths(subAttributes, `${prefix}${name}.`),
  ])
}

it('discovers what scimmy declares: operations, types, schemas with every attribute, and an extension', async () => {
  const travel = new SCIMMY.Types.SchemaDefinition(
    'Travel',
    'urn:ietf:params:scim:schemas:extension:travel:2.0:User',
    'Travel',
    [
      new SCIMMY.Types.Attribute('string', 'policy', { canonicalValues: ['gold', 'silver'] }),
      new SCIMMY.Types.Attribute('complex', 'approvers', { multiValued: true }, [
        new SCIMMY.Types.Attribute('reference', '$ref', { referenceTypes: ['User'] }),
      ]),
    ],
  )
  SCIMMY.Resources.declare(SCIMMY.Resources.User)
  SCIMMY.Resources.declare(SCIMMY.Resources.Group)
  SCIMMY.Resources.User.extend(SCIMMY.Schemas.EnterpriseUser, true)
  class TravelUser extends SCIMMY.Types.Schema {
    static override get definition() {
      return travel
    }
  }
  SCIMMY.Resources.User.extend(TravelUser)
  SCIMMY.Config.set({ patch: true, bulk: { supported: true, maxOperations: 50, maxPayloadSize: 1000 } })
  const { config, types, schemas } = await discover({
    ServiceProviderConfig: await new SCIMMY.Resources.ServiceProviderConfig().read(),
    ResourceTypes: await new SCIMMY.Resources.ResourceType().read(),
    Schemas: await new SCIMMY.Resources.Schema().read(),
  })
  expect(config.operations.map(({ name, isSupported }) => `${name} ${isSupported}`)).toEqual([
    'patch true',
    'bulk true',
    'filter false',
    'changePassword false',
    'sort false',
    'etag false',
  ])
  expect(
    types.map(({ name, endpoint, extensions }) => [name, endpoint, extensions.map(({ isRequired }) => isRequired)]),
  ).toEqual([
    ['User', '/Users', [true, false]],
    ['Group', '/Groups', []],
  ])
  expect(schemas.map(({ id }) => [id, isExtensionSchema(id, types)])).toEqual([
    ['urn:ietf:params:scim:schemas:core:2.0:User', false],
    ['urn:ietf:params:scim:schemas:core:2.0:Group', false],
    ['urn:ietf:params:scim:schemas:extension:enterprise:2.0:User', true],
    ['urn:ietf:params:scim:schemas:extension:travel:2.0:User', true],
  ])
  const declared = SCIMMY.Schemas.User.definition.describe() as unknown as { attributes: unknown[] }
  expect(schemas[0]?.attributes).toHaveLength(declared.attributes.length)
  expect(toPaths(schemas[0]?.attributes ?? [])).toEqual(
    expect.arrayContaining(['userName', 'name.familyName', 'emails.type', 'x509Certificates.value']),
  )
  expect(schemas[3]?.attributes).toMatchObject([
    { name: 'policy', canonicalValues: ['gold', 'silver'], isMultiValued: false },
    {
      name: 'approvers',
      isMultiValued: true,
      subAttributes: [{ name: '$ref', type: 'reference', referenceTypes: ['User'] }],
    },
  ])
})

it('discovers the examples of RFC 7643, 8.5 to 8.7: one resource and two bare lists', async () => {
  const { config, types, schemas } = await discover({
    ServiceProviderConfig: RFC_SERVICE_PROVIDER_CONFIG,
    ResourceTypes: RFC_RESOURCE_TYPES,
    Schemas: RFC_SCHEMAS,
  })
  expect(config.operations.every(({ isSupported }) => isSupported)).toBe(true)
  expect(types.map(({ name }) => name)).toEqual(['User', 'Group'])
  expect(schemas.map(({ attributes }) => toPaths(attributes).length)).toEqual([66, 5, 9])
})
