import { requireSetting } from '#lib/env.ts'
import { PartnerBodyError } from '#lib/partner/partner-error.ts'
import { createDataClient } from '#lib/partner/wire/data-client.ts'
import { parseProfile } from '#lib/partner/wire/wire-profile.ts'
import type { ProfileRecord } from '#lib/reconcile/records.ts'

const API_VERSION = '1'
/** More profiles than any known account has; an endless list stops here. */
const MAX_PROFILES = 5_000

/**
 * The ids and names of all an account's profiles, read with an access token that belongs to no
 * credential yet. Leaves out records that cannot be read. @throws PartnerError as the data client
 * does; bad_body for an endless list.
 */
export async function readAllProfiles(accessToken: string): Promise<Pick<ProfileRecord, 'id' | 'name'>[]> {
  const partner = requireSetting('partner')
  const client = createDataClient({
    baseUrl: partner.baseUrl,
    apiVersion: API_VERSION,
    pageSize: partner.pageSize,
    getAccessToken: async () => accessToken,
  })
  const profiles = new Map<string, string | null>()
  for (let offset = 0; offset < MAX_PROFILES; ) {
    const { records, total } = await client.listProfilesPage(offset)
    for (const record of records) {
      const read = parseProfile(record)
      if (read.ok) profiles.set(read.profile.id, read.profile.name)
    }
    offset += records.length
    if (records.length === 0 || (total !== null && offset >= total))
      return [...profiles].map(([id, name]) => ({ id, name }))
  }
  throw new PartnerBodyError(`/profiles does not end after ${MAX_PROFILES} records`)
}
