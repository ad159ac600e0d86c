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
import { lastLines } from './run-tool.ts'

/** What a log file may hold; what it held before is kept once, as `.1`. */
export const LOG_BYTES = 10_000_000
const CHECK_EVERY_MS = 250
const NEWLINE = 0x0a

/**
 * Puts a log that is half full aside as `.1`, in place of the one before. Call it before the file
 * is opened: there is room for a start then, so that its first lines are found in the file itself.
 */
export function rotateLog(file: string): string {
  if (existsSync(file) && statSync(file).size > LOG_BYTES / 2) renameSync(file, `${file}.1`)
  return file
}

/**
 * Keeps a log small while processes append to it: as soon as it holds more than `maxBytes`, its
 * last lines are copied to `.1` and it is emptied. The processes go on writing to the same file
 * (they must have opened it for appending), and never wait for this one: what they say stays in the
 * file also when this process is killed. What is written between the last read and the emptying is
 * lost; it takes microseconds.
 * @returns what ends it.
 */
export function keepLogSmall(file: string, maxBytes = LOG_BYTES): () => void {
  const check = () => {
    try {
      shrinkLog(file, maxBytes)
    } catch {
      // gone or not ours just now: the next check looks again
    }
  }
  const timer = setInterval(check, CHECK_EVERY_MS)
  timer.unref()
  return () => clearInterval(timer)
}

/**
 * Empties a log that holds more than `maxBytes`, having copied its last whole lines, at most so
 * many bytes, to `.1`.
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
    // a disk that has no room for the copy has none for the log either: room comes first
    ftruncateSync(log)
    rmSync(part, { force: true, recursive: true })
  } finally {
    closeSync(log)
  }
}

/** @returns false when another process has emptied the log meanwhile: its copy is the right one. */
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
    // whoever writes faster than this reads does not keep us here
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

/** The last lines of a log file; none when there is no such file. */
export function lastLinesOf(file: string, count = 12): string {
  return existsSync(file) ? lastLines(readFileSync(file, 'utf8'), count) : ''
}
