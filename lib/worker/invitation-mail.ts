/** Mails the links of those who are invited by mail (docs/decisions/030-people.md). */
import { recordAudit } from '#lib/audit/record-audit.ts'
import { makeInvitationKey, toInvitationAddress } from '#lib/auth/links/invitation-links.ts'
import { withSystemSql, withTenantSql } from '#lib/db/tenant.ts'
import { claim } from '#lib/db/work/claim.ts'
import type { OrganizationId } from '#lib/ids.ts'
import { log } from '#lib/log.ts'
import type { Mailer } from './mail.ts'

/** How long one worker has an invitation to itself; also the pause after a mail that failed. */
const LEASE_SECONDS = 60
/** A mail that the server refuses for so long is given up; the page People says so. */
const MAIL_MINUTES = 60

type Wanted = {
  organizationId: OrganizationId
  id: string
  email: string
  invitedBy: string
  organizationName: string
  /** Told apart from a later wish, or none, by its text. */
  wantedAt: string
}

/**
 * Mails every invitation that waits, one after another. Its link is made here and stored as a hash
 * alone, so that nobody but the invited person ever has it. A mail that fails throws; another link
 * is mailed later. One for which somebody meanwhile made a link by hand is left alone.
 */
export async function mailInvitations(mailer: Mailer | null, signal: AbortSignal, now = new Date()): Promise<void> {
  while (mailer !== null && !signal.aborted) {
    const wanted = await claimInvitation()
    if (wanted === null) return
    await mailInvitation(mailer, wanted, now)
  }
}

function claimInvitation(): Promise<Wanted | null> {
  return withSystemSql((sql) =>
    claim<Wanted>(sql, {
      table: 'invitation',
      key: 'organization_id, id',
      isDue: `mail_wanted_at > statement_timestamp() - make_interval(mins => ${MAIL_MINUTES})
        and expires_at > statement_timestamp() and coalesce(mail_lease_until, '-infinity') <= statement_timestamp()`,
      order: 'mail_wanted_at',
      hold: `mail_lease_until = statement_timestamp() + make_interval(secs => ${LEASE_SECONDS})`,
      returning: `organization_id as "organizationId", id, email, invited_by_name as "invitedBy",
        (select o.name from organization o where o.id = w.organization_id) as "organizationName",
        mail_wanted_at::text as "wantedAt"`,
    }),
  )
}

/** Still as claimed: not withdrawn, no newer link asked for. */
const AS_CLAIMED = 'organization_id = $1 and id = $2 and mail_wanted_at = $3::timestamptz'

async function mailInvitation(mailer: Mailer, wanted: Wanted, now: Date): Promise<void> {
  const { organizationId, id, email, wantedAt } = wanted
  const { key, secretHash } = makeInvitationKey(organizationId)
  const claimed = await withTenantSql(organizationId, (sql) =>
    sql(`update invitation set secret_hash = $4 where ${AS_CLAIMED} returning id`, [
      organizationId,
      id,
      wantedAt,
      secretHash,
    ]),
  )
  if (claimed.length === 0) return
  await mailer.send({ to: [email], ...toText(wanted, toInvitationAddress(key)) })
  await withTenantSql(organizationId, async (sql) => {
    await sql(
      `update invitation set mail_wanted_at = null, mail_lease_until = null, mailed_at = $4 where ${AS_CLAIMED}`,
      [organizationId, id, wantedAt, now],
    )
    await recordAudit(sql, organizationId, {
      actor: { kind: 'program', name: 'worker' },
      action: 'people.invitation-mailed',
      subject: { kind: 'invitation', id, name: email },
    })
  })
  log.info({ organizationId }, 'invitation mailed')
}

function toText({ invitedBy, organizationName }: Wanted, link: string): { subject: string; text: string } {
  return {
    subject: `Join ${organizationName} on Tieout`,
    text: [
      `${invitedBy} invites you to the reconciliation desk of ${organizationName}. Join here, within seven days:`,
      link,
      'The link works once. If you do not expect this, do nothing.',
    ].join('\n\n'),
  }
}
