import { expect, expectTypeOf, test } from 'vitest'
import { type ConnectionId, type OrganizationId, parseConnectionId, type RunId, type UserId } from './ids.ts'

const ID = '0197c0de-0000-7000-8000-00000000000f'

test('A14: only a uuid as the database writes it becomes a connection’s id', () => {
  expect(parseConnectionId(ID)).toBe(ID)
  const others = [
    ...[
      '',
      ' ',
      'x',
      'null',
      '\0',
      `${ID}\0`,
      `\0${ID}`,
      '\ud800',
      '%00',
      '..',
      "' or true --",
      '"',
      '{}',
      '__proto__',
    ],
    `{${ID}}`,
    ID.toUpperCase(),
    ID.replaceAll('-', ''),
    `${ID}\n`,
    ` ${ID}`,
    `${ID}0`,
    ID.slice(1),
    `${ID}${ID}`,
    ID.replace('f', 'g'),
    ID.replace('0', '٠'),
    `urn:uuid:${ID}`,
    'x'.repeat(5000),
  ]
  for (const other of others) expect(parseConnectionId(other), other.slice(0, 60)).toBeNull()
})

test('an id of one kind does not compile where another is asked for', () => {
  expectTypeOf<ConnectionId>().not.toExtend<OrganizationId>()
  expectTypeOf<OrganizationId>().not.toExtend<ConnectionId>()
  expectTypeOf<UserId>().not.toExtend<OrganizationId>()
  expectTypeOf<RunId>().not.toExtend<UserId>()
  expectTypeOf<string>().not.toExtend<ConnectionId>()
})
