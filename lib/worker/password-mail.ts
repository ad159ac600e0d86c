/** Mails the links that set a new password to those who have one (decision 031). */
import { recordAudit } from '#lib/audit/record-audit.ts'
import { type Holder, makePasswordLink, toPasswordAddress } from '#lib/auth/links/password-links.ts'
import { hashSecret } from '#lib/connections/secret-hash.ts'
import { type Sql, withSystemSql, withTenantSql } from '#lib/db/tenant.ts'
import { claim } from '#lib/db/work/claim.ts'
import { log } from '#lib/log.ts'
import type { Mailer } from './mail.ts'

/** How long one worker has a wish to itself; also the pause after a mail that failed. */
const LEASE_SECONDS = 60
/** Nobody waits for a mail longer than that. */
const WISH_MINUTES = 15
/** Whoever asks for others' links cannot fill their mailbox: the last link works for an hour. */
const MAIL_MINUTES = 5

type Wish = { id: string; address: string; network: string | null }

/**
 * Answers every wish that waits, one after another. Only here is it looked up whose the address is.
 * A mail that fails throws; its wish is answered later, with another link.
 */
export async function mailPasswordLinks(mailer: Mailer | null, signal: AbortSignal, now = new Date()): Promise<void> {
  await removeOldWishes()
  while (mailer !== null && !signal.aborted) {
    const wish = await claimWish()
    if (wish === null) return
    const holder = await findHolder(wish.address, now)
    if (holder !== null) await mailLink(mailer, holder, wish, now)
    await withSystemSql((sql) => sql('delete from password_wish where id = $1', [wish.id]))
  }
}

function removeOldWishes(): Promise<unknown> {
  return withSystemSql((sql) =>
    sql(`delete from password_wish where asked_at < statement_timestamp() - make_interval(mins => ${WISH_MINUTES})`),
  )
}

function claimWish(): Promise<Wish | null> {
  return withSystemSql((sql) =>
    claim<Wish>(sql, {
      table: 'password_wish',
      key: 'id',
      isDue: `coalesce(lease_until, '-infinity') <= statement_timestamp()`,
      order: 'asked_at',
      hold: `lease_until = statement_timestamp() + make_interval(secs => ${LEASE_SECONDS})`,
      returning: 'id, address, network',
    }),
  )
}

/** Who has a password at the address and was mailed no link in the last minutes. */
async function findHolder(address: string, now: Date): Promise<Holder | null> {
  const [holder] = await withSystemSql((sql) =>
    sql<Holder>(
      `select h.organization_id as "organizationId", h.user_id as "userId" from find_password_holder($1) h
       where not exists (select from password_reset r where r.organization_id = h.organization_id
         and r.user_id = h.user_id and r.closed_at is null
         and r.mailed_at > $2::timestamptz - make_interval(mins => ${MAIL_MINUTES}))`,
      [address, now],
    ),
  )
  return holder ?? null
}

async function mailLink(mailer: Mailer, holder: Holder, { address, network }: Wish, now: Date): Promise<void> {
  const { organizationId, userId } = holder
  const secret = await withTenantSql(organizationId, (sql) => makePasswordLink(sql, holder, now))
  const ofLink = [organizationId, hashSecret(secret)]
  try {
    await mailer.send({ to: [address], ...toLinkText(toPasswordAddress(secret)) })
  } catch (thrown) {
    await withTenantSql(organizationId, (sql) =>
      sql('delete from password_reset where organization_id = $1 and secret_hash = $2', ofLink),
    )
    throw thrown
  }
  await withTenantSql(organizationId, async (sql) => {
    await noteMailed(sql, ofLink, now)
    await recordAudit(sql, organizationId, {
      actor: { kind: 'program', name: 'worker' },
      action: 'password.link-mailed',
      subject: { kind: 'person', id: userId, name: address },
      after: { askedFrom: network },
    })
  })
  log.info({ organizationId }, 'password link mailed')
}

async function noteMailed(sql: Sql, ofLink: unknown[], now: Date): Promise<void> {
  await sql('update password_reset set mailed_at = $3 where organization_id = $1 and secret_hash = $2', [
    ...ofLink,
    now,
  ])
}

function toLinkText(link: string): { subject: string; text: string } {
  return {
    subject: 'A new password for Tieout',
    text: [
      'Somebody, probably you, asked for a new password for this address. Set it here, within an hour:',
      link,
      'The link works once. If you did not ask for it, do nothing: your password stays as it is.',
    ].join('\n\n'),
  }
}
