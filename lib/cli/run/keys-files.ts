import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { KEY_FILES } from '#lib/connections/tokens/key-ring.ts'
import { type JwkSet, parsePrivateKeys, parsePublicKeys, type Settings } from '#lib/env.ts'
import { Secret } from '#lib/secret.ts'
import { makePrivateKeySet, provideWorkerKeys, toPublicKeySet } from './keys.ts'

/** The private ring in use: configured, or from `DATA_DIR/keys`, created there if missing. */
export function readRing(settings: Settings): JwkSet {
  return JSON.parse(provideWorkerKeys(settings).tokenPrivateKeys) as JwkSet
}

/** The rings configured or in files; unlike `readRing` it makes none. @throws SettingsError */
export function readKeysAtHand(settings: Settings): {
  publicKeys: JwkSet | null
  privateKeys: Settings['tokenPrivateKeys']
} {
  const inFile = (name: string, parse: (source: string, text: string) => JwkSet) => {
    const file = join(settings.dataDir, 'keys', name)
    return existsSync(file) ? parse(file, readFileSync(file, 'utf8')) : null
  }
  const { tokenPublicKeys, tokenPrivateKeys } = settings
  // a configured half says that its files are not the ones in use
  if (tokenPublicKeys !== null || tokenPrivateKeys !== null)
    return { publicKeys: tokenPublicKeys, privateKeys: tokenPrivateKeys }
  const privateKeys = inFile(KEY_FILES.privateKeys, parsePrivateKeys)
  return {
    publicKeys: inFile(KEY_FILES.publicKeys, parsePublicKeys),
    privateKeys: privateKeys === null ? null : new Secret(privateKeys),
  }
}

/** True when variables configure the keys, so only those variables can change them. */
export function areKeysConfigured(settings: Settings): boolean {
  return settings.tokenPrivateKeys !== null
}

/** The ring with a new, active key in front. */
export function addKey(ring: JwkSet): JwkSet {
  const { keys } = JSON.parse(makePrivateKeySet()) as JwkSet
  return { keys: [...keys, ...ring.keys] }
}

export function removeKey(ring: JwkSet, keyId: string): JwkSet {
  return { keys: ring.keys.filter(({ kid }) => kid !== keyId) }
}

/**
 * Writes both halves of a ring under `DATA_DIR/keys`, each atomically and for this user only. When
 * variables configure the keys, writes beside them as `next-...`, to be copied to where the
 * variables come from.
 * @returns the two files. The order matters to processes that follow them: a new key can open
 * before anything is sealed to it (`isAdding`); an old one is no longer sealed to before it can no
 * longer open.
 */
export function writeRing(
  settings: Settings,
  ring: JwkSet,
  isAdding: boolean,
): { publicKeys: string; privateKeys: string } {
  const folder = join(settings.dataDir, 'keys')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const prefix = areKeysConfigured(settings) ? 'next-' : ''
  const publicKeys = join(folder, prefix + KEY_FILES.publicKeys)
  const privateKeys = join(folder, prefix + KEY_FILES.privateKeys)
  const privateText = JSON.stringify(ring)
  const writes = [
    () => replaceFile(privateKeys, privateText),
    () => replaceFile(publicKeys, toPublicKeySet(privateText)),
  ]
  for (const write of isAdding ? writes : writes.reverse()) write()
  return { publicKeys, privateKeys }
}

function replaceFile(file: string, text: string): void {
  const draft = `${file}.draft`
  const handle = openSync(draft, 'w', 0o600)
  try {
    writeSync(handle, text)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  renameSync(draft, file)
}
