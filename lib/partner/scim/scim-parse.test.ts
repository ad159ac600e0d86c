import fc from 'fast-check'
import { expect, it } from 'vitest'
import { RFC_RESOURCE_TYPES, RFC_SCHEMAS, RFC_SERVICE_PROVIDER_CONFIG } from '../test-support/rfc7643.test-data.ts'
import { compareScimAnswers } from './scim-diff.ts'
import { parseScimJson, readScimErrorStatus } from './scim-list.ts'
import { SCIM_ENDPOINTS, type ScimParsed } from './scim-model.ts'
import { parseResourceTypes } from './scim-resource-types.ts'
import { isExtensionSchema, parseSchemas } from './scim-schemas.ts'
import { parseServiceConfig } from './scim-service-config.ts'

const text = (value: unknown) => JSON.stringify(value)

function requireValue<T>(parsed: ScimParsed<T>): T {
  if (!parsed.ok) throw new Error(parsed.reason)
  return parsed.value
}

it('reads the example of RFC 7643, 8.5: what is supported, its limits, how to authenticate', () => {
  const config = requireValue(parseServiceConfig(text(RFC_SERVICE_PROVIDER_CONFIG)))
  expect(config.operations.map(({ name, isSupported }) => [name, isSupported])).toEqual(
    ['patch', 'bulk', 'filter', 'changePassword', 'sort', 'etag'].map((name) => [name, true]),
  )
  expect(config.operations[1]?.limits).toEqual([
    { name: 'maxOperations', value: '1000' },
    { name: 'maxPayloadSize', value: '1048576' },
  ])
  expect(config.authenticationSchemes.map(({ type, isPrimary }) => [type, isPrimary])).toEqual([
    ['oauthbearertoken', true],
    ['httpbasic', false],
  ])
  expect(config).toMatchObject({ documentationUri: 'http://example.com/help/scim.html', others: [] })
})

it('reads the example of RFC 7643, 8.6, a bare list: types with their extensions', () => {
  expect(requireValue(parseResourceTypes(text(RFC_RESOURCE_TYPES)))).toMatchObject([
    {
      name: 'User',
      endpoint: '/Users',
      extensions: [{ schema: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User', isRequired: true }],
    },
    { name: 'Group', endpoint: '/Groups', extensions: [] },
  ])
})

it('reads the example of RFC 7643, 8.7.1: every attribute with its characteristics, and which schemas are extensions', () => {
  const types = requireValue(parseResourceTypes(text(RFC_RESOURCE_TYPES)))
  const schemas = requireValue(parseSchemas(text(RFC_SCHEMAS)))
  expect(
    schemas.map(({ id, attributes }) => [id.split(':').at(-3), attributes.length, isExtensionSchema(id, types)]),
  ).toEqual([
    ['core', 21, false],
    ['core', 2, false],
    ['enterprise', 6, true],
  ])
  const [user] = schemas
  const named = (name: string) => user?.attributes.find((attribute) => attribute.name === name)
  expect(named('userName')).toMatchObject({ isRequired: true, uniqueness: 'server', isMultiValued: false })
  expect(named('password')).toMatchObject({ mutability: 'writeOnly', returned: 'never' })
  expect(named('emails')).toMatchObject({ type: 'complex', isMultiValued: true })
  expect(named('emails')?.subAttributes.map(({ name }) => name)).toEqual(['value', 'display', 'type', 'primary'])
  expect(named('ims')?.subAttributes[2]?.canonicalValues).toContain('xmpp')
  expect(named('profileUrl')?.referenceTypes).toEqual(['external'])
})

it.each([
  ['a list response with its total', { totalResults: 3, Resources: RFC_SCHEMAS }],
  ['a list response without totals', { Resources: RFC_SCHEMAS }],
  ['member names in lower case', { totalresults: '3', resources: RFC_SCHEMAS }],
  ['a bare list', RFC_SCHEMAS],
])('reads the same schemas from %s', (_, body) => {
  expect(parseSchemas(text(body))).toEqual({
    ok: true,
    value: requireValue(parseSchemas(text(RFC_SCHEMAS))),
    remarks: [],
  })
})

it('reads one resource instead of a list, and a configuration inside a list', () => {
  expect(requireValue(parseSchemas(text(RFC_SCHEMAS[2])))).toHaveLength(1)
  expect(requireValue(parseResourceTypes(text({ Resources: RFC_RESOURCE_TYPES[0] })))).toHaveLength(1)
  expect(
    requireValue(parseServiceConfig(text({ Resources: [RFC_SERVICE_PROVIDER_CONFIG] }))).operations[0]?.isSupported,
  ).toBe(true)
})

it('takes member names in any case and flags written as text, and keeps unknown members', () => {
  const config = requireValue(
    parseServiceConfig(
      '\uFEFF{"Patch":{"Supported":"TRUE"},"eTag":false,"documentationUrl":"x","__proto__":{"a":1},"constructor":12345678901234567890}',
    ),
  )
  expect(config.operations.filter(({ isSupported }) => isSupported !== null)).toEqual([
    { name: 'patch', isSupported: true, limits: [] },
    { name: 'etag', isSupported: false, limits: [] },
  ])
  expect(config.others).toEqual([
    { name: 'documentationUrl', value: 'x' },
    { name: '__proto__', value: '{"a":1}' },
    { name: 'constructor', value: '12345678901234567890' },
  ])
})

it('says when entries are missing, and how many could not be read', () => {
  const body = { totalResults: 9, Resources: [RFC_SCHEMAS[2], null, { id: 'x' }, { id: 'y', attributes: [{}] }] }
  const parsed = parseSchemas(text(body))
  expect(requireValue(parsed)).toHaveLength(2)
  expect(parsed).toMatchObject({
    remarks: [
      { code: 'unreadable_entries', count: 1 },
      { code: 'incomplete', stated: '9', received: 4 },
      { code: 'unreadable_entries', count: 2 },
    ],
  })
})

it.each(['', '<html>', '"text"', '12', '{}', '{"Resources":"none"}', 'null', '[', '{"a":{"b":1}}'])(
  'refuses %j with a reason',
  (body) => {
    for (const parse of [parseServiceConfig, parseResourceTypes, parseSchemas])
      expect(parse(body)).toMatchObject({ ok: false, reason: expect.any(String) })
  },
)

it.each([
  ['a number', 401, 401],
  ['text', '401', 401],
  ['missing', undefined, 0],
  ['words', 'unauthorized', 0],
])('recognizes an error whose status is %s', (_, status, expected) => {
  const body = parseScimJson(text({ schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status, detail: 'no' }))
  expect(body.ok && readScimErrorStatus(body.value)).toBe(expected)
})

const attributeLike: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  attribute: fc.oneof(
    { depthSize: 'small' },
    fc.jsonValue(),
    fc.record(
      {
        name: fc.oneof(fc.string({ unit: 'binary' }), fc.jsonValue()),
        type: fc.oneof(fc.constantFrom('string', 'complex'), fc.jsonValue()),
        multiValued: fc.oneof(fc.boolean(), fc.constantFrom('True', 'no'), fc.jsonValue()),
        canonicalValues: fc.oneof(fc.array(fc.string()), fc.jsonValue()),
        subAttributes: fc.oneof(fc.array(tie('attribute'), { maxLength: 3 }), fc.jsonValue()),
      },
      { requiredKeys: [] },
    ),
  ),
})).attribute

const answerLike = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.json(),
  fc
    .array(
      fc.record(
        {
          id: fc.oneof(fc.string(), fc.jsonValue()),
          Attributes: fc.oneof(fc.array(attributeLike), fc.jsonValue()),
          endpoint: fc.jsonValue(),
          schemaExtensions: fc.jsonValue(),
          patch: fc.jsonValue(),
          AUTHENTICATIONSCHEMES: fc.jsonValue(),
        },
        { requiredKeys: [] },
      ),
    )
    .chain((Resources) =>
      fc.record({ totalResults: fc.jsonValue(), Resources: fc.constantFrom<unknown>(Resources, Resources[0]) }),
    )
    .map(text),
)

it('never throws, on any answer', () => {
  fc.assert(
    fc.property(answerLike, answerLike, (before, after) => {
      for (const parse of [parseServiceConfig, parseResourceTypes, parseSchemas])
        expect(parse(before).ok).toBeTypeOf('boolean')
      for (const endpoint of SCIM_ENDPOINTS) {
        compareScimAnswers(endpoint, before, after)
        expect(compareScimAnswers(endpoint, before, before)).toEqual([])
      }
    }),
    { numRuns: 500 },
  )
})

it('reads JSON nested up to the limit, and refuses deeper', () => {
  const nest = (depth: number): unknown => (depth === 0 ? [] : [{ name: 'a', subAttributes: nest(depth - 1) }])
  expect(parseSchemas(text([{ id: 'x', attributes: nest(20) }])).ok).toBe(true)
  expect(parseSchemas(text([{ id: 'x', attributes: nest(500) }]))).toMatchObject({ ok: false })
})
