import { expect, it } from 'vitest'
import { RFC_RESOURCE_TYPES, RFC_SCHEMAS, RFC_SERVICE_PROVIDER_CONFIG } from '../test-support/rfc7643.test-data.ts'
import { compareScimAnswers } from './scim-diff.ts'
import type { ScimEndpoint } from './scim-model.ts'

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

/** The changes that result from editing an answer's text, as short lines. */
function changesOf(endpoint: ScimEndpoint, value: unknown, edit: (text: string) => string): string[] {
  const before = JSON.stringify(value)
  return compareScimAnswers(endpoint, before, edit(before)).map(({ kind, what, path, member, before, after }) =>
    [kind, what, path.join(' > '), ...(member === null ? [] : [`${member}: ${before} -> ${after}`])].join(' | '),
  )
}

it('names an added, removed or changed attribute with its schema and its parent', () => {
  const costCenter = JSON.stringify(RFC_SCHEMAS[2]).match(/\{"name":"costCenter".*?\}/)?.[0] ?? ''
  expect(changesOf('Schemas', RFC_SCHEMAS, (text) => text.replace(`${costCenter},`, ''))).toEqual([
    `removed | attribute | ${ENTERPRISE} > costCenter`,
  ])
  expect(
    changesOf('Schemas', RFC_SCHEMAS, (text) => text.replace(costCenter, `${costCenter},{"name":"level"}`)),
  ).toEqual([`added | attribute | ${ENTERPRISE} > level`])
  const change = (text: string) =>
    text.replace(/(.*)"readOnly"/, '$1"readWrite"').replace(/"required":true/, '"required":false')
  expect(changesOf('Schemas', RFC_SCHEMAS, change)).toEqual([
    'changed | attribute | urn:ietf:params:scim:schemas:core:2.0:User > userName | required: true -> false',
    `changed | attribute | ${ENTERPRISE} > manager > displayName | mutability: readOnly -> readWrite`,
  ])
})

it('names added and removed members, known or not', () => {
  const edit = (text: string) => text.replace(/"uniqueness":"server"/, '"x-rank":7')
  expect(changesOf('Schemas', RFC_SCHEMAS, edit)).toEqual([
    'changed | attribute | urn:ietf:params:scim:schemas:core:2.0:User > userName | uniqueness: server -> null',
    'changed | attribute | urn:ietf:params:scim:schemas:core:2.0:User > userName | x-rank: null -> 7',
  ])
})

it('counts a whole schema once, and ignores order, meta and the case of names', () => {
  const reordered = JSON.stringify(
    [...RFC_SCHEMAS].reverse().map((schema) => ({ ...schema, meta: { version: 'W/"2"' } })),
  )
  expect(compareScimAnswers('Schemas', JSON.stringify(RFC_SCHEMAS), reordered)).toEqual([])
  expect(changesOf('Schemas', RFC_SCHEMAS, (text) => text.replaceAll('"multiValued"', '"MultiValued"'))).toEqual([])
  expect(changesOf('Schemas', RFC_SCHEMAS, () => JSON.stringify(RFC_SCHEMAS.slice(0, 2)))).toEqual([
    `removed | schema | ${ENTERPRISE}`,
  ])
})

it('compares operations, limits, authentication schemes, resource types and their extensions', () => {
  const edit = (text: string) =>
    text
      .replace('"patch":{"supported":true}', '"patch":{"supported":false}')
      .replace('200', '500')
      .replace('HTTP Basic"', 'API key"')
  expect(changesOf('ServiceProviderConfig', RFC_SERVICE_PROVIDER_CONFIG, edit)).toEqual([
    'changed | operation | patch | supported: true -> false',
    'changed | operation | filter | maxResults: 200 -> 500',
    'removed | authentication scheme | HTTP Basic',
    'added | authentication scheme | API key',
  ])
  expect(
    changesOf('ResourceTypes', RFC_RESOURCE_TYPES, (text) =>
      text.replace('"required":true', '"required":false').replace('/Groups', '/groups'),
    ),
  ).toEqual([
    `changed | extension | User > ${ENTERPRISE} | required: true -> false`,
    'changed | resource type | Group | endpoint: /Groups -> /groups',
  ])
})
