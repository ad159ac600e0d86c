import type { UserId } from '#lib/ids.ts'
import type { Actor } from '../model.ts'

/** A person who acts in a test. */
export function personOf(userId: UserId): Extract<Actor, { kind: 'person' }> {
  return { kind: 'person', userId, name: 'ada@example.com', network: '192.0.2.0/24' }
}
