import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { connect, refresh, startTestSandbox, type TokenBody } from './test-support/test-client.ts'

const folder = mkdtempSync(join(tmpdir(), 'tieout-sandbox-'))
const stateFile = join(folder, 'state.json')
afterAll(() => rmSync(folder, { recursive: true }))

test('keeps accounts connected and used refresh tokens used over a restart', async () => {
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

test('knows whether accounts stay connected from a start with other data', async () => {
  const file = join(folder, 'data.json')
  const start = async (seed: number) => startTestSandbox({ stateFile: file, seed })
  const first = await start(1)
  expect(first.state().hasOtherData).toBe(false)
  await connect(first)
  await first.close()

  const told: boolean[] = []
  for (const seed of [1, 2, 2]) {
    const again = await start(seed)
    told.push(again.state().hasOtherData)
    await again.close()
  }
  expect(told).toEqual([false, true, false])

  // an earlier version's file does not say
  const { data: _, ...earlier } = JSON.parse(readFileSync(file, 'utf8'))
  writeFileSync(file, JSON.stringify(earlier))
  const afterUpgrade = await start(2)
  expect(afterUpgrade.state().hasOtherData).toBe(true)
  afterUpgrade.reset()
  expect(afterUpgrade.state().hasOtherData).toBe(false)
  await afterUpgrade.close()
})

test('forgets every consent on a reset, also for the next start', async () => {
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
