import { existsSync, readFileSync, renameSync, statSync } from 'node:fs'
import { lastLines } from './run-tool.ts'

const MAX_BYTES = 10_000_000

/** Puts a log that has grown large aside as `.1`, in place of the one before. Call it before the file is opened. */
export function rotateLog(file: string): string {
  if (existsSync(file) && statSync(file).size > MAX_BYTES) renameSync(file, `${file}.1`)
  return file
}

/** The last lines of a log file; none when there is no such file. */
export function lastLinesOf(file: string, count = 12): string {
  return existsSync(file) ? lastLines(readFileSync(file, 'utf8'), count) : ''
}
