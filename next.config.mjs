import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { NOTHING_RUNS, SECURITY_HEADERS } from './lib/http/security-headers.mjs'

const toList = (headers) => Object.entries(headers).map(([key, value]) => ({ key, value }))
/** For everything but pages: proxy.ts replaces it there. */
const NOTHING = { key: 'Content-Security-Policy', value: NOTHING_RUNS }
const ICON = { key: 'Content-Security-Policy', value: "default-src 'none'; style-src 'unsafe-inline'" }

const distDir = process.env.TIEOUT_DIST_DIR ?? '.next'

/** In place of a module of Next.js that is left out. */
const NO_MODULE = 'next/dist/compiled/server-only/empty.js'

/** In place of a page of Next.js that none of ours needs. */
const LAST_RESORT = './components/states/last-resort.client.tsx'

/** @type {import('next').NextConfig} */
export default {
  distDir,
  // web servers that were built of the same files are the same build, wherever: a page of one goes on with another
  generateBuildId: () => process.env.TIEOUT_BUILD_ID ?? null,
  turbopack: {
    root: fileURLToPath(new URL('.', import.meta.url)),
    // what our pages never run, 3 kB (gzip) of every page: polyfills for browsers that lack what
    // the pages need anyway, Node's process, and server actions (lib/architecture.test.ts)
    resolveAlias: {
      '../build/polyfills/polyfill-module': NO_MODULE,
      'next/dist/compiled/process': NO_MODULE,
      './reducers/server-action-reducer': NO_MODULE,
      './builtin/global-error': LAST_RESORT,
      '../components/builtin/global-error': LAST_RESORT,
      // what React has had since its 18th version; the table's store asks for it as a package
      'use-sync-external-store/shim': 'react',
    },
  },
  serverExternalPackages: ['pg', '@prisma/client', '@prisma/adapter-pg', 'pino', 'prom-client'],
  // 3 kB (gzip) less on every page: unused exports of Next's own modules go, and constants stand where they are used
  experimental: {
    turbopackCjsTreeShaking: true,
    turbopackCjsScopeHoisting: true,
    turbopackCrossModuleConstants: true,
    // halves builds from the third on; the first would only wait for its 220 MB to be written
    turbopackFileSystemCacheForBuild: existsSync(`${distDir}/BUILD_ID`),
  },
  images: { unoptimized: true },
  // `npm test` checks types over the whole project; a test's types must not block the start
  typescript: { ignoreBuildErrors: true },
  poweredByHeader: false,
  reactStrictMode: true,
  agentRules: false,
  devIndicators: false,
  headers: async () => [
    { source: '/:path*', headers: [...toList(SECURITY_HEADERS), NOTHING] },
    { source: '/icon.svg', headers: [ICON] },
  ],
}
