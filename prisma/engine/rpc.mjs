/**
 * The engine's side of the talk with the Prisma CLI: one JSON-RPC 2.0 message a line, answered one
 * after the other.
 */
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { createAdapterFactory } from './adapter.mjs'
import { createDatabase, databaseName } from './database.mjs'
import { loadEngine, panic } from './wasm.mjs'

/** The CLI's codes for a failure that it understands and for one that it reports as a crash. */
const KNOWN_FAILURE = 4466
const CRASH = 4467
const CRASH_EXIT_CODE = 101

/** Answers requests until standard input ends. */
export async function serveRpc({ datasource, datamodelFiles }) {
  const { factory, closeAll } = createAdapterFactory(datasource)
  const datamodels = datamodelFiles.map((file) => [file, readFileSync(file, 'utf8')])
  let engine
  let currentId = null

  const call = async (method, params) => {
    if (method === 'createDatabase') {
      const name = databaseName(datasource.url)
      await createDatabase(datasource.url, name)
      return { databaseName: name }
    }
    engine ??= await loadEngine(factory, datamodels)
    if (method === 'getDatabaseVersion') return engine.version(params ?? null)
    // these two know the schema of the migrations only when a diagnosis has just replayed them
    if (method === 'evaluateDataLoss' || method === 'createMigration') {
      const { migrationsList, filters } = params
      await engine.diagnoseMigrationHistory({ migrationsList, filters, optInToShadowDatabase: true })
    }
    return (await engine[method](params)) ?? {}
  }

  // a Rust panic is no rejection of the call but an uncaught error
  process.on('uncaughtException', (error) => {
    const message = panic.message || error.stack || String(error)
    const data = { is_panic: true, message, error: { message } }
    const done = () => process.exit(CRASH_EXIT_CODE)
    if (currentId === null) done()
    else send({ id: currentId, error: { code: CRASH, message, data } }).then(done)
  })

  for await (const line of createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
    const { id, method, params } = line.trim() ? JSON.parse(line) : {}
    if (!method) continue // an answer to our own `print`
    currentId = id
    try {
      await reply(id, method, await call(method, params))
    } catch (error) {
      const message = panic.message || error.message || String(error)
      const data = { is_panic: false, message, meta: error.meta ?? null, error_code: error.code ?? null }
      await send({ id, error: { code: KNOWN_FAILURE, message: 'See data.', data } })
    }
  }
  await closeAll()
}

/** A difference is not answered but printed, by a request of ours to the CLI. */
async function reply(id, method, result) {
  if (method !== 'diff' || result.stdout == null) return send({ id, result })
  await send({ id: `print ${id}`, method: 'print', params: { content: result.stdout } })
  return send({ id, result: { exitCode: result.exitCode, stdout: null } })
}

function send(message) {
  return new Promise((resolve) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`, resolve))
}
