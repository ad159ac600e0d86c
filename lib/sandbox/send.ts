import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import type { FaultAction } from './faults.ts'
import { htmlReply, type Reply } from './reply.ts'

/** Resets the connection: the client sees ECONNRESET, not an empty answer. */
export function reset(request: IncomingMessage): void {
  request.socket.resetAndDestroy()
}

/** Changes a reply as a fault says; faults of the connection leave it alone. */
export function distort(reply: Reply, action: FaultAction): Reply {
  const text = reply.body.toString()
  switch (action.type) {
    case 'status':
      return toStatus(action)
    case 'html':
      return htmlReply(action.status ?? 200, '<!doctype html><title>Maintenance</title><h1>We will be right back</h1>')
    case 'content_type':
      return { ...reply, headers: { ...reply.headers, 'content-type': action.value } }
    case 'gzip':
      return compressed(reply, Buffer.from(reply.body))
    case 'gzip_bomb':
      return compressed(reply, Buffer.alloc(action.megabytes * 1024 * 1024, 0x20))
    case 'pad':
      return { ...reply, body: text + ' '.repeat(Math.max(0, action.bytes - Buffer.byteLength(text))) }
    case 'empty_list':
      return { ...reply, body: emptied(text, action.keepTotal === true) }
    case 'rewrite':
      return { ...reply, body: action.replace.reduce((body, [from, to]) => body.replaceAll(from, to), text) }
    default:
      return reply
  }
}

/** The reply of a `status` fault, which needs no route. */
export function toStatus(action: Extract<FaultAction, { type: 'status' }>): Reply {
  const body = action.body ?? JSON.stringify({ message: `injected ${action.status}` })
  return { status: action.status, headers: { 'content-type': 'application/json', ...action.headers }, body }
}

/**
 * Sends a reply, slowly or cut short when the fault says so. Never throws: a client may hang up at
 * any time.
 */
export async function send(
  response: ServerResponse,
  reply: Reply,
  action: FaultAction | null,
  headOnly: boolean,
): Promise<void> {
  const body = Buffer.isBuffer(reply.body) ? reply.body : Buffer.from(reply.body)
  const cut = action?.type === 'truncate' ? body.subarray(0, action.bytes ?? Math.floor(body.length / 2)) : body
  const announced = action?.type === 'truncate' && action.keepLength === false ? cut.length : body.length
  response.writeHead(reply.status, { ...reply.headers, 'content-length': String(announced) })
  if (headOnly) {
    response.end()
    return
  }
  if (action?.type === 'trickle') {
    for (let start = 0; start < body.length && !response.destroyed; start += action.bytes) {
      response.write(body.subarray(start, start + action.bytes))
      await pause(action.everyMs, undefined, { ref: false })
    }
    response.end()
    return
  }
  if (cut.length < announced) response.write(cut, () => response.destroy())
  else response.end(cut)
}

function compressed(reply: Reply, plain: Buffer): Reply {
  return { ...reply, headers: { ...reply.headers, 'content-encoding': 'gzip' }, body: gzipSync(plain) }
}

function emptied(text: string, keepTotal: boolean): string {
  // every list body of the sandbox ends with the list
  const list = text.replace(/"(invoices|invoice_lines|profiles)":\[[\s\S]*\]\}$/, '"$1":[]}')
  return keepTotal ? list : list.replace(/"total":\d+/, '"total":0')
}
