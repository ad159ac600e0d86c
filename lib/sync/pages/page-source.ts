import { getAccessToken } from '#lib/connections/tokens/access-token.ts'
import type { PartnerSettings } from '#lib/env.ts'
import type { KnownPage } from '#lib/ledger/kept/known-pages/known-pages.ts'
import { createDataClient, type DataClient, type ListFilters, type ListPage } from '#lib/partner/wire/data-client.ts'
import type { ClaimedRun, WindowScope } from '../model.ts'
import { type HostGate, openHostGate } from '../platform/partner-host.ts'
import type { SyncTiming } from '../runs/timing.ts'
import { askForPage } from './ask-page.ts'
import { keepEvidence } from './keep-evidence.ts'
import { type Page, toPage } from './page.ts'
import { holdToken, type TokenInHand } from './token-in-hand.ts'

/** The version of the data API this program is written for (contract, "Versioning" 1). */
const API_VERSION = '1'

/** The smallest page to ask for, when only the count is of interest. */
const COUNT_ONLY = 10

export type PageSource = {
  /** One page of a part of a list; opened unless it is the `known` one, byte for byte. */
  readPage: (scope: WindowScope, offset: number, known: KnownPage | null) => Promise<Page>
  /** How many records a part of a list claims to have; null if it does not say. */
  readTotal: (scope: WindowScope) => Promise<number | null>
  /**
   * Resolves when no token is being renewed. A worker that left during a renewal could lose the
   * account (F9).
   */
  settled: () => Promise<unknown>
}

/** The pages of a run's connection from the configured partner. Renews the token when needed. */
export function openPageSource(
  run: ClaimedRun,
  partner: PartnerSettings,
  timing: SyncTiming,
  signal: AbortSignal,
): PageSource {
  const { token, client, gate } = openClient(run, partner, timing, signal)
  const ask = (scope: WindowScope, offset: number, options: { limit?: number; knownBodyHash?: string }) =>
    askForPage({
      request: async () => {
        const page = await gate.call(() => requestPage(client, scope, offset, options), signal)
        token.prove()
        return page
      },
      onFailure: (thrown) => keepEvidence(run, scope, offset, thrown),
      renewToken: token.renew,
      timing,
      signal,
    })
  return {
    readPage: async (scope, offset, known) =>
      toPage(offset, await ask(scope, offset, { knownBodyHash: known?.bodyHash }), known),
    readTotal: async (scope) => (await ask(scope, 0, { limit: COUNT_ONLY }))?.total ?? null,
    settled: token.settled,
  }
}

/** A connection's way to the platform: its token, the calls, and the gate that each has to pass. */
export function openClient(
  { organizationId, connectionId }: Pick<ClaimedRun, 'organizationId' | 'connectionId'>,
  partner: PartnerSettings,
  timing: SyncTiming,
  signal: AbortSignal,
): { token: TokenInHand; client: DataClient; gate: HostGate } {
  const token = holdToken((forceGeneration) =>
    getAccessToken(organizationId, connectionId, { forceGeneration, signal }),
  )
  const client = createDataClient({
    baseUrl: partner.baseUrl,
    apiVersion: API_VERSION,
    pageSize: partner.pageSize,
    getAccessToken: async () => (await token.take()).accessToken,
  })
  return { token, client, gate: gateTo(new URL(partner.baseUrl).host, partner.callsPerSecond, timing) }
}

/** One gate per host in this process, so its syncs share what they know. */
const gates = new Map<string, HostGate>()

function gateTo(host: string, callsPerSecond: number, { circuit }: SyncTiming): HostGate {
  const key = JSON.stringify([host, callsPerSecond, circuit])
  const gate = gates.get(key) ?? openHostGate(host, callsPerSecond, circuit)
  gates.set(key, gate)
  return gate
}

function requestPage(
  client: DataClient,
  scope: WindowScope,
  offset: number,
  options: { limit?: number; knownBodyHash?: string },
): Promise<ListPage | null> {
  if (scope.list === 'profiles') return client.listProfilesPage(offset)
  const filters = toFilters(scope)
  // ascending: an invoice issued during the walk comes last and moves no offset
  if (scope.list === 'invoices')
    return client.listInvoicesPage({ offset, limit: options.limit, filters: { sort: 'issuing_date', ...filters } })
  return client.listLinesPage({ offset, filters, ...options })
}

function toFilters(scope: WindowScope): ListFilters {
  return {
    issuing_date_gte: scope.issuedFrom ?? undefined,
    issuing_date_lte: scope.issuedUpto ?? undefined,
    status: scope.invoiceStatus ?? undefined,
    serial_number: scope.serialNumber ?? undefined,
  }
}
