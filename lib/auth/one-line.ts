import * as z from 'zod'

/**
 * A name that somebody gives: trimmed, 1 to 120 characters. Refuses control characters, line breaks
 * and marks of direction, which make a name look like another or like several.
 */
export const oneLine = z
  .string()
  .transform((text) => text.trim())
  .pipe(
    z
      .string()
      .min(1)
      .max(120)
      .regex(/^[^\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]*$/u),
  )
