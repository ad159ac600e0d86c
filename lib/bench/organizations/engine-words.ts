/** What a process wrote of a failure: the engine's own words, where it has them. */
import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

const WRITTEN_WITHIN_MS = 300
/** pino's number for it. */
const WARNING = 40

/** From now on; the answer is what was written last, or `otherwise`. */
export function readNewWords(logFile: string): (otherwise: string) => Promise<string> {
  const from = existsSync(logFile) ? statSync(logFile).size : 0
  return async (otherwise) => {
    await delay(WRITTEN_WITHIN_MS)
    return findWords(readFrom(logFile, from)) ?? otherwise
  }
}

/** @internal The first warning or error in lines of a log; null where there is none. */
export function findWords(text: string): string | null {
  // what stands behind the last line's end is still being written
  const lines = text.split('\n').slice(0, -1)
  for (const line of lines.filter((each) => each.startsWith('{'))) {
    const { level, reason, msg } = JSON.parse(line) as { level: number; reason?: string; msg?: string }
    if (level >= WARNING) return toSentence(reason ?? msg ?? '')
  }
  return null
}

/** As Next.js writes of an error: with a sign before it, and where it came from behind it. */
function toSentence(words: string): string {
  return (words.split('\n')[0] ?? '').replace(/^\W*(error: )?/i, '')
}

function readFrom(file: string, from: number): string {
  if (!existsSync(file)) return ''
  const length = statSync(file).size - from
  const bytes = Buffer.alloc(Math.max(0, length))
  const opened = openSync(file, 'r')
  try {
    readSync(opened, bytes, 0, bytes.length, from)
  } finally {
    closeSync(opened)
  }
  return bytes.toString()
}
