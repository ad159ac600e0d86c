import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { transformSync } from 'esbuild'
import { type Breakage, editsOf } from './model.ts'

const SYNTAX: Record<string, 'ts' | 'tsx' | 'js'> = { '.ts': 'ts', '.tsx': 'tsx', '.mjs': 'js' }

type BrokenFile = { file: string; whole: string; broken: string }

/**
 * Why a breakage cannot be applied to the project in `root`, or says nothing there; null when it
 * can.
 */
export function findMisfit(root: string, breakage: Breakage): string | null {
  const missing = breakage.tests.find((test) => test !== 'types' && !existsSync(join(root, test)))
  if (missing !== undefined) return `there is no test ${missing}`
  try {
    for (const { file, broken } of toBrokenFiles(root, breakage)) {
      const loader = SYNTAX[extname(file)]
      // a file that no program can read would be noticed by every test
      if (loader !== undefined) transformSync(broken, { loader, sourcefile: file, logLevel: 'silent' })
    }
    return null
  } catch (error) {
    return error instanceof Error ? (error.message.trim().split('\n').at(-1) ?? '') : String(error)
  }
}

/**
 * Applies a breakage to the project in `root`; what it answers takes it back. @throws Error as
 * `findMisfit` says.
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
