/** For a whole body. Forms have hundreds of bytes, the platform's notifications thousands. */
export const BODY_DEADLINE_MS = 30_000

export type BoundedBody = { kind: 'read'; bytes: Buffer } | { kind: 'refused'; status: 400 | 408 | 413; text: string }

/**
 * The raw bytes of a request's body: the only way this program reads one. At most `maxBytes` (413),
 * all within the deadline however they drip (408), and complete (400 if the client breaks off).
 */
export async function readBounded(
  request: Request,
  maxBytes: number,
  deadlineMs = BODY_DEADLINE_MS,
): Promise<BoundedBody> {
  const reader = request.body?.getReader()
  if (reader === undefined) return { kind: 'read', bytes: Buffer.alloc(0) }
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    giveUp()
  }, deadlineMs)
  // ends the pending read as if the body were complete
  const giveUp = () => void reader.cancel().catch(() => undefined)
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      size += next.value.byteLength
      if (size > maxBytes) {
        giveUp()
        return { kind: 'refused', status: 413, text: 'The request is too large.' }
      }
      chunks.push(next.value)
    }
  } catch {
    return { kind: 'refused', status: 400, text: 'The request broke off.' }
  } finally {
    clearTimeout(timer)
  }
  if (isLate) return { kind: 'refused', status: 408, text: 'The request took too long to arrive.' }
  return { kind: 'read', bytes: Buffer.concat(chunks, size) }
}
