import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * The path of a file of this folder that is no module: beside this one, or, where the worker is one
 * bundled file, in the sources beside its folder.
 */
export function besides(name: string): string {
  const places = [`./${name}`, `../lib/pack/${name}`].map((place) => fileURLToPath(new URL(place, import.meta.url)))
  return places.find((place) => existsSync(place)) ?? (places[0] as string)
}
