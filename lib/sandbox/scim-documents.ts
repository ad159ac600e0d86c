import type { JsonObject } from './data/wire/json.ts'

/** The other accepted host, over http: a client must never follow it. */
const OTHER_HOST = 'http://scim-other-host.sandbox.example/api/v2/scim'

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
const TRAVEL = 'urn:ietf:params:scim:schemas:extension:travel:2.0:User'
const EXPENSE = 'urn:ietf:params:scim:schemas:extension:expense:2.0:User'
const LIST = ['urn:ietf:params:scim:api:messages:2.0:ListResponse']

export const SERVICE_PROVIDER_CONFIG: JsonObject = {
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
  documentationUri: 'https://docs.sandbox.example/scim',
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: 100 },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: false },
  authenticationSchemes: [
    { type: 'apikey', name: 'API key', description: 'Authorization: apikey <key>', primary: true },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${OTHER_HOST}/ServiceProviderConfig` },
}

/** A ListResponse without totalResults, as some servers send it. */
export const RESOURCE_TYPES: JsonObject = {
  schemas: LIST,
  Resources: [
    {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
      id: 'User',
      name: 'User',
      endpoint: '/Users',
      description: 'User account',
      schema: USER,
      schemaExtensions: [ENTERPRISE, TRAVEL, EXPENSE].map((schema) => ({ schema, required: false })),
      meta: { resourceType: 'ResourceType', location: `${OTHER_HOST}/ResourceTypes/User` },
    },
  ],
}

type Attribute = { name: string; description: string; more?: JsonObject }

function attribute({ name, description, more }: Attribute): JsonObject {
  return {
    name,
    type: 'string',
    multiValued: false,
    description,
    required: false,
    caseExact: false,
    mutability: 'readWrite',
    returned: 'default',
    uniqueness: 'none',
    ...more,
  }
}

function schema(id: string, name: string, description: string, attributes: readonly Attribute[]): JsonObject {
  const meta = { resourceType: 'Schema', location: `${OTHER_HOST}/Schemas/${id}` }
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
    id,
    name,
    description,
    attributes: attributes.map(attribute),
    meta,
  }
}

export const SCHEMAS: JsonObject = {
  schemas: LIST,
  totalResults: 4,
  startIndex: 1,
  itemsPerPage: 4,
  Resources: [
    schema(USER, 'User', 'User account', [
      { name: 'userName', description: 'Sign-in name', more: { required: true, uniqueness: 'server' } },
      {
        name: 'name',
        description: 'Parts of the name',
        more: {
          type: 'complex',
          subAttributes: [
            attribute({ name: 'givenName', description: 'Given name' }),
            attribute({ name: 'familyName', description: 'Family name' }),
          ],
        },
      },
      {
        name: 'emails',
        description: 'Email addresses',
        more: {
          type: 'complex',
          multiValued: true,
          subAttributes: [attribute({ name: 'value', description: 'Address' })],
        },
      },
      { name: 'active', description: 'May sign in', more: { type: 'boolean' } },
      { name: 'externalId', description: 'Id at the customer' },
    ]),
    schema(ENTERPRISE, 'EnterpriseUser', 'Enterprise user', [
      { name: 'employeeNumber', description: 'Number of the employee' },
      { name: 'costCenter', description: 'Cost center' },
      { name: 'department', description: 'Department' },
      {
        name: 'manager',
        description: 'Manager',
        more: {
          type: 'complex',
          subAttributes: [attribute({ name: 'value', description: 'Id of the manager', more: { type: 'reference' } })],
        },
      },
    ]),
    schema(TRAVEL, 'TravelUser', 'Travel settings', [
      { name: 'travelPolicy', description: 'Travel policy' },
      { name: 'approver', description: 'Who approves trips' },
      { name: 'invoiceProfiles', description: 'Profiles trips may be billed to', more: { multiValued: true } },
    ]),
    schema(EXPENSE, 'ExpenseUser', 'Expense settings', [
      { name: 'expensePolicy', description: 'Expense policy' },
      { name: 'canUseExpense', description: 'May file expenses', more: { type: 'boolean' } },
    ]),
  ],
}
