import { isDatabaseTrouble } from '#lib/db/database-trouble.ts'
import type { PartnerSettings } from '#lib/env.ts'
import { log } from '#lib/log.ts'
import { PartnerError } from '#lib/partner/partner-error.ts'
import { askForPage } from '../pages/ask-page.ts'
import { openClient } from '../pages/page-source.ts'
import { toSyncFailure } from '../runs/sync-failure.ts'
import { SYNC_TIMING, type SyncTiming } from '../runs/timing.ts'
import {
  bringDocument,
  type ClaimedDocument,
  claimDocument,
  type DocumentFailure,
  refuseDocument,
} from './document-wishes.ts'

/** A person waits: two tries, and no long pause between them. */
const TIMING: SyncTiming = { ...SYNC_TIMING, triesPerPage: 2, retryCapMs: 2000 }

/**
 * Brings every document that is wished for, one after another, until none is left or `signal`
 * fires. The platform is asked as by a sync: within its call budget, and not while it is left
 * alone. @returns how many wishes were answered.
 */
export async function fetchWishedDocuments(partner: PartnerSettings, signal: AbortSignal): Promise<number> {
  let count = 0
  while (!signal.aborted) {
    const wish = await claimDocument()
    if (wish === null) break
    await answer(wish, partner, signal)
    count += 1
  }
  return count
}

async function answer(wish: ClaimedDocument, partner: PartnerSettings, signal: AbortSignal): Promise<void> {
  const { client, gate, token } = openClient(wish, partner, TIMING, signal)
  try {
    const content = await askForPage({
      request: () => gate.call(() => client.readDocument(wish.serialNumber), signal),
      renewToken: token.renew,
      timing: TIMING,
      signal,
    })
    if (content === null) await refuseDocument(wish, 'none')
    else await bringDocument(wish, content)
    log.info({ connection: wish.connectionId, bytes: content?.length ?? 0 }, 'document brought')
  } catch (thrown) {
    if (isDatabaseTrouble(thrown)) throw thrown
    const { code, message } = toSyncFailure(thrown).error
    log.warn({ connection: wish.connectionId, code, reason: message }, 'document not brought')
    await refuseDocument(wish, toDocumentFailure(thrown))
  } finally {
    await token.settled()
  }
}

function toDocumentFailure(thrown: unknown): DocumentFailure {
  if (thrown instanceof PartnerError && thrown.kind === 'too_large') return 'too_large'
  if (thrown instanceof PartnerError && thrown.kind === 'bad_body') return 'not_pdf'
  const { code } = toSyncFailure(thrown).error
  if (code === 'partner-forbidden') return 'forbidden'
  const hasEnded = [
    'connection-needs-reconnect',
    'connection-disconnected',
    'partner-token-refused',
    'token-unreadable',
  ]
  return hasEnded.includes(code) ? 'needs_reconnect' : 'unreachable'
}
