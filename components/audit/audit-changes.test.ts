import { expect, test } from 'vitest'
import { toChanges } from './audit-changes.ts'

test('every member that was or became is listed once, with texts as they are and other values as JSON', () => {
  const entry = {
    before: '{"role":"viewer","sessions":2,"gone":"x"}',
    after: '{"role":"admin","sessions":0,"new":null,"__proto__":{"a":[1]}}',
  }
  expect(toChanges(entry)).toEqual([
    { name: 'role', before: 'viewer', after: 'admin' },
    { name: 'sessions', before: '2', after: '0' },
    { name: 'gone', before: 'x', after: null },
    { name: 'new', before: null, after: 'null' },
    { name: '__proto__', before: null, after: '{"a":[1]}' },
  ])
  expect(toChanges({ before: null, after: null })).toEqual([])
})

test('what somebody else wrote into an entry is shown as it is', () => {
  expect(toChanges({ before: 'not JSON', after: '[1]' })).toEqual([{ name: 'text', before: 'not JSON', after: '[1]' }])
  expect(toChanges({ before: null, after: 'null' })).toEqual([{ name: 'text', before: null, after: 'null' }])
})
