import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'

type StoredToken = { text: string; familyId: string; expiresAt: number }

/** What a restart must remember to keep accounts connected. */
export type OauthSnapshot = {
  enabled: string[]
  families: { id: string; accountId: string; scope: string; revoked: boolean }[]
  accessTokens: StoredToken[]
  refreshTokens: (StoredToken & { generation: number; usedAt: number | null })[]
}

/** `data` is the fingerprint of the data that the accounts had; earlier versions kept none. */
export type Snapshot = OauthSnapshot & { data?: string }

/** The snapshot of an earlier run; null at the first start. */
export function readSnapshot(file: string): Snapshot | null {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Snapshot) : null
}

/** Replaces the file atomically: a kill midway leaves the earlier snapshot whole. */
export function writeSnapshot(file: string, snapshot: Snapshot): void {
  writeFileSync(`${file}.new`, JSON.stringify(snapshot), { mode: 0o600 })
  renameSync(`${file}.new`, file)
}
