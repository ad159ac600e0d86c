import { existsSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** The folder of package.json, with a trailing separator. */
export const projectRoot = findRoot(dirname(fileURLToPath(import.meta.url)))

/** Whether this is the program that `npm run build` made, which has nothing to build with. */
export const isBuilt = import.meta.url.endsWith('.mjs')

/** Upwards: in a built program this code stands in another folder. */
function findRoot(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder + sep : findRoot(dirname(folder))
}

/** A file of an installed package, to be run by Node. */
export function packageFile(path: string): string {
  return join(projectRoot, 'node_modules', path)
}

/** The address of one of the modules beside this file that Node loads before a program. */
export function preloadUrl(name: string): string {
  return new URL(`lib/cli/run/${name}`, pathToFileURL(projectRoot)).href
}
