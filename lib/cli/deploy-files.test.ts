/** The examples in docs/deploy. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { OPERATING_COMMANDS } from './operating-commands.ts'
import { projectRoot } from './run/project-root.ts'

const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8')
const linesOf = (path: string) => read(path).split('\n').filter(Boolean)

test('an image takes nothing along that git ignores', () => {
  const ignored = linesOf('.gitignore').filter((line) => !line.startsWith('!'))
  const left = linesOf('docs/deploy/Containerfile.dockerignore')
  expect(ignored).toContain('.env.*')
  expect(ignored.map((line) => `**/${line.replace(/\/$/, '')}`).filter((line) => !left.includes(line))).toEqual([])
})

test('image and units start the built program, with a command that it has', () => {
  const commandOf = (unit: string) => /^ExecStart=\/usr\/bin\/node dist\/tieout\.mjs (\w+)$/m.exec(read(unit))?.[1]
  expect(commandOf('docs/deploy/tieout-web.service')).toBe('web')
  expect(commandOf('docs/deploy/tieout-worker.service')).toBe('worker')
  const image = read('docs/deploy/Containerfile')
  expect(image).toContain('ENTRYPOINT ["node", "dist/tieout.mjs"]\nCMD ["web"]\n')
  expect(image).toContain('npm ci --omit=dev')
  expect(Object.keys(OPERATING_COMMANDS)).toEqual(expect.arrayContaining(['web', 'worker']))
})
