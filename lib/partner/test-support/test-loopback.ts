import http from 'node:http'
import net, { type AddressInfo, type Socket } from 'node:net'
import tls from 'node:tls'
import { onTestFinished } from 'vitest'

export type Loopback = { url: string; connections: () => number }

/** An HTTP server on a free loopback port that answers as told and stops when the test ends. */
export function serveHttp(answer: http.RequestListener): Promise<Loopback> {
  return listen(http.createServer(answer))
}

/** A server that speaks raw TCP: to answer half, badly or never. */
export function serveSocket(onSocket: (socket: Socket) => void): Promise<Loopback> {
  return listen(net.createServer(onSocket))
}

/** A server without a certificate: every TLS handshake ends after the name that was asked for. */
export function serveTls(onName: (servername: string) => void): Promise<Loopback> {
  return listen(
    tls.createServer({
      SNICallback: (servername, answer) => {
        onName(servername)
        answer(null, tls.createSecureContext())
      },
    }),
    'https',
  )
}

async function listen(server: net.Server, scheme = 'http'): Promise<Loopback> {
  const sockets = new Set<Socket>()
  let connections = 0
  server.on('connection', (socket) => {
    connections++
    sockets.add(socket)
    // These tests are about clients that give up.
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  return { url: `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`, connections: () => connections }
}

/** A loopback port on which nobody listens. */
export async function findClosedPort(): Promise<number> {
  const server = net.createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
