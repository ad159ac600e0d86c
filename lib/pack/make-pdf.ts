/** The pack's one file: a PDF/A-3b, set by a process of its own, which carries its own hash. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { KEYWORD } from './document.ts'
import { besides } from './own-files.ts'

/** For the largest pack several times over. */
const DEADLINE_MS = 300_000
const PLACEHOLDER = Buffer.from(`${KEYWORD}${'0'.repeat(64)}`)

/**
 * Sets the document over the attachments in the folder. The same document and attachments give the
 * same bytes at any time: the moment of its making is the one that is passed.
 * @throws Error when the typesetter fails.
 */
export async function makePdf(folder: string, document: unknown, at: Date, signal: AbortSignal): Promise<Buffer> {
  await writeFile(join(folder, 'document.json'), JSON.stringify(document))
  const args = [besides('typeset.mjs'), folder, `${Math.floor(at.getTime() / 1000)}`]
  // it gets nothing of this process's settings: among them are keys
  await promisify(execFile)(process.execPath, args, { timeout: DEADLINE_MS, signal, env: { NODE_ENV: 'production' } })
  return writeOwnHash(await readFile(join(folder, 'pack.pdf')))
}

/**
 * Puts the SHA-256 of the file, with zeros in its own place, into each of its places: in the PDF's
 * properties and its metadata, both of which are written as they are. So no byte of the file is
 * outside some hash, also none that nobody would read.
 */
function writeOwnHash(pdf: Buffer): Buffer {
  const hash = createHash('sha256').update(pdf).digest('hex')
  let places = 0
  for (let at = pdf.indexOf(PLACEHOLDER); at >= 0; at = pdf.indexOf(PLACEHOLDER, at + 1)) {
    pdf.write(hash, at + KEYWORD.length, 'latin1')
    places += 1
  }
  if (places === 0) throw new Error('The document has no place for its hash.')
  return pdf
}
