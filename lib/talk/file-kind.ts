/** What files people may attach, told by their first bytes alone. Pure: pages have it, too. */

/** By what its bytes begin with; neither its name nor what a browser calls it counts. */
const BEGINNINGS = {
  pdf: (bytes: Uint8Array) => isAt(bytes, 0, [0x25, 0x50, 0x44, 0x46, 0x2d]),
  png: (bytes: Uint8Array) => isAt(bytes, 0, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  jpeg: (bytes: Uint8Array) => isAt(bytes, 0, [0xff, 0xd8, 0xff]),
  webp: (bytes: Uint8Array) => isAt(bytes, 0, [0x52, 0x49, 0x46, 0x46]) && isAt(bytes, 8, [0x57, 0x45, 0x42, 0x50]),
} as const satisfies Record<string, (bytes: Uint8Array) => boolean>

export type FileKind = keyof typeof BEGINNINGS

/** Each kind: how people and how browsers call it, and how names of it end, the usual one first. */
export const FILE_KINDS: Record<FileKind, { label: string; type: string; endings: readonly string[] }> = {
  pdf: { label: 'PDF', type: 'application/pdf', endings: ['pdf'] },
  png: { label: 'PNG', type: 'image/png', endings: ['png'] },
  jpeg: { label: 'JPEG', type: 'image/jpeg', endings: ['jpg', 'jpeg'] },
  webp: { label: 'WebP', type: 'image/webp', endings: ['webp'] },
}

/** The most bytes of a file: 10 MB. */
export const MOST_FILE_BYTES = 10 * 1024 * 1024
/** As many bytes of its beginning tell what a file is. */
export const BEGINNING_BYTES = 12
/** The most files of one comment. */
export const MOST_FILES = 10
/** The most characters of a file's name. */
const MOST_OF_NAME = 120

export type FileTrouble = 'empty' | 'too-large' | 'wrong-kind'

/** What to tell whoever sends such a file: in the browser, and where one got past it. */
export const FILE_TROUBLES: Record<FileTrouble, string> = {
  empty: 'The file is empty. Choose another one.',
  'too-large': 'The file is larger than 10 MB. Send a smaller one, or a part of it.',
  'wrong-kind':
    'The file is neither a PDF nor a picture (PNG, JPEG, WebP), whatever its name says. Save it as one of these first.',
}

/** What is wrong with a file of this size that begins so; null for nothing. */
export function findTrouble(size: number, beginning: Uint8Array): FileTrouble | null {
  if (size === 0) return 'empty'
  if (size > MOST_FILE_BYTES) return 'too-large'
  return findFileKind(beginning) === null ? 'wrong-kind' : null
}

/** What a file is, by its first bytes; null for everything that is not attached. */
export function findFileKind(beginning: Uint8Array): FileKind | null {
  const kinds = Object.keys(BEGINNINGS) as FileKind[]
  return kinds.find((kind) => BEGINNINGS[kind](beginning)) ?? null
}

function isAt(bytes: Uint8Array, at: number, wanted: readonly number[]): boolean {
  return wanted.every((byte, index) => bytes[at + index] === byte)
}

/** Controls, what turns text around, and what shows as nothing; of tabs and lines a space stays. */
const UNSHOWN = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\ufffd]/gu

/**
 * The name of a file as it is kept and shown: its last part, on one line, with nothing that hides
 * or turns text around, of at most 120 characters, and never empty. The ending stays at its end.
 */
export function toFileName(text: string): string {
  const plain = text
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\t-\r]/g, ' ')
    .replace(UNSHOWN, '')
  const last = plain.split(/[/\\]/).at(-1) ?? ''
  const name = [...last.replace(/\s+/g, ' ').replace(/^[ .]+|[ .]+$/g, '')]
  if (name.length === 0) return 'file'
  if (name.length <= MOST_OF_NAME) return name.join('')
  const ending = /\.[\p{L}\p{N}]{1,10}$/u.exec(name.slice(-12).join(''))?.[0] ?? ''
  return `${name.slice(0, MOST_OF_NAME - 1 - [...ending].length).join('')}…${ending}`
}

/** The name under which a browser keeps it: it ends as files of its kind do, whatever it said. */
export function toKeptName(name: string, kind: FileKind): string {
  const { endings } = FILE_KINDS[kind]
  const lower = name.toLowerCase()
  return endings.some((ending) => lower.endsWith(`.${ending}`)) ? name : `${name}.${endings[0]}`
}
