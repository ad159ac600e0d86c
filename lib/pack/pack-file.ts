/**
 * The files of a pack, written as they are made: no file of a large pack is in memory as a whole.
 */
import { createHash, type Hash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'

export type FileFacts = { name: string; size: number; sha256: string }

/** Pieces are gathered to this many bytes before they are written. */
const PIECE_BYTES = 262_144

export class PackFile {
  readonly #name: string
  readonly #handle: FileHandle
  readonly #hash: Hash = createHash('sha256')
  #pieces: Buffer[] = []
  #waiting = 0
  #size = 0

  private constructor(name: string, handle: FileHandle) {
    this.#name = name
    this.#handle = handle
  }

  static async create(folder: string, name: string): Promise<PackFile> {
    return new PackFile(name, await open(join(folder, name), 'wx', 0o600))
  }

  async write(text: string | Buffer): Promise<void> {
    const piece = Buffer.from(text as string)
    this.#pieces.push(piece)
    this.#waiting += piece.length
    if (this.#waiting >= PIECE_BYTES) await this.#flush()
  }

  async #flush(): Promise<void> {
    const bytes = Buffer.concat(this.#pieces)
    this.#pieces = []
    this.#waiting = 0
    this.#hash.update(bytes)
    this.#size += bytes.length
    await this.#handle.write(bytes)
  }

  /** Ends the file; what it holds. */
  async end(): Promise<FileFacts> {
    await this.#flush()
    await this.#handle.close()
    return { name: this.#name, size: this.#size, sha256: this.#hash.digest('hex') }
  }
}
