import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of package.json, with a trailing separator. */
export const projectRoot = fileURLToPath(new URL('../../..', import.meta.url))

/** A file of an installed package, to be run by Node. */
export function packageFile(path: string): string {
  return join(projectRoot, 'node_modules', path)
}
