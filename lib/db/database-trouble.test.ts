import { expect, test } from 'vitest'
import { isDatabaseTrouble } from './database-trouble.ts'

test.each([
  ['the connection ended while a statement ran', new Error('Connection terminated unexpectedly')],
  [
    'the client has just lost its connection',
    new Error('Client has encountered a connection error and is not queryable'),
  ],
  ['no connection came in time', new Error('timeout exceeded when trying to connect')],
  ['an administrator ended the backend', Object.assign(new Error('terminating connection'), { code: '57P01' })],
  ['the server is not there', Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })],
  ['rows have just moved to another node', new Error('could not find valid entry for shard 102154')],
  ['two transactions were deadlocked', Object.assign(new Error('deadlock detected'), { code: '40P01' })],
])('F29: blames the database when %s', (_, thrown) => {
  expect(isDatabaseTrouble(thrown)).toBe(true)
})

test.each([
  ['a broken rule', Object.assign(new Error('violates check constraint'), { code: '23514' })],
  ['a bug', new TypeError('x is not a function')],
  ['a value that is not an error', 'connection terminated'],
])('F29: does not blame the database for %s', (_, thrown) => {
  expect(isDatabaseTrouble(thrown)).toBe(false)
})
