export type TextPiece = { text: string; controlName: string | null }

/**
 * Invisible controls, and those that change the text's direction; line feeds and tabs are neither.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the purpose
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/

/**
 * Splits a text at its control characters, each a named piece. The pieces join to the same text.
 */
export function splitControlCharacters(text: string): TextPiece[] {
  if (!CONTROL.test(text)) return [{ text, controlName: null }]
  return text
    .split(new RegExp(`(${CONTROL.source})`))
    .filter((piece) => piece !== '')
    .map((piece) => ({ text: piece, controlName: CONTROL.test(piece) ? toName(piece) : null }))
}

function toName(character: string): string {
  return `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`
}
