import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import type { Lifetime } from '#lib/cli/run/lifetime.ts'

/** The rows of our list's page, as both peers show them. */
export type PeerRows = { columns: string[]; rows: Record<string, string>[] }

const PEERS = {
  'bare TanStack table': 'tanstack-page.tsx',
  'AG Grid Community': 'ag-grid-page.ts',
} as const

export type Peer = { name: string; url: string; scriptBytes: number }

/** Bundles the peers' pages and serves them with these rows; the lifetime ends the server. */
export async function servePeers(lifetime: Lifetime, given: PeerRows): Promise<Peer[]> {
  const files = new Map<string, { type: string; body: Buffer }>()
  files.set('/rows.json', { type: 'application/json', body: gzipSync(JSON.stringify(given)) })
  const peers: (Omit<Peer, 'url'> & { path: string })[] = []
  for (const [name, file] of Object.entries(PEERS)) {
    const { outputFiles } = await build({
      entryPoints: [fileURLToPath(new URL(`../ui-peers/${file}`, import.meta.url))],
      bundle: true,
      minify: true,
      write: false,
      format: 'esm',
      target: 'es2022',
      jsx: 'automatic',
      // minified for browsers, packages are taken as in production
      platform: 'browser',
    })
    const script = gzipSync(outputFiles[0]?.contents ?? Buffer.alloc(0))
    const path = `/${file.split('.')[0]}`
    files.set(`${path}.js`, { type: 'text/javascript', body: script })
    const page = `<!doctype html><html lang="en"><title>${name}</title><script type="module" src="${path}.js"></script>`
    files.set(path, { type: 'text/html', body: gzipSync(page) })
    peers.push({ name, path, scriptBytes: script.length })
  }
  const server = createServer((request, reply) => {
    const found = files.get(request.url ?? '')
    if (found === undefined) return void reply.writeHead(404).end()
    reply.writeHead(200, { 'content-type': found.type, 'content-encoding': 'gzip' }).end(found.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  lifetime.onEnd('peers', async () => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  return peers.map(({ path, ...peer }) => ({ ...peer, url: `http://127.0.0.1:${port}${path}` }))
}
