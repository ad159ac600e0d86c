/** Mails the digests that are due or asked for (docs/decisions/060-digest.md). */

import { toDigestMail } from '#lib/digest/digest-mail.ts'
import { type Claimed, claimDigest, moveDigest } from '#lib/digest/digest-rows.ts'
import { hasNews, readDigest } from '#lib/digest/read-digest.ts'
import { toTurnOffAddress, toTurnOffKey, toTurnOffPage } from '#lib/digest/turn-off-link.ts'
import { settings } from '#lib/env.ts'
import { hashText } from '#lib/hash-text.ts'
import { log } from '#lib/log.ts'
import { judgeFailure, type Mailer } from './mail.ts'

/** The pauses before a mail is tried again that the server put off. */
const PAUSES_MINUTES = [5, 15, 60, 180]

/**
 * Mails every digest that waits, one after another. Its row says `sending` before the first byte
 * leaves: a mail is tried again only when the server has certainly not taken it.
 */
export async function mailDigests(mailer: Mailer | null, signal: AbortSignal, now = new Date()): Promise<void> {
  while (mailer !== null && !signal.aborted) {
    const claimed = await claimDigest(now)
    if (claimed === null) return
    await mailDigest(mailer, claimed, now)
  }
}

async function mailDigest(mailer: Mailer, claimed: Claimed, now: Date): Promise<void> {
  const { organizationId, userId, person, span, tries } = claimed
  if (person === null) {
    await moveDigest(claimed, 'waiting', { state: 'failed', cause: 'not-here' })
    return
  }
  if (!claimed.asked && person.rhythm === 'off') {
    await moveDigest(claimed, 'waiting', { state: 'failed', cause: 'turned-off' })
    return
  }
  const { role, formats, linkKey, email } = person
  const digest = await readDigest({ organizationId, userId, role, timeZone: formats.timeZone }, span, now.getTime())
  if (!hasNews(digest)) {
    await moveDigest(claimed, 'waiting', { state: 'nothing' })
    return
  }
  const { appUrl } = settings()
  const key = toTurnOffKey({ organizationId, userId, linkKey })
  const links = { appUrl, settings: `${appUrl}/account#digest`, turnOff: toTurnOffPage(key) }
  const mail = {
    to: [email],
    ...toDigestMail(digest, formats, links),
    ...toHead(claimed, toTurnOffAddress(key), appUrl),
  }
  if (!(await moveDigest(claimed, 'waiting', { state: 'sending' }))) return
  try {
    await mailer.send(mail)
  } catch (thrown) {
    const { kind, reply } = judgeFailure(thrown)
    const pause = PAUSES_MINUTES[tries - 1]
    const why = kind === 'later' ? ('put-off' as const) : kind
    log.warn({ organizationId, tries, why, reply }, 'digest not mailed')
    const tryAt = new Date(now.getTime() + (pause ?? 0) * 60_000)
    const again = kind === 'later' && pause !== undefined
    await moveDigest(
      claimed,
      'sending',
      again ? { state: 'waiting', reply, tryAt } : { state: 'failed', cause: why, reply },
    )
    return
  }
  await moveDigest(claimed, 'sending', { state: 'sent' })
  log.info({ organizationId }, 'digest mailed')
}

/** What mail programs read: how to get no more of it (RFC 8058), and that no person wrote it. */
function toHead({ organizationId, userId, period }: Claimed, turnOff: string, appUrl: string) {
  return {
    headers: {
      'List-Unsubscribe': `<${turnOff}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      'Auto-Submitted': 'auto-generated',
    },
    // the same for the same digest: a mailbox can tell
    messageId: `${hashText(`${organizationId} ${userId} ${period}`)}@${new URL(appUrl).hostname}`,
  }
}
