import { createServer } from 'node:net'
import { isLoopbackHost, type Settings } from '#lib/env.ts'
import { CommandError } from './command-error.ts'

/** The warning for an address that other machines reach; null for a loopback address. */
export function describeListening({ listenHost, port }: Pick<Settings, 'listenHost' | 'port'>): string | null {
  if (isLoopbackHost(listenHost)) return null
  return `Listening on ${listenHost}, port ${port} (LISTEN_HOST): plain HTTP, which only the TLS proxy should be able to reach.`
}

/**
 * Makes sure that the port is free on both loopback addresses: browsers try both for "localhost".
 * @throws CommandError that names the port and the way out.
 */
export async function requireFreePort(port: number, command: string): Promise<void> {
  for (const host of ['127.0.0.1', '::1', '0.0.0.0']) {
    const code = await tryToListen(port, host)
    if (code === 'EADDRINUSE')
      throw new CommandError(`Port ${port} is in use: choose another, for instance \`PORT=${port + 1} ${command}\`.`)
    if (code === 'EACCES')
      throw new CommandError(`Port ${port} is reserved for the administrator: choose one above 1023 with PORT.`)
  }
}

export async function isPortFree(port: number): Promise<boolean> {
  return (await tryToListen(port, '127.0.0.1')) === null
}

/** Null when this machine can listen there now; otherwise the code of what keeps it from that. */
export function tryToListen(port: number, host: string): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'unknown'))
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(null)))
  })
}
