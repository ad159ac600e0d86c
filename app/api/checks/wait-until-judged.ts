import { setTimeout as delay } from 'node:timers/promises'
import type { OrganizationId } from '#lib/ids.ts'
import { isJudged } from '#lib/ledger/rules/judgings.ts'

/** So long a person waits; then the page says that it goes on. */
const WAIT_MS = 3_000
const LOOK_EVERY_MS = 100

/** Resolves when a worker has judged all lines by the rules as they are, or after three seconds. */
export async function waitUntilJudged(organizationId: OrganizationId): Promise<void> {
  for (const deadline = Date.now() + WAIT_MS; Date.now() < deadline; await delay(LOOK_EVERY_MS))
    if (await isJudged(organizationId)) return
}
