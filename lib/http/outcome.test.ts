import { expect, test } from 'vitest'
import { done, landAt, Outcome, refused, toReply } from './outcome.ts'

/** Status, where it leads, cookies and what it says. */
async function read(reply: Response) {
  const text = await reply.text()
  const { status, headers } = reply
  return [status, headers.get('location'), headers.getSetCookie(), text === '' ? null : JSON.parse(text)]
}

const ID = '00000000-0000-4000-8000-000000000001'

test('a form lands at its place with the notice, a script gets the value', async () => {
  const ended = () => done('you', { name: 'x' }, { said: 'name', cookies: ['a=b'] })
  expect(await read(toReply(ended(), true))).toEqual([303, '/account?said=name#you', ['a=b'], null])
  expect(await read(toReply(ended(), false))).toEqual([200, null, [], { name: 'x' }])
  const queued = () => done('rejected', Response.json({ joined: true }, { status: 202 }))
  expect(await read(toReply(queued(), true))).toEqual([303, '/rejected', [], null])
  expect(await read(toReply(queued(), false))).toEqual([202, null, [], { joined: true }])
})

test('a refused form lands with the error of the code, a script gets code and text', async () => {
  const ended = () => refused('everybody', 'last-admin', 'Make somebody else admin first.')
  const error = { code: 'last-admin', text: 'Make somebody else admin first.' }
  expect(await read(toReply(ended(), true))).toEqual([303, '/people?error=last-admin', [], null])
  expect(await read(toReply(ended(), false))).toEqual([409, null, [], { error }])
  for (const [code, status] of [
    ['conflict', 409],
    ['bad-request', 400],
    ['not-found', 404],
  ] as const) {
    const quiet = () => refused(['sync', ID], code, 'No.', {})
    expect(await read(toReply(quiet(), true))).toEqual([303, `/connections/${ID}#sync`, [], null])
    expect(await read(toReply(quiet(), false))).toEqual([status, null, [], { error: { code, text: 'No.' } }])
  }
})

test.each([
  [landAt('directory', { error: 'two-tokens' }), '/settings?error=directory-two-tokens#directory'],
  [landAt('single-sign-on', { said: 'mode' }), '/settings?said=sso_mode#single-sign-on'],
  [landAt('password', { error: 'wait', query: 'seconds=9' }), '/account?error=password-wait&seconds=9#password'],
  [landAt(['loss', ID], { query: 'seen=' }), `/connections/${ID}/loss?seen=`],
  [landAt(['check', 'line_total']), '/checks#line_total'],
  [landAt('chain', { query: new URLSearchParams({ a: 'b c' }) }), '/audit?a=b+c#chain'],
  [landAt(['invited', '#$&'], { error: 'name' }), '/invite?error=name#$&'],
  [landAt(['invited', '']), '/invite'],
])('an address has the words of its place, what else is told, and the spot last (%#)', (reply, address) => {
  expect([reply.status, reply.headers.get('location')]).toEqual([303, address])
})

test('what is no outcome is the same for a form and a script', async () => {
  for (const isForm of [true, false]) {
    expect(await read(toReply({ a: 1 }, isForm))).toEqual([200, null, [], { a: 1 }])
    expect(await read(toReply(landAt('sign-in'), isForm))).toEqual([303, '/sign-in', [], null])
  }
  const page = new Outcome(Response.json('page'), { secret: 'x' })
  expect([await read(toReply(page, true)), await read(toReply(page, false))]).toEqual([
    [200, null, [], 'page'],
    [200, null, [], { secret: 'x' }],
  ])
})
