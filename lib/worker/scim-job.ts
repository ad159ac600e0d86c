/** SCIM checks: only the worker opens the API key and asks the platform. */
import { type ClaimedScimCheck, claimScimCheck, failScimCheck } from '#lib/connections/scim/scim-checks.ts'
import { type ScimReadings, storeScimReadings } from '#lib/connections/scim/scim-readings.ts'
import { openScimKey } from '#lib/connections/tokens/scim-key.ts'
import type { JwkSet } from '#lib/env.ts'
import { OperationalError } from '#lib/errors.ts'
import { log } from '#lib/log.ts'
import { readScimEndpoint } from '#lib/partner/scim/scim-client.ts'
import { SCIM_ENDPOINTS } from '#lib/partner/scim/scim-model.ts'

export type ScimSettings = {
  /** Null when PARTNER_SCIM_BASE_URL is not configured: checks then end at once and say so. */
  scimBaseUrl: string | null
  privateKeys: JwkSet
}

/**
 * Asks the three endpoints for one claimed check and stores what they said, failures included.
 * Opens the key anew for each: a key removed meanwhile, or destroyed with its link, is not used
 * again.
 */
export async function runScimDiscovery(check: ClaimedScimCheck, settings: ScimSettings): Promise<void> {
  const { scimBaseUrl } = settings
  if (scimBaseUrl === null) return failScimCheck(check, 'not_configured')
  const readings: ScimReadings = []
  for (const endpoint of SCIM_ENDPOINTS) {
    const apiKey = await openKey(check, settings.privateKeys)
    if (apiKey === 'unreadable') return failScimCheck(check, 'key_unreadable')
    if (apiKey === null) return failScimCheck(check, 'no_key')
    const reading = await readScimEndpoint(endpoint, { scimBaseUrl, apiKey: apiKey.key })
    readings.push({ endpoint, reading })
    const problem = reading.kind === 'problem' ? reading.problem.code : null
    log.info({ connection: check.connectionId, endpoint, problem }, 'scim endpoint asked')
  }
  const isStored = await storeScimReadings(check, readings)
  if (!isStored) log.warn({ check: check.id }, 'scim check was taken over by another worker')
}

/** The key in an object, to tell it apart from the words that say there is none. */
async function openKey(check: ClaimedScimCheck, privateKeys: JwkSet): Promise<{ key: string } | 'unreadable' | null> {
  try {
    const key = await openScimKey(check.organizationId, check.connectionId, privateKeys)
    return key === null ? null : { key }
  } catch (thrown) {
    if (!(thrown instanceof OperationalError) || thrown.code !== 'token-unreadable') throw thrown
    log.error({ connection: check.connectionId, reason: thrown.message }, 'scim key cannot be opened')
    return 'unreadable'
  }
}

/**
 * Claims and runs checks, one after another, until none is left or `signal` fires. An interrupted
 * check is found again when its lease ends. @returns how many it ran.
 */
export async function runDueScimChecks(settings: ScimSettings, signal: AbortSignal): Promise<number> {
  let count = 0
  while (!signal.aborted) {
    const check = await claimScimCheck()
    if (check === null) break
    await runScimDiscovery(check, settings)
    count += 1
  }
  return count
}
