import { fileURLToPath } from 'node:url'

/** @type {import('next').NextConfig} */
export default {
  distDir: process.env.TIEOUT_DIST_DIR ?? '.next',
  turbopack: { root: fileURLToPath(new URL('.', import.meta.url)) },
  serverExternalPackages: ['pg', '@prisma/client', '@prisma/adapter-pg', 'pino'],
  images: { unoptimized: true },
  poweredByHeader: false,
  reactStrictMode: true,
  agentRules: false,
  devIndicators: false,
}
