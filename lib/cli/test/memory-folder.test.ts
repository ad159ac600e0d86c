import { accessSync, constants, statfsSync } from 'node:fs'
import { afterEach, expect, test, vi } from 'vitest'
import { findDatabaseFolder, findMemoryFolder } from './memory-folder.ts'

afterEach(() => vi.unstubAllEnvs())

test('whoever names a folder for temporary files has the databases of tests there', () => {
  vi.stubEnv('TMPDIR', '/var/tmp')
  expect(findDatabaseFolder()).toBe('/var/tmp')
})

test('databases of tests are where somebody may write', () => {
  expect(() => accessSync(findDatabaseFolder(), constants.W_OK | constants.X_OK)).not.toThrow()
})

test('a folder in memory that is smaller than what it has to hold is none', () => {
  const folder = findMemoryFolder(1)
  const { bsize, blocks } = statfsSync(folder ?? '/')
  expect(findMemoryFolder(folder === null ? 1 : bsize * blocks)).toBe(null)
})
