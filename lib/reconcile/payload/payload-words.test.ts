import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toPayloadWords } from './payload-words.ts'

test('reads place and approvers of a line’s own record', () => {
  const raw = JSON.stringify({
    metadata: {
      approvers: [{ name: 'Ada Lovelace' }, { email: 'nobody@example.com' }, null],
      service_location: { hotel_location: { name: 'Hotel Lehel', city: 'Munich', country: 'Germany' } },
    },
  })
  expect(toPayloadWords(raw)).toEqual({
    place: 'Hotel Lehel, Munich, Germany',
    approvers: ['Ada Lovelace'],
  })
})

test('whatever a record is, reading its words never throws', () => {
  const metadata = fc.record({ approvers: fc.jsonValue(), service_location: fc.jsonValue() })
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.json(),
        metadata.map((each) => JSON.stringify({ metadata: each })),
      ),
      (raw) => {
        expect(toPayloadWords(raw)).toMatchObject({ approvers: expect.any(Array) })
      },
    ),
  )
})
