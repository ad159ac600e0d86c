import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const readJson = (path: string) => JSON.parse(readFileSync(root + path, 'utf8'))
const manifest = readJson('package.json') as {
  engines: { node: string }
  dependencies: Record<string, string>
  devDependencies: Record<string, string>
}
const lock = readJson('package-lock.json') as { packages: Record<string, { version?: string; resolved?: string }> }

/** The oldest version of each package that is safe or that works; the advisory or the trap is named beside it. */
const FLOORS: Record<string, string> = {
  next: '16.4.1', // security floor of the 16 line
  'next-auth': '4.24.15', // session and callback fixes of the 4 line
  react: '19.3.1',
  'react-dom': '19.3.1',
  pg: '8.23.1',
  jose: '4.15.5', // decompression bomb fixed in the 4 line, which next-auth brings; ours is 6
  zod: '4.6.7',
  'decimal.js': '10.6.0',
}

function isAtLeast(version: string, floor: string): boolean {
  const [have, need] = [version, floor].map((text) => text.split(/[.-]/).slice(0, 3).map(Number))
  for (let i = 0; i < 3; i++) if (have?.[i] !== need?.[i]) return (have?.[i] ?? 0) > (need?.[i] ?? 0)
  return true
}

test.each(Object.entries(FLOORS))('A21: every installed copy of %s is at least %s', (name, floor) => {
  const copies = Object.entries(lock.packages).filter(
    ([path]) => path === `node_modules/${name}` || path.endsWith(`/node_modules/${name}`),
  )
  expect(copies.length).toBeGreaterThan(0)
  for (const [, { version }] of copies) expect(isAtLeast(version ?? '0.0.0', floor), `${name} ${version}`).toBe(true)
})

test('every dependency is pinned to one exact version', () => {
  const loose = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies }).filter(
    ([, range]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(range),
  )
  expect(loose).toEqual([])
})

test('the lock file names no download address', () => {
  expect(Object.entries(lock.packages).filter(([, { resolved }]) => resolved !== undefined)).toEqual([])
})

test('the program asks for Node 20.19 or later', () => {
  expect(manifest.engines.node).toBe('>=20.19')
})
