/**
 * The keys this process seals and opens with. The first public key is the active one. If the
 * configured keys came from `DATA_DIR/keys`, running processes follow those files and notice keys
 * added and retired (`npm run keys`), however often. Keys configured at the start stay good for
 * opening until the process ends.
 */
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type JwkSet, requireSetting, settings } from '#lib/env.ts'
import { log } from '#lib/log.ts'
import { processWide } from '#lib/process-wide.ts'

/** The key files in `DATA_DIR/keys`. */
export const KEY_FILES = { publicKeys: 'token-public-keys.json', privateKeys: 'token-private-keys.json' } as const

/** The public keys, active one first. @throws SettingsError when none is configured. */
export function sealingKeys(): JwkSet {
  const configured = requireSetting('tokenPublicKeys')
  return follow('publicKeys', configured) ?? configured
}

/** Every private key at hand. @throws SettingsError in a process without any: the web process. */
export function openingKeys(): JwkSet {
  const configured = requireSetting('tokenPrivateKeys').reveal()
  const followed = follow('privateKeys', configured)
  if (followed === null) return configured
  const known = new Set(followed.keys.map(({ kid }) => kid))
  return { keys: [...followed.keys, ...configured.keys.filter(({ kid }) => !known.has(kid))] }
}

/**
 * Looks at the key files while they surely are those that the configured keys came from: later all
 * keys of the start may be retired, before this process has had anything to seal.
 */
export function beginFollowingKeys(): void {
  if (settings().tokenPublicKeys !== null) sealingKeys()
}

/** `keys`: those of the file; null = the configured keys did not come from there. */
type Followed = { mtimeMs: number; keys: JwkSet | null }

/**
 * The file's key set, if the configured one came from there: they had a key in common when they
 * were first looked at.
 */
function follow(which: keyof typeof KEY_FILES, configured: JwkSet): JwkSet | null {
  const file = join(settings().dataDir, 'keys', KEY_FILES[which])
  const mtimeMs = statSync(file, { throwIfNoEntry: false })?.mtimeMs
  if (mtimeMs === undefined) return null
  const files = processWide('tieoutFollowedKeys', () => new Map<string, Followed>())
  const cached = files.get(file)
  if (cached?.mtimeMs === mtimeMs) return cached.keys
  const read = readKeys(file)
  const followed = cached?.keys ?? null
  const isOurs = followed !== null || read?.keys.some((key) => configured.keys.some((other) => isSame(key, other)))
  // a file that cannot be read now, because it is being replaced, changes nothing
  const keys = isOurs && read !== null ? read : followed
  files.set(file, { mtimeMs, keys })
  return keys
}

type Key = JwkSet['keys'][number]
const isSame = (one: Key, other: Key): boolean => one.kid === other.kid && one.x === other.x

function readKeys(file: string): JwkSet | null {
  try {
    const value = JSON.parse(readFileSync(file, 'utf8')) as JwkSet
    return Array.isArray(value.keys) && value.keys.every(({ kid }) => typeof kid === 'string') ? value : null
  } catch (error) {
    log.warn({ file, reason: error instanceof Error ? error.message : String(error) }, 'key file cannot be read')
    return null
  }
}
