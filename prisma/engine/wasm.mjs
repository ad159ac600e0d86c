/**
 * Loads the WebAssembly schema engine; its own loader is for bundlers, which read .wasm files as
 * modules.
 */
import { readFileSync } from 'node:fs'
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils'
import * as bindings from '@prisma/schema-engine-wasm/schema_engine_bg'

/**
 * The words of the last Rust panic; empty while there was none. The engine's glue code calls
 * `set_message`.
 */
export const panic = {
  message: '',
  set_message(message) {
    this.message = message
  },
}

/** An engine over `factory` that knows the given `[file, text]` pairs of schema files. */
export async function loadEngine(factory, datamodels) {
  globalThis.PRISMA_WASM_PANIC_REGISTRY = panic
  const file = new URL('schema_engine_bg.wasm', import.meta.resolve('@prisma/schema-engine-wasm'))
  const { instance } = await WebAssembly.instantiate(readFileSync(file), { './schema_engine_bg.js': bindings })
  bindings.__wbg_set_wasm(instance.exports)
  instance.exports.__wbindgen_start()
  const options = { datamodels: datamodels.length > 0 ? datamodels : undefined }
  return bindings.SchemaEngine.new(options, () => {}, bindMigrationAwareSqlAdapterFactory(factory))
}
