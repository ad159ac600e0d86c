import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { PartnerError } from './partner-error.ts'

/**
 * The whole body, decompressed, of at most `maxBytes` on the wire and at most `maxBytes` in memory. It stops reading as
 * soon as either is passed. Throws PartnerError `too_large` or `bad_encoding`; failures of the socket as they are.
 */
export async function readBounded(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const encoding = (response.headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  try {
    if (Number(response.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes)
    if (encoding === 'identity' || encoding === '') return await collect(response, maxBytes)
    if (encoding !== 'gzip' && encoding !== 'x-gzip') {
      throw new PartnerError(
        'bad_encoding',
        `The answer is encoded as "${encoding.slice(0, 40)}", which was not asked for`,
      )
    }
    return await gunzip(response, maxBytes)
  } catch (thrown) {
    response.destroy()
    throw thrown
  }
}

async function gunzip(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const inflated = createGunzip()
  let receivedBytes = 0
  response.on('data', (chunk: Buffer) => {
    receivedBytes += chunk.length
    if (receivedBytes > maxBytes) inflated.destroy(tooLarge(maxBytes))
  })
  // `pipe` forwards no errors: a socket that dies would leave the reader waiting for its deadline.
  response.on('error', (error) => inflated.destroy(error))
  response.pipe(inflated)
  try {
    return await collect(inflated, maxBytes)
  } catch (thrown) {
    inflated.destroy()
    const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : ''
    if (!code.startsWith('Z_')) throw thrown
    throw new PartnerError('bad_encoding', 'The answer says gzip but cannot be decompressed', { cause: thrown })
  }
}

async function collect(source: Readable, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of source as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > maxBytes) throw tooLarge(maxBytes)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, bytes)
}

function tooLarge(maxBytes: number): PartnerError {
  return new PartnerError('too_large', `The answer is larger than ${maxBytes} bytes`)
}
