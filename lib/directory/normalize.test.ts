import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { normalizeGroupPatch, normalizeUserPatch } from './normalize-patch.ts'
import { normalizeGroup, normalizeUser } from './normalize-resource.ts'
import { patchResource, readResource } from './scim-schemas.ts'
import type { Json } from './spellings.ts'

type Recorded = {
  quirk: string
  source: string
  kind: 'User' | 'Group'
  method?: 'PUT'
  body: Json
  /** PUT: what is read. PATCH: what has changed in the current resource. */
  result: Json
}

const FOLDER = new URL('../../docs/golden/scim/', import.meta.url)
const RECORDED: [string, Recorded][] = readdirSync(FOLDER).flatMap((file) =>
  JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')).map((each: Recorded): [string, Recorded] => [
    `${file.replace('.json', '')}: ${each.quirk}`,
    each,
  ]),
)

const first = '00000000-0000-4000-8000-000000000001'
const second = '00000000-0000-4000-8000-000000000002'
const CURRENT = {
  User: {
    id: first,
    userName: 'ada@example.com',
    active: true,
    displayName: 'Ada Lovelace',
    name: { formatted: 'Ada Lovelace' },
    emails: [{ value: 'ada@example.com', type: 'work', primary: true }],
  },
  Group: { id: first, displayName: 'Finance', members: [{ value: first }, { value: second }] },
}

const toFacts = ({ schemas: _, meta: __, id: ___, ...facts }: Json) => facts

function patch(kind: 'User' | 'Group', body: Json): Promise<Json> {
  const current = CURRENT[kind]
  const message = kind === 'User' ? normalizeUserPatch(body, current) : normalizeGroupPatch(body)
  return message === null ? Promise.resolve(current) : patchResource(kind, current, message)
}

describe('A34: recorded spellings of directories mean the same to the strict library', () => {
  test.each(RECORDED)('%s', async (_, { kind, method, body, result, source }) => {
    expect(source).toMatch(/\w/)
    if (method === 'PUT') {
      const read = readResource(kind, kind === 'User' ? normalizeUser(body) : normalizeGroup(body))
      expect(toFacts(read)).toEqual(result)
    } else expect(toFacts(await patch(kind, body))).toEqual({ ...toFacts(CURRENT[kind]), ...result })
  })

  test('there are cases of each directory', () => {
    expect(RECORDED.length).toBeGreaterThan(20)
  })
})

const op = (...operations: unknown[]) => ({ Operations: operations })

test.each([
  ['a misspelt attribute', op({ op: 'Replace', path: 'actve', value: 'False' })],
  ['a misspelt attribute without a path', op({ op: 'replace', value: { actve: false } })],
  ['a text that is no boolean', op({ op: 'Replace', path: 'active', value: 'no' })],
  ['an unknown operation', op({ op: 'disable', path: 'active' })],
  ['no operation', { Operations: [] }],
  ['an operation that is none', op('replace')],
  ['a body that is no message', { active: false }],
  ['an attribute that is none of the standard, in a filter', op({ op: 'remove', path: 'actve[value eq "x"]' })],
])('A34: refuses %s rather than pass over it', async (_, body) => {
  await expect(patch('User', body)).rejects.toMatchObject({ status: 400 })
})

test('A34: refuses to remove a member that cannot be read', async () => {
  await expect(
    patch('Group', op({ op: 'remove', path: 'members', value: [{ display: 'Ada' }] })),
  ).rejects.toMatchObject({
    status: 400,
  })
})

test('removing members without a list empties the group (RFC 7644, 3.5.2.2)', async () => {
  expect(toFacts(await patch('Group', op({ op: 'remove', path: 'members' })))).toEqual({ displayName: 'Finance' })
})

test('operations follow one another', async () => {
  const body = op(
    { op: 'remove', path: 'name.formatted' },
    { op: 'Add', path: 'name.givenName', value: 'Augusta' },
    { op: 'Add', path: 'emails', value: [{ type: 'home', value: 'a@home.example' }] },
    { op: 'Replace', path: 'emails[type eq "home"].value', value: 'ada@home.example' },
  )
  expect(toFacts(await patch('User', body))).toMatchObject({
    name: { givenName: 'Augusta' },
    emails: [
      { value: 'ada@example.com', type: 'work', primary: true },
      { value: 'ada@home.example', type: 'home' },
    ],
  })
})
