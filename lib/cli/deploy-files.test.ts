/** The examples in docs/deploy. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CURSOR_LIMITS } from '#lib/ledger/sql/tenant-cursor.ts'
import { MOST_FILE_BYTES } from '#lib/talk/file-kind.ts'
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

test('nginx takes the largest file, waits as long as the web server does, and sends no change twice', () => {
  const site = read('docs/deploy/nginx.conf')
  const numberOf = (name: string) => Number(new RegExp(`^ +${name} (\\d+)`, 'm').exec(site)?.[1])
  expect(numberOf('client_max_body_size') * 2 ** 20).toBeGreaterThan(MOST_FILE_BYTES)
  expect(numberOf('proxy_read_timeout') * 1000).toBeGreaterThan(CURSOR_LIMITS.fetchMs)
  expect(site).toContain('proxy_buffering off;')
  expect(site).toContain('proxy_next_upstream error timeout;')
  // a kept connection is given up before the web server gives it up, which would lose a change
  expect(numberOf('keepalive_timeout') * 1000).toBeLessThan(createServer().keepAliveTimeout)
  expect(site).toContain('proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;')
})
