import type { IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import { gunzip, gunzipSync } from 'node:zlib'
import { PartnerError } from '../partner-error.ts'

const decompress = promisify(gunzip)

/**
 * A body up to this size is decompressed without another thread: waking one costs half as much
 * again. What it can grow to, a thousand times as much, takes some twenty milliseconds.
 */
const MOST_BYTES_AT_ONCE = 16 * 1024

/**
 * The body as on the wire, at most `maxBytes`; stops reading when there is more.
 * @throws PartnerError `too_large`; socket failures as they are.
 */
export function readWireBody(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let bytes = 0
    const refuse = () => {
      response.destroy()
      reject(tooLarge(maxBytes))
    }
    if (Number(response.headers['content-length'] ?? 0) > maxBytes) return refuse()
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > maxBytes) return refuse()
      chunks.push(chunk)
    })
    response.on('end', () => resolve(Buffer.concat(chunks, bytes)))
    response.on('error', reject)
    // an answer cut short without an error event
    response.on('close', () => reject(new Error('The answer ended before it was complete')))
  })
}

/**
 * A body without its content coding, at most `maxBytes`.
 * @throws PartnerError `too_large` or `bad_encoding`
 */
export async function openBody(
  wireBody: Buffer,
  contentEncoding: string | undefined,
  maxBytes: number,
): Promise<Buffer> {
  const encoding = (contentEncoding ?? 'identity').trim().toLowerCase()
  if (encoding === 'identity' || encoding === '') return wireBody
  if (encoding !== 'gzip' && encoding !== 'x-gzip') {
    throw new PartnerError(
      'bad_encoding',
      `The answer is encoded as "${encoding.slice(0, 40)}", which was not asked for`,
    )
  }
  try {
    const options = { maxOutputLength: maxBytes, chunkSize: guessSize(wireBody) }
    return wireBody.length <= MOST_BYTES_AT_ONCE ? gunzipSync(wireBody, options) : await decompress(wireBody, options)
  } catch (thrown) {
    const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : ''
    if (code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(maxBytes)
    if (!code.startsWith('Z_')) throw thrown
    throw new PartnerError('bad_encoding', 'The answer says gzip but cannot be decompressed', { cause: thrown })
  }
}

/** Roughly the size of the JSON, to inflate it in one piece. A wrong guess only costs time. */
function guessSize(wireBody: Buffer): number {
  return Math.min(Math.max(wireBody.length * JSON_RATIO, 16_384), 262_144)
}
const JSON_RATIO = 10

function tooLarge(maxBytes: number): PartnerError {
  return new PartnerError('too_large', `The answer is larger than ${maxBytes} bytes`)
}
