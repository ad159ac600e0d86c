/**
 * JSON text written verbatim: numbers beyond 2^53, decimals with trailing zeros, deliberate
 * nonsense.
 */
export class RawJson {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
  /** JSON.stringify cannot copy text verbatim: this stops it, and `toJson` takes over. */
  toJSON(): never {
    throw RAW_JSON_MET
  }
}

const RAW_JSON_MET = new Error('JSON.stringify has met text that is written as it stands')

export type JsonValue = string | number | boolean | null | RawJson | JsonValue[] | JsonObject
export type JsonObject = { [key: string]: JsonValue | undefined }

/** Writes JSON like JSON.stringify, but copies RawJson verbatim. Leaves out undefined members. */
export function toJson(value: JsonValue): string {
  try {
    // many times faster, and most replies have no RawJson
    return JSON.stringify(value)
  } catch (thrown) {
    if (thrown !== RAW_JSON_MET) throw thrown
    return writeJson(value)
  }
}

function writeJson(value: JsonValue): string {
  if (value instanceof RawJson) return value.text
  if (Array.isArray(value)) return `[${value.map(toJson).join(',')}]`
  if (value !== null && typeof value === 'object') {
    const members: string[] = []
    for (const [key, member] of Object.entries(value)) {
      if (member !== undefined) members.push(`${JSON.stringify(key)}:${toJson(member)}`)
    }
    return `{${members.join(',')}}`
  }
  return JSON.stringify(value)
}

/** True for a plain JSON object (not null, not an array, not raw text). */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof RawJson)
}

/**
 * A scalar's text as a careful reader would see it, digits untouched; null for null, missing and
 * containers.
 */
export function scalarText(value: JsonValue | undefined): string | null {
  if (value instanceof RawJson) return value.text
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return null
}
