/** A JSON number digit for digit: a JavaScript number would lose 9007199254740993 and 20.10. */
export class NumberText {
  readonly numberText: string
  constructor(numberText: string) {
    this.numberText = numberText
  }
}

export type JsonValue = null | boolean | string | NumberText | JsonValue[] | { [key: string]: JsonValue }

export type JsonObject = { [key: string]: JsonValue }

/** Whether a parsed value is an object, not a list or a number. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof NumberText)
}
