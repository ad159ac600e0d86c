/** The worker's care for credentials beside syncs: spool, keys, keep-alive, warnings, mail. */

import {
  claimWarningMail,
  noteMailed,
  recordWarnings,
  type WarningMail,
} from '#lib/connections/life/keep-alive-warnings.ts'
import { keepAlive } from '#lib/connections/tokens/keep-alive.ts'
import { assertCanaries } from '#lib/connections/tokens/key-canary.ts'
import { resealAll } from '#lib/connections/tokens/key-reseal.ts'
import { openingKeys, sealingKeys } from '#lib/connections/tokens/key-ring.ts'
import { recoverKeptAnswers, replaySpool } from '#lib/connections/tokens/spool-replay.ts'
import { assertVaultOpens } from '#lib/connections/tokens/vault.ts'
import { settings } from '#lib/env.ts'
import { log } from '#lib/log.ts'
import { createMailer, type Mailer } from './mail.ts'
import { type RepeatedWork, repeatWork } from './repeated-work.ts'

const TURN_MS = 60_000

/**
 * Before a worker takes any work: checks that every key is there, and stores what an earlier
 * process received and could not store. @throws OperationalError token-unreadable, which must stop
 * the worker.
 */
export async function prepareCredentials(): Promise<void> {
  const ring = { publicKeys: sealingKeys(), privateKeys: openingKeys() }
  await assertVaultOpens(ring.publicKeys, ring.privateKeys)
  await assertCanaries(ring)
  await replaySpool()
  await recoverKeptAnswers()
}

/** Starts the care of the credentials: a turn now and every minute. */
export function startCredentialCare(): Pick<RepeatedWork, 'stop'> {
  const { mail } = settings()
  const mailer = mail === null ? null : createMailer(mail)
  const turns = repeatWork('credential care', (signal) => careForCredentials(signal, mailer), TURN_MS)
  return {
    stop: async () => {
      await turns.stop()
      mailer?.close()
    },
  }
}

/** One turn. A step that fails is logged, and the others still run. */
export async function careForCredentials(signal: AbortSignal, mailer: Mailer | null): Promise<void> {
  const steps: Record<string, () => Promise<unknown>> = {
    spool: () => replaySpool(),
    // a key added while the worker runs gets its canary here
    canaries: () => assertCanaries({ publicKeys: sealingKeys(), privateKeys: openingKeys() }),
    reseal: () => resealAll(signal),
    'keep-alive': () => keepAlive(signal),
    warnings: recordWarnings,
    mail: () => (mailer === null ? Promise.resolve() : mailWarnings(mailer, signal)),
  }
  for (const [step, work] of Object.entries(steps)) {
    if (signal.aborted) return
    await work().catch((thrown: unknown) => {
      log.error({ step, reason: thrown instanceof Error ? thrown.message : String(thrown) }, 'credential care failed')
    })
  }
}

async function mailWarnings(mailer: Mailer, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const warning = await claimWarningMail()
    if (warning === null) return
    // without an admin nobody gets a mail; the pages still show the warning
    if (warning.to.length > 0) await mailer.send({ to: warning.to, ...toWarningText(warning) })
    await noteMailed(warning)
    log.info({ connectionId: warning.connectionId, daysLeft: warning.daysLeft }, 'warning mailed')
  }
}

/** The mail of a warning. The platform's name must fit one line without control characters. */
export function toWarningText(warning: Pick<WarningMail, 'connectionName' | 'daysLeft' | 'refreshExpiresAt'>): {
  subject: string
  text: string
} {
  const name = (warning.connectionName ?? '').replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim() || 'An account'
  const left = warning.daysLeft === 1 ? 'one day' : `${warning.daysLeft} days`
  const ends = warning.refreshExpiresAt.toISOString().slice(0, 16).replace('T', ' ')
  return {
    subject: `${name}: the connection runs out within ${left}`,
    text: [
      `The connection to ${name} could not be renewed for some time. It ends on ${ends} UTC.`,
      'After that, somebody with access to the account on the travel platform has to reconnect it. Its data and history are kept.',
      `Reconnecting now avoids the gap: ${settings().appUrl}/connections`,
    ].join('\n\n'),
  }
}
