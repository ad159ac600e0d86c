import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from './run/project-root.ts'
import { type Bom, type LockedPackages, makeReleaseBom, toReleaseBom } from './sbom.ts'

const lock = JSON.parse(readFileSync(join(projectRoot, 'package-lock.json'), 'utf8')) as { packages: LockedPackages }
const manifest = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
  dependencies: Record<string, string>
}

test('A21: the list of a release has every production package, and none of development alone', () => {
  const { metadata, components } = makeReleaseBom()
  const listed = new Set(components.map(({ name, version }) => `${name}@${version}`))
  const locked = (isDev: boolean) =>
    Object.entries(lock.packages)
      .filter(([path, { dev = false }]) => path !== '' && dev === isDev)
      .map(([path, { name, version }]) => `${name ?? path.split('node_modules/').at(-1)}@${version}`)
  const production = new Set(locked(false))
  expect([...production].filter((name) => !listed.has(name))).toEqual([])
  for (const [name, version] of Object.entries(manifest.dependencies)) expect(listed).toContain(`${name}@${version}`)
  expect(locked(true).filter((name) => listed.has(name) && !production.has(name))).toEqual([])
  expect(metadata.component.name).toBe('tieout')
}, 60_000)

test('the list names no address that a package was downloaded from', () => {
  const reference = { type: 'distribution', url: 'https://registry.example/a.tgz' }
  const website = { type: 'website', url: 'https://a.example' }
  const component = { 'bom-ref': 'a@1', name: 'a', version: '1', externalReferences: [reference, website] }
  const bom: Bom = {
    metadata: { component: { 'bom-ref': 'folder@1', name: 'folder', version: '1' } },
    components: [component, { 'bom-ref': 'b@1', name: 'b', version: '1' }],
    dependencies: [
      { ref: 'folder@1', dependsOn: ['a@1', 'b@1'] },
      { ref: 'b@1', dependsOn: ['a@1'] },
    ],
  }
  const packages = { '': {}, 'node_modules/a': { version: '1' }, 'node_modules/b': { version: '1', dev: true } }
  const released = toReleaseBom(bom, 'tieout', packages)
  expect(JSON.stringify(released)).not.toContain('registry.example')
  expect(released.components).toEqual([{ ...component, externalReferences: [website] }])
  expect(released.dependencies).toEqual([{ ref: 'folder@1', dependsOn: ['a@1'] }])
})
