import {
  closeSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { lastLines } from '../run/run-tool.ts'

/** A log file's limit; what it held before is kept once, as `.1`. */
export const LOG_BYTES = 10_000_000
const CHECK_EVERY_MS = 250
const NEWLINE = 0x0a

/**
 * Moves a half-full log to `.1`, replacing the one before. Call it before opening the file: it
 * leaves room for a start, so the first lines stay in the file itself.
 */
export function rotateLog(file: string): string {
  if (existsSync(file) && statSync(file).size > LOG_BYTES / 2) renameSync(file, `${file}.1`)
  return file
}

/**
 * Keeps a log small while processes append to it. Once it exceeds `maxBytes`, its last lines are
 * copied to `.1` and it is emptied. The writers keep the same file (opened for appending) and never
 * wait for this process; what they say stays in the file even when this process is killed. Anything
 * written between the last read and the emptying, a matter of microseconds, is lost.
 * @returns what ends it.
 */
export function keepLogSmall(file: string, maxBytes = LOG_BYTES): () => void {
  const check = () => {
    try {
      shrinkLog(file, maxBytes)
    } catch {
      // missing or not ours just now: the next check looks again
    }
  }
  const timer = setInterval(check, CHECK_EVERY_MS)
  timer.unref()
  return () => clearInterval(timer)
}

/**
 * Empties a log above `maxBytes` after copying its last whole lines, up to that many bytes, to
 * `.1`.
 */
export function shrinkLog(file: string, maxBytes: number): void {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) <= maxBytes) return
  const log = openSync(file, 'r+')
  const part = `${file}.1.part`
  try {
    const isCopied = copyLastLines(log, part, maxBytes)
    ftruncateSync(log)
    if (isCopied) renameSync(part, `${file}.1`)
  } catch {
    // a disk without room for the copy has none for the log either: room comes first
    ftruncateSync(log)
    rmSync(part, { force: true, recursive: true })
  } finally {
    closeSync(log)
  }
}

/** @returns false when another process has emptied the log meanwhile and has the right copy. */
function copyLastLines(log: number, target: string, maxBytes: number): boolean {
  const { size, mode } = fstatSync(log)
  const start = Math.max(0, size - maxBytes)
  const copy = openSync(target, 'w', mode)
  const buffer = Buffer.alloc(1_000_000)
  let at = start
  let copied = 0
  let wholeLines = 0
  let isAtLineStart = start === 0
  try {
    // a writer faster than this reader must not keep it here
    while (at - start <= 2 * maxBytes) {
      const bytes = readSync(log, buffer, 0, buffer.length, at)
      if (bytes === 0) break
      at += bytes
      let part = buffer.subarray(0, bytes)
      if (!isAtLineStart) part = part.subarray(part.indexOf(NEWLINE) + 1 || bytes)
      isAtLineStart ||= part.length > 0
      writeSync(copy, part)
      if (part.includes(NEWLINE)) wholeLines = copied + part.lastIndexOf(NEWLINE) + 1
      copied += part.length
    }
    ftruncateSync(copy, wholeLines)
    return at >= size
  } finally {
    closeSync(copy)
  }
}

/** The last lines of a log file; '' without the file. */
export function lastLinesOf(file: string, count = 12): string {
  return existsSync(file) ? lastLines(readFileSync(file, 'utf8'), count) : ''
}
