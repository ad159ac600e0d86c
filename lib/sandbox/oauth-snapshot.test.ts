import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { connect, refresh, startTestSandbox, type TokenBody } from './test-client.ts'

const folder = mkdtempSync(join(tmpdir(), 'tieout-sandbox-'))
const stateFile = join(folder, 'state.json')
afterAll(() => rmSync(folder, { recursive: true }))

test('an account connected before a restart stays connected, and a used refresh token stays used', async () => {
  const before = await startTestSandbox({ stateFile })
  const first = await connect(before)
  const second = (await (await refresh(before, first.refresh_token)).json()) as TokenBody
  await before.close()

  const after = await startTestSandbox({ stateFile })
  try {
    expect((await refresh(after, first.refresh_token)).status).toBe(400)
    expect((await refresh(after, second.refresh_token)).status).toBe(200)
  } finally {
    await after.close()
  }
})

test('a reset forgets every consent, also for the next start', async () => {
  const before = await startTestSandbox({ stateFile })
  const tokens = await connect(before)
  before.reset()
  await before.close()
  const after = await startTestSandbox({ stateFile })
  try {
    expect((await refresh(after, tokens.refresh_token)).status).toBe(400)
  } finally {
    await after.close()
  }
})
