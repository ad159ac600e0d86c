import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Settings, SettingsError } from '#lib/env.ts'
import { isPortFree } from '../run/port-check.ts'
import { type SandboxSecrets, toPartnerVariables } from './sandbox-process.ts'

/**
 * The `PARTNER_` variables for a separate process: none when they are configured, otherwise those
 * of the sandbox that `npm start` runs on the same data directory.
 * @throws SettingsError when there is neither.
 */
export async function partnerVariables(settings: Settings): Promise<Record<string, string>> {
  if (settings.partner) return {}
  const file = join(settings.dataDir, 'sandbox.json')
  const secrets = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as SandboxSecrets) : null
  if (!secrets?.addresses || (await isPortFree(secrets.port)))
    throw new SettingsError(['PARTNER_BASE_URL: is missing, and no sandbox partner runs here; `npm start` brings one.'])
  return toPartnerVariables(secrets.addresses, secrets)
}
