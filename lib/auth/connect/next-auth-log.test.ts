import { expect, test } from 'vitest'
import { startWorld } from '../test-support/test-world.ts'

test('A16: logs only the code, kind of error and status of what next-auth reports', async () => {
  const world = await startWorld()
  const { nextAuthLog } = await import('./next-auth-log.ts')
  const cause = Object.assign(new Error('state mismatch, expected sbx-state, got: sbx-code'), {
    name: 'OPError',
    error: 'invalid_grant',
    response: { statusCode: 400, body: 'sbx-rt-secret' },
  })
  nextAuthLog.error?.('OAUTH_CALLBACK_ERROR', { error: cause, tokens: 'sbx-at-secret' })
  nextAuthLog.error?.('SIGNIN_OAUTH_ERROR', { error: { ...cause, error: '\u001b[31m sbx \n' } as never })
  nextAuthLog.debug?.('PROFILE_DATA', { tokens: 'sbx-at-secret' })
  const lines = world.logLines.map((line) => JSON.parse(line))
  expect(lines[0]).toMatchObject({ nextAuth: 'OAUTH_CALLBACK_ERROR', kind: 'OPError', status: 400 })
  expect(lines[0]).toMatchObject({ oauthError: 'invalid_grant' })
  expect(lines).toHaveLength(2)
  expect(world.logLines.join()).not.toContain('sbx')
  await world.close()
})
