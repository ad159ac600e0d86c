import { expect, test } from 'vitest'
import { errorReply, leaveTo } from './replies.ts'

test('leaves for another site with a page that moves on by itself, or by its link', async () => {
  const address = 'https://platform.example/oauth2/authorize?scope=a%3Ab%20c&state=1"<2'
  const reply = leaveTo(address, ['a=1', 'b=2'])
  expect([reply.status, reply.headers.get('location')]).toEqual([200, null])
  expect(reply.headers.get('refresh')).toBe(`0; url=${address}`)
  expect(reply.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
  expect(reply.headers.get('cache-control')).toBe('private, no-store')
  expect(await reply.text()).toContain(
    '<a href="https://platform.example/oauth2/authorize?scope=a%3Ab%20c&amp;state=1&quot;&lt;2">Continue on platform.example</a>',
  )
})

test.each(['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd'])('sends no browser to %s', (address) => {
  expect(() => leaveTo(address)).toThrow('No browser is led')
})

test.each([
  [408, 'close'],
  [413, 'close'],
  [400, null],
  [401, null],
])('an answer %i to a request that may still be arriving has connection: %s', (status, connection) => {
  const reply = errorReply(status, 'bad-request', 'No.')
  expect([reply.headers.get('connection'), reply.headers.get('cache-control')]).toEqual([
    connection,
    'private, no-store',
  ])
})
