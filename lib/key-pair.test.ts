import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from '#lib/cli/run/project-root.ts'

const PROGRAM = `
  import { setFlagsFromString } from 'node:v8'
  import { generateKeyPair } from '#lib/key-pair.ts'
  setFlagsFromString('--gc-interval=37')
  for (let made = 0; made < 4000; made++) {
    const { privateKey, publicKey } = generateKeyPair()
    const { d, ...rest } = privateKey.export({ format: 'jwk' })
    const { x, y } = publicKey.export({ format: 'jwk' })
    if (typeof d !== 'string' || rest.x !== x || rest.y !== y) throw new Error('these are no pair')
  }
  console.log('made')`

test('keys are made and written out to the end, though garbage is collected all the time', () => {
  const flags = ['--import', 'tsx', '--input-type=module', '--eval', PROGRAM]
  const said = execFileSync(process.execPath, flags, { cwd: projectRoot, encoding: 'utf8', timeout: 60_000 })
  expect(said).toContain('made')
}, 90_000)

test('nobody else makes key pairs', () => {
  const makes = (file: string) =>
    /import \{[^}]*\bgenerateKeyPair(Sync)?\b[^}]*\} from '(node:crypto|jose)'/.test(readFileSync(file, 'utf8'))
  const files = ['lib', 'app', 'components', 'e2e'].flatMap((folder) =>
    readdirSync(join(projectRoot, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => join(folder, name)),
  )
  expect(files.filter((name) => makes(join(projectRoot, name)))).toEqual(['lib/key-pair.ts'])
})
