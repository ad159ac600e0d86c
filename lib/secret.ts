import { inspect } from 'node:util'

const HIDDEN = '[secret]'

/**
 * A secret that cannot be printed by mistake: in a log line, a message, JSON, an inspected object
 * or a template it reads `[secret]`, and it has no member that could be copied. Only `reveal` gives
 * it out: call that where the secret is used, and pass the Secret on until there.
 */
export class Secret<T = string> {
  readonly #value: T

  constructor(value: T) {
    this.#value = value
  }

  reveal(): T {
    return this.#value
  }

  toString(): string {
    return HIDDEN
  }

  toJSON(): string {
    return HIDDEN
  }

  [Symbol.toPrimitive](): string {
    return HIDDEN
  }

  [inspect.custom](): string {
    return HIDDEN
  }
}

/** `null` stays null: what is not configured is no secret. */
export function toSecret<T>(value: T | null | undefined): Secret<T> | null {
  return value === null || value === undefined ? null : new Secret(value)
}
