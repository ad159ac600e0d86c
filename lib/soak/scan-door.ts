import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Lifetime } from '#lib/cli/run/lifetime.ts'

/** Would end the scanner's own session, or keep it out of everything else. */
const CLOSED = [
  '/api/sign-out',
  '/api/account/password',
  '/api/settings/second-step',
  '/api/settings/single-sign-on/mode',
]

export type ScanDoor = {
  url: string
  /** Replies of the web server, by status. */
  statuses: Map<number, number>
  /** What it failed to answer: `POST /api/x 500`, each once. */
  failures: Set<string>
}

/**
 * The way of a scanner to the web server: each request goes on with a session, and as one of our
 * own pages would send it, else every form would end at the check of the origin. The lifetime ends
 * it.
 */
export async function startScanDoor(lifetime: Lifetime, target: string, cookie: string): Promise<ScanDoor> {
  const door: ScanDoor = { url: '', statuses: new Map(), failures: new Set() }
  const server = createServer((asked, reply) => {
    if (CLOSED.includes((asked.url ?? '').split(/[?#]/)[0] ?? '')) reply.writeHead(204).end()
    else passOn(asked, reply, { target, cookie, door })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  lifetime.onEnd('scanner’s door', async () => {
    server.closeAllConnections()
    server.close()
  })
  door.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return door
}

type Way = { target: string; cookie: string; door: ScanDoor }

function passOn(asked: IncomingMessage, reply: ServerResponse, { target, cookie, door }: Way): void {
  const { host, port } = new URL(target)
  const headers = { ...asked.headers, host, cookie, ...(asked.method === 'GET' ? {} : { origin: target }) }
  const sent = request({ host: '127.0.0.1', port, method: asked.method, path: asked.url, headers }, (answer) => {
    const { statusCode: status = 0, headers: said } = answer
    door.statuses.set(status, (door.statuses.get(status) ?? 0) + 1)
    if (status >= 500) door.failures.add(`${asked.method} ${asked.url} ${status}`)
    const location = said.location?.replace(target, door.url)
    reply.writeHead(status, location === undefined ? said : { ...said, location })
    answer.pipe(reply)
  })
  sent.on('error', () => reply.destroy())
  reply.on('close', () => sent.destroy())
  asked.pipe(sent)
}
