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

test('names both states and the cause of a change of state', () => {
  expect(describeEvent(event)).toEqual({
    mark: 'failed',
    text: 'Active → Needs reconnect',
    detail: 'an answer was lost after the token was used',
  })
})

test('says that the platform may still list a link that ended during an unfinished renewal', () => {
  const ended = { ...event, kind: 'link_ended', cause: 'revoked', detail: 'in_doubt' } as const
  expect(describeEvent(ended).detail).toMatch(/confirmed it; .*may still list/)
})

test('shows an event of a later version by its name', () => {
  const unknown = { ...event, kind: 'something_new' as ConnectionEvent['kind'], detail: 'x' }
  expect(describeEvent(unknown)).toEqual({ mark: 'open', text: 'something new', detail: 'x' })
})
