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

/** @type {import('next').NextConfig} */
export default {
  distDir: process.env.TIEOUT_DIST_DIR ?? '.next',
  turbopack: {
    root: fileURLToPath(new URL('.', import.meta.url)),
    // for browsers that lack what our own pages need; 0.6 kB of every page
    resolveAlias: { '../build/polyfills/polyfill-module': 'next/dist/compiled/server-only/empty.js' },
  },
  serverExternalPackages: ['pg', '@prisma/client', '@prisma/adapter-pg', 'pino'],
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
