import { expect, test } from 'vitest'
import type { ConnectionEvent } from '#lib/connections/model.ts'
import { describeEvent } from './history-words.ts'

const event: ConnectionEvent = {
  number: '1',
  happenedAt: '2026-03-31T12:00:00.000Z',
  kind: 'state',
  fromState: 'active',
  toState: 'needs_reconnect',
  cause: 'lost_response',
  actorName: null,
  detail: null,
}

test('a change of state names both states and the cause', () => {
  expect(describeEvent(event)).toEqual({
    mark: 'failed',
    text: 'Active → Needs reconnect',
    detail: 'an answer was lost after the token was used',
  })
})

test('a link that ended while a renewal was in doubt says that the platform may still list it', () => {
  const ended = { ...event, kind: 'link_ended', cause: 'revoked', detail: 'in_doubt' } as const
  expect(describeEvent(ended).detail).toMatch(/confirmed it; .*may still list/)
})

test('an event of a later version is shown by its name', () => {
  const unknown = { ...event, kind: 'something_new' as ConnectionEvent['kind'], detail: 'x' }
  expect(describeEvent(unknown)).toEqual({ mark: 'open', text: 'something new', detail: 'x' })
})
