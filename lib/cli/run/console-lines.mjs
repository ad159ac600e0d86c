// Loaded before the web server in production: turns what Next.js and Node print into one JSON line
// per message, like our own events (reliability A25).
import { stripVTControlCharacters } from 'node:util'

const INFO = 30
const WARN = 40
const ERROR = 50
const MAX_LENGTH = 8_192

/** One line for any text: escapes line breaks and control characters. */
function toLine(level, text) {
  const msg = stripVTControlCharacters(text).trim().slice(0, MAX_LENGTH)
  const line = JSON.stringify({ level, time: new Date().toISOString(), msg })
  return `${line.replace(/[\u007f-\u009f\u2028\u2029]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`
}

/** Our own events are JSON lines already. */
function isLine(text) {
  if (!/^\{[^\n]*\}\n$/.test(text)) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function wrap(stream, toLevel) {
  const write = stream.write.bind(stream)
  stream.write = (chunk, encoding, done) => {
    const callback = typeof encoding === 'function' ? encoding : done
    const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString()
    if (isLine(text)) return write(text, callback)
    if (text.trim() !== '') return write(toLine(toLevel(text), text), callback)
    callback?.()
    return true
  }
}

wrap(process.stdout, () => INFO)
wrap(process.stderr, (text) => (text.includes('⚠') ? WARN : ERROR))

// Node prints these past the streams
process.removeAllListeners('warning')
process.on('warning', (warning) => process.stderr.write(`⚠ ${warning.stack ?? warning.message}`))
process.on('uncaughtException', (error) => {
  // Next.js has its own listener, which keeps the server running
  if (process.listenerCount('uncaughtException') > 1) return
  process.stderr.write(error instanceof Error ? `${error.stack}` : String(error))
  process.exit(1)
})
