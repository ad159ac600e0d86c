import type { Formats } from '../formats.ts'

/** What a function returns for a request of a person with these formats. */
export function withFormats<Result>(formats: Formats, run: () => Result): Result {
  const door = globalThis as { tieoutFormats?: { getStore(): { formats: Formats } } }
  const before = door.tieoutFormats
  door.tieoutFormats = { getStore: () => ({ formats }) }
  try {
    return run()
  } finally {
    if (before === undefined) delete door.tieoutFormats
    else door.tieoutFormats = before
  }
}
