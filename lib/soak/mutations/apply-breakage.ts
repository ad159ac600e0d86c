import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { transformSync } from 'esbuild'
import { type Breakage, editsOf } from './model.ts'

const SYNTAX: Record<string, 'ts' | 'tsx' | 'js'> = { '.ts': 'ts', '.tsx': 'tsx', '.mjs': 'js' }

type BrokenFile = { file: string; whole: string; broken: string }

/**
 * Why a breakage does not apply to the project in `root`, or has no effect there; null when it
 * applies.
 */
export function findMisfit(root: string, breakage: Breakage): string | null {
  const missing = breakage.tests.find((test) => test !== 'types' && !existsSync(join(root, test)))
  if (missing !== undefined) return `there is no test ${missing}`
  try {
    for (const { file, broken } of toBrokenFiles(root, breakage)) {
      const loader = SYNTAX[extname(file)]
      // every test would notice a file with a syntax error
      if (loader !== undefined) transformSync(broken, { loader, sourcefile: file, logLevel: 'silent' })
    }
    return null
  } catch (error) {
    return error instanceof Error ? (error.message.trim().split('\n').at(-1) ?? '') : String(error)
  }
}

/**
 * Applies a breakage to the project in `root`; returns what takes it back. @throws Error with the
 * reason of `findMisfit`.
 */
export function applyBreakage(root: string, breakage: Breakage): () => void {
  const files = toBrokenFiles(root, breakage)
  for (const { file, broken } of files) writeFileSync(join(root, file), broken)
  return () => {
    for (const { file, whole } of files) writeFileSync(join(root, file), whole)
  }
}

function toBrokenFiles(root: string, breakage: Breakage): BrokenFile[] {
  const files = new Map<string, BrokenFile>()
  for (const { file, before, after, count = 1 } of editsOf(breakage)) {
    if (!existsSync(join(root, file))) throw new Error(`there is no file ${file}`)
    const known = files.get(file)
    const whole = known?.whole ?? readFileSync(join(root, file), 'utf8')
    const parts = (known?.broken ?? whole).split(before)
    if (parts.length !== count + 1)
      throw new Error(`${file} holds the text ${parts.length - 1} times, not ${count}: ${before.trim().slice(0, 80)}`)
    if (after === before) throw new Error(`${file} is not changed`)
    files.set(file, { file, whole, broken: parts.join(after) })
  }
  return [...files.values()]
}
