/**
 * The facts of the examples in RFC 7643, sections 8.5 to 8.7.1, in its own shapes; descriptions are
 * short or absent.
 */

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group'
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

/** Section 8.5: one resource, not a list. */
export const RFC_SERVICE_PROVIDER_CONFIG = {
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
  documentationUri: 'http://example.com/help/scim.html',
  patch: { supported: true },
  bulk: { supported: true, maxOperations: 1000, maxPayloadSize: 1048576 },
  filter: { supported: true, maxResults: 200 },
  changePassword: { supported: true },
  sort: { supported: true },
  etag: { supported: true },
  authenticationSchemes: [
    {
      name: 'OAuth Bearer Token',
      description: 'OAuth Bearer Token Standard',
      specUri: 'http://www.rfc-editor.org/info/rfc6750',
      documentationUri: 'http://example.com/help/oauth.html',
      type: 'oauthbearertoken',
      primary: true,
    },
    {
      name: 'HTTP Basic',
      description: 'HTTP Basic Standard',
      specUri: 'http://www.rfc-editor.org/info/rfc2617',
      documentationUri: 'http://example.com/help/httpBasic.html',
      type: 'httpbasic',
    },
  ],
  meta: {
    location: 'https://example.com/v2/ServiceProviderConfig',
    resourceType: 'ServiceProviderConfig',
    created: '2010-01-23T04:56:22Z',
    lastModified: '2011-05-13T04:42:34Z',
    version: 'W/"3694e05e9dff594"',
  },
}

/** Section 8.6: a bare list. */
export const RFC_RESOURCE_TYPES = [
  {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
    id: 'User',
    name: 'User',
    endpoint: '/Users',
    description: 'User Account',
    schema: USER,
    schemaExtensions: [{ schema: ENTERPRISE, required: true }],
    meta: { location: 'https://example.com/v2/ResourceTypes/User', resourceType: 'ResourceType' },
  },
  {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
    id: 'Group',
    name: 'Group',
    endpoint: '/Groups',
    description: 'Group',
    schema: GROUP,
    meta: { location: 'https://example.com/v2/ResourceTypes/Group', resourceType: 'ResourceType' },
  },
]

type Facts = Record<string, unknown>

function attribute(name: string, more: Facts = {}): Facts {
  return {
    name,
    type: 'string',
    multiValued: false,
    required: false,
    caseExact: false,
    mutability: 'readWrite',
    returned: 'default',
    uniqueness: 'none',
    ...more,
  }
}

const text = (...names: string[]) => names.map((name) => attribute(name))
const primary = () => attribute('primary', { type: 'boolean' })

/** A list of `{value, display, type, primary}`, like contact members. */
function contact(name: string, types: string[] | null, valueType: Facts = {}): Facts {
  const kind = attribute('type', types === null ? {} : { canonicalValues: types })
  const subAttributes = [attribute('value', valueType), attribute('display'), kind, primary()]
  return attribute(name, { type: 'complex', multiValued: true, subAttributes })
}

function schema(id: string, name: string, attributes: Facts[]): Facts {
  return { id, name, description: name, attributes, meta: { resourceType: 'Schema', location: `/v2/Schemas/${id}` } }
}

const complex = (name: string, subAttributes: Facts[], more: Facts = {}) =>
  attribute(name, { type: 'complex', subAttributes, ...more })

/** Section 8.7.1: a bare list of schemas without the member `schemas`. */
export const RFC_SCHEMAS = [
  schema(USER, 'User', [
    attribute('userName', { required: true, uniqueness: 'server' }),
    complex('name', text('formatted', 'familyName', 'givenName', 'middleName', 'honorificPrefix', 'honorificSuffix')),
    ...text('displayName', 'nickName'),
    attribute('profileUrl', { type: 'reference', referenceTypes: ['external'] }),
    ...text('title', 'userType', 'preferredLanguage', 'locale', 'timezone'),
    attribute('active', { type: 'boolean' }),
    attribute('password', { mutability: 'writeOnly', returned: 'never' }),
    contact('emails', ['work', 'home', 'other']),
    contact('phoneNumbers', ['work', 'home', 'mobile', 'fax', 'pager', 'other']),
    contact('ims', ['aim', 'gtalk', 'icq', 'xmpp', 'msn', 'skype', 'qq', 'yahoo']),
    contact('photos', ['photo', 'thumbnail'], { type: 'reference', referenceTypes: ['external'] }),
    complex(
      'addresses',
      [
        ...text('formatted', 'streetAddress', 'locality', 'region', 'postalCode', 'country'),
        attribute('type', { canonicalValues: ['work', 'home', 'other'] }),
      ],
      { multiValued: true },
    ),
    complex(
      'groups',
      [
        attribute('value', { mutability: 'readOnly' }),
        attribute('$ref', { type: 'reference', referenceTypes: ['User', 'Group'], mutability: 'readOnly' }),
        attribute('display', { mutability: 'readOnly' }),
        attribute('type', { canonicalValues: ['direct', 'indirect'], mutability: 'readOnly' }),
      ],
      { multiValued: true, mutability: 'readOnly' },
    ),
    contact('entitlements', null),
    contact('roles', null),
    contact('x509Certificates', [], { type: 'binary' }),
  ]),
  schema(GROUP, 'Group', [
    attribute('displayName'),
    complex(
      'members',
      [
        attribute('value', { mutability: 'immutable' }),
        attribute('$ref', { type: 'reference', referenceTypes: ['User', 'Group'], mutability: 'immutable' }),
        attribute('type', { canonicalValues: ['User', 'Group'], mutability: 'immutable' }),
      ],
      { multiValued: true },
    ),
  ]),
  schema(ENTERPRISE, 'EnterpriseUser', [
    ...text('employeeNumber', 'costCenter', 'organization', 'division', 'department'),
    complex('manager', [
      attribute('value'),
      attribute('$ref', { type: 'reference', referenceTypes: ['User'] }),
      attribute('displayName', { mutability: 'readOnly' }),
    ]),
  ]),
]
