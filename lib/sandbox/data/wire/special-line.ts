import type { StoredLine } from '../model.ts'
import type { Trip } from '../trips.ts'
import type { JsonObject, JsonValue } from './json.ts'
import { isJsonObject } from './json.ts'

/** A hand-written line for one of an entity's invoices. */
export type SpecialLine = {
  /** What is odd about it; also the source of its id. */
  name: string
  /** The currency of the entity (first account) whose invoices may carry it. */
  currency: string
  make(trip: Trip, id: string): StoredLine
}

/** Changes members of a line's metadata; undefined removes a member. */
export function withMetadata(wire: JsonObject, change: { [key: string]: JsonValue | undefined }): JsonObject {
  const metadata = isJsonObject(wire.metadata) ? wire.metadata : {}
  return { ...wire, metadata: { ...metadata, ...change } }
}
