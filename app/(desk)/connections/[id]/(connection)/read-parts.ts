/** Data that several parts of the page show, read once per request. */

import { cache } from 'react'
import { listRuns } from '#lib/connections/runs/connection-rows.ts'
import { settings } from '#lib/env.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import { listDecidedLosses } from '#lib/sync/losses/list-losses.ts'
import type { HostState } from '#lib/sync/model.ts'
import { listPartnerHosts } from '#lib/sync/platform/partner-host.ts'

const RUNS_SHOWN = 8

/** A connection's last runs, and the losses on them that an admin has decided. */
export const readRuns = cache(async (organizationId: OrganizationId, connectionId: ConnectionId) => {
  const runs = await listRuns(organizationId, connectionId, RUNS_SHOWN)
  const runIds = runs.map(({ id }) => id)
  return { runs, runIds, losses: await listDecidedLosses(organizationId, runIds) }
})

/** The host that connections are read from. Other hosts belong to earlier configurations. */
export const readOwnHosts = cache(async (): Promise<HostState[]> => {
  const { partner } = settings()
  if (partner === null) return []
  const { host } = new URL(partner.baseUrl)
  return (await listPartnerHosts()).filter((each) => each.host === host)
})
