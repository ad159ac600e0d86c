import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CommandError } from './run/command-error.ts'
import type { Lifetime } from './run/lifetime.ts'
import { projectRoot } from './run/project-root.ts'
import { say } from './run/terminal.ts'

type Reference = { type: string; url: string }
type Component = { 'bom-ref': string; name: string; version: string; externalReferences?: Reference[] }

/** A CycloneDX document (1.5), as far as it is looked at here. */
export type Bom = {
  metadata: { component: Component }
  components: Component[]
  dependencies: { ref: string; dependsOn?: string[] }[]
}

/** The entries of package-lock.json, by their paths. */
export type LockedPackages = Record<string, { name?: string; version?: string; dev?: boolean }>

const FILE = 'dist/sbom.cdx.json'

/**
 * Writes the list of all packages that run in production (CycloneDX), for whoever has to look one
 * up after an advisory. Asks no registry. @throws CommandError when npm cannot make it.
 */
export async function sbom(_: Lifetime): Promise<void> {
  const file = join(projectRoot, FILE)
  mkdirSync(dirname(file), { recursive: true })
  const bom = makeReleaseBom()
  writeFileSync(file, `${JSON.stringify(bom, null, 2)}\n`)
  say(`${bom.components.length} packages are listed in ${FILE}.`)
}

/** The list, from npm's own and the lock file. @throws CommandError when npm cannot make it. */
export function makeReleaseBom(): Bom {
  const lock = JSON.parse(readFileSync(join(projectRoot, 'package-lock.json'), 'utf8'))
  return toReleaseBom(JSON.parse(askNpm()) as Bom, lock.name, lock.packages)
}

function askNpm(): string {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only']
  try {
    return execFileSync('npm', args, {
      cwd: projectRoot,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  } catch (error) {
    throw new CommandError('npm could not list the packages.', { details: String(error), cause: error })
  }
}

/**
 * npm's list of everything without what only development needs, under the project's own name, and
 * without addresses of registries. (npm's own `--omit dev` also leaves out what both need.)
 */
export function toReleaseBom(bom: Bom, name: string, packages: LockedPackages): Bom {
  const released = new Set(
    Object.entries(packages)
      .filter(([path, { dev }]) => path !== '' && dev !== true)
      .map(([path, locked]) => `${locked.name ?? path.split('node_modules/').at(-1)}@${locked.version}`),
  )
  const components = bom.components.filter((each) => released.has(`${each.name}@${each.version}`))
  const known = new Set([...components.map((each) => each['bom-ref']), bom.metadata.component['bom-ref']])
  return {
    ...bom,
    metadata: { ...bom.metadata, component: { ...withoutAddresses(bom.metadata.component), name } },
    components: components.map(withoutAddresses),
    dependencies: bom.dependencies
      .filter(({ ref }) => known.has(ref))
      .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((other) => known.has(other)) })),
  }
}

function withoutAddresses(component: Component): Component {
  return {
    ...component,
    externalReferences: component.externalReferences?.filter(({ type }) => type !== 'distribution'),
  }
}
