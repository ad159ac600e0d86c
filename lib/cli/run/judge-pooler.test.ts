import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import { type Settings, settings } from '#lib/env.ts'
import { judgePooler } from './judge-pooler.ts'

let database: TestDatabase
let pooler: Server
let pooled: string

beforeAll(async () => {
  database = await createTestDatabase()
  const { hostname, port } = new URL(database.url)
  // says a process of its own, as a pooler has to: which of the server's it will be is open yet
  pooler = createServer((client) => {
    const server = connect(Number(port), hostname.replace(/^\[|\]$/g, ''))
    client.pipe(server)
    server.on('data', (bytes) => client.write(withOtherProcess(bytes)))
    server.on('end', () => client.end())
    for (const socket of [client, server]) socket.on('error', () => socket.destroy())
  })
  await new Promise<void>((resolve) => pooler.listen(0, '127.0.0.1', resolve))
  const address = new URL(database.url)
  address.host = `127.0.0.1:${(pooler.address() as AddressInfo).port}`
  pooled = address.href
})
afterAll(async () => {
  pooler.close()
  await database.drop()
})

/** BackendKeyData is `K`, a length of 12, the process and a secret. */
function withOtherProcess(bytes: Buffer): Buffer {
  const at = bytes.indexOf(Buffer.from([0x4b, 0, 0, 0, 12]))
  if (at >= 0 && bytes.length >= at + 13) bytes.writeInt32BE(1_000_000_007, at + 5)
  return bytes
}

const judge = (change: Partial<Settings>) => judgePooler({ ...settings(), databaseUrl: database.url, ...change })

test('a start that meets a pooler says in one sentence what it needs', async () => {
  await judge({})
  await judge({ databaseUrl: pooled, databaseDirectUrl: database.url })
  await expect(judge({ databaseUrl: pooled })).rejects.toThrow(
    'DATABASE_DIRECT_URL: is missing, while DATABASE_URL leads through a connection pooler; name the host and port of PostgreSQL itself there (docs/operations.md, "Behind a connection pooler").',
  )
  await expect(judge({ databaseUrl: pooled, databaseDirectUrl: pooled })).rejects.toThrow(
    'DATABASE_DIRECT_URL: leads through a connection pooler; name the host and port of PostgreSQL itself.',
  )
  await expect(judge({ databaseOwnerUrl: pooled })).rejects.toThrow(
    'DATABASE_OWNER_URL: leads through a connection pooler',
  )
})
