/** Where a lake is. Names are paths from its root, with `/`. */
export type LakeStore = {
  /** For people and the audit; holds no secret. */
  where: string
  /** A folder for files that are not finished; `publish` takes them from there. */
  openStaging: (folder: string) => Promise<string>
  closeStaging: (staging: string) => Promise<void>
  /** A small file's bytes; null when there is none. */
  read: (path: string) => Promise<Uint8Array | null>
  /** Its length; null when there is none. */
  sizeOf: (path: string) => Promise<number | null>
  /** Puts a staged file there, whole, in place of what was there. */
  publish: (path: string, staged: string, sha256: string) => Promise<void>
  /** The same with bytes. */
  write: (path: string, bytes: Uint8Array) => Promise<void>
  /** Nothing happens when there is none. */
  remove: (path: string) => Promise<void>
}
