import * as z from 'zod'

/**
 * What nobody sees in a name: control characters, line breaks, marks of direction, halves of
 * characters, and what has no width, such as a soft hyphen. It makes a name look like another, or
 * like several.
 */
const UNSEEN = String.raw`\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}`

/**
 * Joiners and variants, which Persian and Indic names and pictures are written with, only where
 * they are seen: behind a letter of Arabic script, a mark, or a picture.
 */
const JOINED = String.raw`(?<=[\p{Script=Arabic}\p{M}\p{Extended_Pictographic}])[\u200c\u200d\ufe0f]`

/** Nothing in it is unseen. */
const ALL_SEEN = new RegExp(`^(?:[^${UNSEEN}]|${JOINED})*$`, 'u')

/** A name that somebody gives: trimmed, one line of 1 to `max` characters that are all seen. */
export function lineOf(max: number) {
  return z
    .string()
    .transform((text) => text.trim())
    .pipe(z.string().min(1).max(max).regex(ALL_SEEN))
}

export const oneLine = lineOf(120)

/** One line; or `blank`, where nothing but blanks was written. */
export function lineOr<Blank>(blank: Blank) {
  const nothing = z.string().regex(/^\s*$/)
  return z.union([oneLine, nothing.transform(() => blank)])
}

/** An address that two people cannot read alike: nothing in it is unseen, and no blank. */
export function isSeenAddress(email: string): boolean {
  return !new RegExp(`[${UNSEEN}\\s]`, 'u').test(email)
}
