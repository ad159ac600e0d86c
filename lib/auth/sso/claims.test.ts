import { expect, test } from 'vitest'
import { isDomain, isOverage, readClaim, toDomain, toPerson } from './claims.ts'

const MAPPING = {
  roleClaim: 'groups',
  values: { admin: ['a'], approver: ['p'], finance: ['f'], auditor: ['u'], viewer: ['v'] },
}
const toRole = (groups: unknown) => toPerson('https://i', { sub: 's', groups }, MAPPING)?.role

test('finds a claim by its path, also where a name has dots, and never in a prototype', () => {
  expect(readClaim({ a: { b: { c: 1 } } }, 'a.b.c')).toBe(1)
  expect(readClaim({ 'https://x.example/roles': ['v'] }, 'https://x.example/roles')).toEqual(['v'])
  expect(readClaim({ 'a.b': { c: 1 }, a: { b: { c: 2 } } }, 'a.b.c')).toBe(1)
  for (const path of ['constructor', 'a.constructor.name', '__proto__.x', 'a.b.c.d', '', '.', 'toString'])
    expect(readClaim({ a: { b: 1 } }, path), path).toBe(undefined)
  for (const claims of [null, undefined, 1, 'groups', []]) expect(readClaim(claims, 'groups')).toBe(undefined)
})

test('the last role of a list or a single value counts; anything else is no role', () => {
  expect(toRole(['v', 'a', 'f'])).toBe('admin')
  expect(toRole('f')).toBe('finance')
  expect(toRole(['p', 'f', 'u'])).toBe('approver')
  expect(toRole(['v', 'u'])).toBe('auditor')
  // who also works keeps working
  expect(toRole(['u', 'f'])).toBe('finance')
  for (const none of [[], 'F', 'a,f', ['v '], { a: true }, 1, null, undefined, [['a'], { a: 1 }], true])
    expect(toRole(none), JSON.stringify(none)).toBe(null)
})

test('groups are held back only where they are missing', () => {
  expect(isOverage({ _claim_names: { groups: 'src1' } }, 'groups')).toBe(true)
  expect(isOverage({ _claim_names: { groups: 'src1' }, groups: [] }, 'groups')).toBe(false)
  for (const names of [undefined, null, 'groups', {}]) expect(isOverage({ _claim_names: names }, 'groups')).toBe(false)
})

test('a person has a subject; names and addresses are one clean line, or not there', () => {
  for (const sub of [undefined, '', 1, 'x'.repeat(256), 'a\u0000b']) expect(toPerson('i', { sub }, MAPPING)).toBe(null)
  const read = (claims: Record<string, unknown>) => toPerson('i', { sub: 's', ...claims }, MAPPING)
  expect(read({ name: ' Ada\n\u202e Lovelace\u0000 ' })?.name).toBe('Ada Lovelace')
  expect(read({ given_name: 'Ada', family_name: 'Lovelace' })?.name).toBe('Ada Lovelace')
  expect(read({ email: 'ADA@Example.com' })).toMatchObject({ name: 'ada', email: 'ada@example.com' })
  expect(read({ name: '😀'.repeat(300) })?.name).toBe('😀'.repeat(100))
  for (const email of [
    1,
    'ada',
    'a@b@c.d',
    'a b@c.d',
    'a@c.d\n',
    `${'a'.repeat(250)}@c.de`,
    'a\u0000@c.d',
    'a\u00ad@c.d',
    'a\u200b@c.d',
    '@c.d',
  ])
    expect(read({ email })?.email ?? 'a@c.d', String(email)).toBe('a@c.d')
  for (const verified of ['true', 1, {}, null]) expect(read({ email_verified: verified })?.isEmailVerified).toBe(false)
})

test('a domain has two labels and stands for its addresses', () => {
  expect(['ada@Example.com ', 'example.com', 'a@b@sub.example.com'].map(toDomain)).toEqual([
    'example.com',
    'example.com',
    'sub.example.com',
  ])
  for (const none of [
    '',
    'com',
    'a@',
    'exa mple.com',
    '-x.com',
    'x..com',
    '\u0000.com',
    'X.com',
    `${'a'.repeat(64)}.com`,
  ])
    expect(isDomain(none), none).toBe(false)
})
