import { fileURLToPath } from 'node:url'
import { defineConfig } from 'prisma/config'

// The Prisma CLI would download a native engine even for `generate`; the published wasm engine
// stands in for it.
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= fileURLToPath(new URL('./schema-engine.mjs', import.meta.url))

export default defineConfig({
  schema: 'schema.prisma',
  migrations: { path: 'migrations' },
  datasource: { url: process.env.DATABASE_URL ?? '' },
})
