import { fileURLToPath } from 'node:url'

const SECURITY_HEADERS = [
  { key: 'X-Content-Type-Options', value: 'nosniff' },
  { key: 'X-Frame-Options', value: 'DENY' },
  { key: 'Referrer-Policy', value: 'same-origin' },
  { key: 'Permissions-Policy', value: 'camera=(), microphone=(), geolocation=(), payment=(), usb=()' },
]
/** Runs and loads nothing. For everything but pages: proxy.ts replaces it there. */
const NOTHING = { key: 'Content-Security-Policy', value: "default-src 'none'; frame-ancestors 'none'" }
const ICON = { key: 'Content-Security-Policy', value: "default-src 'none'; style-src 'unsafe-inline'" }

/** In place of a module of Next.js that is left out. */
const NO_MODULE = 'next/dist/compiled/server-only/empty.js'

/** @type {import('next').NextConfig} */
export default {
  distDir: process.env.TIEOUT_DIST_DIR ?? '.next',
  turbopack: {
    root: fileURLToPath(new URL('.', import.meta.url)),
    // what our pages never run, 3 kB (gzip) of every page: polyfills for browsers that lack what
    // the pages need anyway, Node's process, and server actions (lib/architecture.test.ts)
    resolveAlias: {
      '../build/polyfills/polyfill-module': NO_MODULE,
      'next/dist/compiled/process': NO_MODULE,
      './reducers/server-action-reducer': NO_MODULE,
    },
  },
  serverExternalPackages: ['pg', '@prisma/client', '@prisma/adapter-pg', 'pino', 'prom-client'],
  images: { unoptimized: true },
  // `npm test` checks types over the whole project; a test's types must not block the start
  typescript: { ignoreBuildErrors: true },
  poweredByHeader: false,
  reactStrictMode: true,
  agentRules: false,
  devIndicators: false,
  headers: async () => [
    { source: '/:path*', headers: [...SECURITY_HEADERS, NOTHING] },
    { source: '/icon.svg', headers: [ICON] },
  ],
}
