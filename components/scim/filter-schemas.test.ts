import { expect, it } from 'vitest'
import type { ScimAttribute, ScimSchema } from '#lib/partner/scim/scim-model.ts'
import { filterSchemas } from './filter-schemas.ts'

function attribute(name: string, more: Partial<ScimAttribute> = {}): ScimAttribute {
  return {
    name,
    type: 'string',
    isMultiValued: false,
    isRequired: false,
    isCaseExact: false,
    mutability: 'readWrite',
    returned: 'default',
    uniqueness: 'none',
    description: null,
    canonicalValues: [],
    referenceTypes: [],
    subAttributes: [],
    ...more,
  }
}

const emails = attribute('emails', {
  type: 'complex',
  isMultiValued: true,
  subAttributes: [attribute('value'), attribute('type', { canonicalValues: ['work', 'home'] })],
})
const schemas: ScimSchema[] = [
  {
    id: 'urn:user',
    name: 'User',
    description: null,
    attributes: [attribute('userName', { isRequired: true }), emails],
  },
  { id: 'urn:travel', name: 'Travel', description: 'Trips', attributes: [attribute('policy')] },
]

const found = (text: string, maxRows?: number) =>
  filterSchemas(schemas, text, maxRows).map(({ schema, rows }) => [schema.name, ...rows.map(({ path }) => path)])

it('shows everything without a search, sub-attributes after their attribute', () => {
  expect(found(' ')).toEqual([
    ['User', 'userName', 'emails', 'emails.value', 'emails.type'],
    ['Travel', 'policy'],
  ])
})

it('finds attributes by every word, in any case, with their parents', () => {
  expect(found('HOME')).toEqual([['User', 'emails', 'emails.type']])
  expect(found('emails.val')).toEqual([['User', 'emails', 'emails.value']])
  expect(found('required user')).toEqual([['User', 'userName', 'emails', 'emails.value', 'emails.type'].slice(0, 2)])
  expect(found('required trips')).toEqual([])
})

it('shows a whole schema when its own name or address matches', () => {
  expect(found('travel')).toEqual([['Travel', 'policy']])
  expect(found('trips')).toEqual([['Travel', 'policy']])
})

it('shows at most the number of rows asked for, and says how many exist', () => {
  expect(found('', 3)).toEqual([['User', 'userName', 'emails', 'emails.value'], ['Travel']])
  expect(filterSchemas(schemas, '', 3).map(({ rowCount }) => rowCount)).toEqual([4, 1])
})
