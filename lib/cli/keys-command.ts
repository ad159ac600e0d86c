import { countKeyUse, giveUpKey, type KeyUse, retireKey } from '#lib/connections/tokens/key-use.ts'
import { endPool, switchPool } from '#lib/db/pool.ts'
import { settings as readSettings, type Settings } from '#lib/env.ts'
import { CommandError } from './run/command-error.ts'
import { provideDataDir, requireInstallation } from './run/data-dir.ts'
import { provideDatabase } from './run/database.ts'
import { judgeKeys, provideWorkerKeys } from './run/keys.ts'
import { addKey, areKeysConfigured, readRing, removeKey, writeRing } from './run/keys-files.ts'
import type { Lifetime } from './run/lifetime.ts'
import { say } from './run/terminal.ts'

const ACTIONS = ['public', 'status', 'rotate', 'retire']
const USAGE = 'npm run keys -- public | status | rotate | retire [key id] [--lost]'

/**
 * The keys that seal tokens. `public` prints what the web server needs, `status` shows what is
 * sealed to which key, `rotate` puts a new key in front, `retire` removes a key that nothing is
 * sealed to (`--lost`: also a lost key, with everything only it could open).
 * @throws CommandError for a wrong call, and when a key is still in use.
 */
export async function keys(lifetime: Lifetime, args: string[]): Promise<void> {
  // parsed by hand: a key's id may begin with a dash
  const [action, keyId] = args.filter((each) => each !== '--lost')
  const settings = readSettings()
  if (action === undefined || !ACTIONS.includes(action)) throw new CommandError(`Usage: ${USAGE}`)
  if (action !== 'public') requireInstallation(settings, 'worker')
  judgeKeys(settings, ['worker'])
  provideDataDir(settings.dataDir)
  if (action === 'public') return say(provideWorkerKeys(settings).tokenPublicKeys)
  if (action === 'rotate') return rotate(settings)
  const { worker: databaseUrl } = await provideDatabase(settings, lifetime, ['worker'])
  await switchPool(databaseUrl)
  try {
    if (action === 'status')
      say(
        describeKeys(
          readRing(settings).keys.map(({ kid }) => kid),
          await countKeyUse(),
        ),
      )
    else await retire(settings, keyId, args.includes('--lost'))
  } finally {
    await endPool()
  }
}

function rotate(settings: Settings): void {
  const ring = addKey(readRing(settings))
  const files = writeRing(settings, ring, true)
  say(`The new key is ${ring.keys[0]?.kid}; ${ring.keys.length} keys are in the ring.`)
  if (areKeysConfigured(settings)) {
    say('The keys are configured by variables. Set them anew, first for the worker, then for the web server:')
    say(`  TOKEN_PRIVATE_KEYS  from ${files.privateKeys} (the worker alone), and restart the worker`)
    say(`  TOKEN_PUBLIC_KEYS   from ${files.publicKeys} (both), and restart both; then delete the two files`)
  } else {
    say('Running processes take it up by themselves; the worker seals everything anew within a minute or so.')
    say('A web server with its own data directory gets what `npm run keys -- public` prints.')
  }
  say('`npm run keys -- status` shows how far it is; `npm run keys -- retire` takes the old key out at the end.')
}

async function retire(settings: Settings, wanted: string | undefined, isLost: boolean): Promise<void> {
  const ring = readRing(settings)
  const active = ring.keys[0]?.kid ?? ''
  const candidates = isLost ? (await countKeyUse()).map(({ keyId }) => keyId) : ring.keys.map(({ kid }) => kid)
  const others = candidates.filter((keyId) => keyId !== active)
  const keyId = wanted ?? (others.length === 1 ? others[0] : undefined)
  if (keyId === active) throw new CommandError(`${keyId} is the active key: rotate first.`)
  if (keyId === undefined || !others.includes(keyId))
    throw new CommandError(others.length === 0 ? 'There is no key to retire.' : `Which one? ${others.join(' or ')}`)
  if (isLost) {
    if (wanted === undefined) throw new CommandError('Name the key that is lost: what is sealed to it is destroyed.')
    const count = await giveUpKey(keyId, active)
    say(`${keyId} is given up; connections to reconnect: ${count}.`)
  } else {
    const use = await retireKey(keyId)
    if (use !== null)
      throw new CommandError(
        `${keyId} is still in use (${describeUse(use)}): wait until the worker has sealed that anew.`,
      )
    say(`${keyId} is retired.`)
  }
  const files = writeRing(settings, removeKey(ring, keyId), false)
  if (areKeysConfigured(settings))
    say(
      `Set TOKEN_PUBLIC_KEYS from ${files.publicKeys}, then TOKEN_PRIVATE_KEYS from ${files.privateKeys}, and restart.`,
    )
}

/** One line per key: which is active, which are at hand, and what is sealed to each. */
export function describeKeys(ring: string[], uses: KeyUse[]): string {
  const all = [...new Set([...ring, ...uses.map(({ keyId }) => keyId)])]
  const waiting = uses.filter(({ keyId }) => keyId !== ring[0]).reduce((sum, { total }) => sum + total, 0)
  const total = uses.reduce((sum, use) => sum + use.total, 0)
  const lines = all.map((keyId) => {
    const use = uses.find((each) => each.keyId === keyId)
    const place = keyId === ring[0] ? 'active' : ring.includes(keyId) ? 'opens only' : 'MISSING: see docs/operations.md'
    return `  ${keyId}  ${place}; ${use === undefined || use.total === 0 ? 'nothing is sealed to it' : describeUse(use)}`
  })
  lines.push(`  Sealed to the active key: ${total - waiting} of ${total}`)
  return lines.join('\n')
}

function describeUse({ rows }: KeyUse): string {
  const parts = Object.entries(rows).filter(([, count]) => count > 0)
  return parts.map(([name, count]) => `${count} ${name}`).join(', ')
}
