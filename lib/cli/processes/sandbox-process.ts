import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { findFreePort } from '#lib/db/embedded-postgres.ts'
import { redirectUri, toChildEnvironment } from '#lib/env.ts'
import { CommandError } from '../run/command-error.ts'
import { isPortFree } from '../run/port-check.ts'
import { lastLinesOf } from './log-file.ts'
import { type ManagedProcess, startProcess } from './managed-process.ts'

/** Kept from start to start, so stored connections keep their platform. */
export type SandboxSecrets = {
  port: number
  clientId: string
  clientSecret: string
  controlKey: string
  scimApiKey: string
  /** Where the last start found it, for web and worker processes started separately. */
  addresses?: SandboxAddresses
}

export type SandboxAddresses = { url: string; baseUrl: string; authUrl: string; scimBaseUrl: string }

export type RunningSandbox = SandboxAddresses & {
  process: ManagedProcess
  secrets: SandboxSecrets
  /** Accounts are still connected from a start with other data. */
  hasOtherData: boolean
}

/** The sandbox's data: a named size, or a number of generated lines. */
export type SandboxSize = { size?: string; lines?: string }

const START_WITHIN_MS = 60_000

/**
 * The sandbox's settings in the data directory; made at the first start, and with a new port when
 * theirs is taken.
 */
export async function provideSandboxSecrets(dataDir: string): Promise<SandboxSecrets> {
  const file = join(dataDir, 'sandbox.json')
  const known = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as SandboxSecrets) : null
  if (known && (await isPortFree(known.port))) return known
  const secrets = known ? { ...known, port: await findFreePort() } : await makeSandboxSecrets()
  writeFileSync(file, JSON.stringify(secrets), { mode: 0o600 })
  return secrets
}

/** New settings on a free port. */
async function makeSandboxSecrets(): Promise<SandboxSecrets> {
  const secret = () => randomBytes(24).toString('base64url')
  const port = await findFreePort()
  return { port, clientId: 'tieout', clientSecret: secret(), controlKey: secret(), scimApiKey: secret() }
}

/**
 * Starts the sandbox partner and waits until it listens. @throws CommandError with its last output
 * when it does not.
 */
export async function startSandboxProcess(
  secrets: SandboxSecrets,
  options: SandboxSize & { appUrl: string; logFile: string; stateFile?: string },
): Promise<RunningSandbox> {
  const { size, lines, appUrl, logFile, stateFile } = options
  const { addresses: _, ...identity } = secrets
  const flags = Object.entries({ size, lines }).flatMap(([name, value]) => (value ? [`--${name}`, value] : []))
  const logBegin = existsSync(logFile) ? statSync(logFile).size : 0
  const process = startProcess({
    args: ['--import', 'tsx', 'lib/sandbox/main.ts', '--stdin', ...flags],
    env: toChildEnvironment({}),
    logFile,
    // secrets in the arguments would show in the process list
    input: JSON.stringify({ ...identity, redirectUris: [redirectUri(appUrl)], stateFile }),
    stopWithinMs: 5_000,
  })
  let ended: string | undefined
  process.exited.then((how) => {
    ended = how
  })
  for (const deadline = Date.now() + START_WITHIN_MS; ; await delay(50)) {
    const ready = readReadyLine(logFile, logBegin)
    if (ready) return { ...ready, process, secrets }
    if (ended === undefined && Date.now() < deadline) continue
    await process.stop(true)
    const sentence = `The sandbox partner did not start (${ended ?? 'it takes too long'}).`
    throw new CommandError(sentence, { details: lastLinesOf(logFile) })
  }
}

/** The line that the sandbox writes when it listens. */
function readReadyLine(logFile: string, begin: number): (SandboxAddresses & { hasOtherData: boolean }) | null {
  const lines = readFileSync(logFile).subarray(begin).toString('utf8').split('\n')
  const ready = lines.slice(0, -1).find((line) => line.startsWith('{"ready":true'))
  return ready ? (JSON.parse(ready) as SandboxAddresses & { hasOtherData: boolean }) : null
}

/** Records where the sandbox is, for `npm run web` and `npm run worker`. */
export function recordSandboxAddresses(
  dataDir: string,
  { secrets, url, baseUrl, authUrl, scimBaseUrl }: RunningSandbox,
): void {
  const addresses: SandboxAddresses = { url, baseUrl, authUrl, scimBaseUrl }
  writeFileSync(join(dataDir, 'sandbox.json'), JSON.stringify({ ...secrets, addresses }), { mode: 0o600 })
}

/** The `PARTNER_` variables that point web and worker at the sandbox, on this machine. */
export function toPartnerVariables(
  { baseUrl, authUrl, scimBaseUrl }: SandboxAddresses,
  secrets: SandboxSecrets,
): Record<string, string> {
  return {
    PARTNER_BASE_URL: baseUrl,
    PARTNER_AUTH_URL: authUrl,
    PARTNER_SCIM_BASE_URL: scimBaseUrl,
    PARTNER_CLIENT_ID: secrets.clientId,
    PARTNER_CLIENT_SECRET: secrets.clientSecret,
    PARTNER_PRIVATE_ADDRESSES: 'allowed',
  }
}
