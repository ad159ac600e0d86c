import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ConnectionId } from '#lib/ids.ts'
import { parseLineKey, writeLineKey } from './line-key.ts'

test('finds the same line again for any characters in its id', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.string({ minLength: 1 }), (uuid, id) => {
      const connectionId = uuid as ConnectionId
      expect(parseLineKey(writeLineKey({ connectionId, id }))).toEqual({ connectionId, id })
    }),
  )
})

test.each([null, '', '~', 'a~', '~b', 'no mark'])('takes %j for no line', (text) => {
  expect(parseLineKey(text)).toBeNull()
})
