/** Which letters people have sent, by their own word (docs/decisions/057-disputes.md). */
import { userIdOf } from '#lib/audit/model.ts'
import { recordAudit } from '#lib/audit/record-audit.ts'
import { type Sql, withTenantSql } from '#lib/db/tenant.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import type { Day } from '#lib/reconcile/day.ts'
import type { SentLetter } from '../model.ts'
import type { Decider } from './decide.ts'

/** A letter as it was written: the disputes that it names, each by its line and its decision. */
type SentWish = {
  connectionId: ConnectionId
  invoiceSerialNumber: string
  disputes: readonly { lineId: string; decision: string }[]
  sentOn: Day
  /** To whom, in the person's words. */
  recipient: string
}

/**
 * Marks a letter as sent, with its audit entry; null, with nothing done, when one of its disputes
 * no longer stands as the letter says.
 */
export function markSent(
  organizationId: OrganizationId,
  { actor, name }: Decider,
  { connectionId, invoiceSerialNumber, disputes, sentOn, recipient }: SentWish,
): Promise<string | null> {
  return withTenantSql(organizationId, async (sql) => {
    const asked = [
      organizationId,
      connectionId,
      invoiceSerialNumber,
      disputes.map(({ lineId }) => lineId),
      disputes.map(({ decision }) => decision),
    ]
    const standing = await sql(
      `select from line_review v
       join line l on l.organization_id = v.organization_id and l.connection_id = v.connection_id and l.id = v.line_id
       where v.organization_id = $1 and v.connection_id = $2 and l.invoice_serial_number = $3 and v.state = 'disputed'
         and (v.line_id, v.decision) in (select * from unnest($4::text[], $5::bigint[]))`,
      asked,
    )
    if (standing.length !== disputes.length) return null
    const [letter] = await sql<{ id: string }>(
      `insert into dispute_letter (organization_id, connection_id, invoice_serial_number, sent_on, recipient, actor_id, actor_name)
       values ($1, $2, $3, $4::date, $5, $6, $7) returning id`,
      [organizationId, connectionId, invoiceSerialNumber, sentOn, recipient, userIdOf(actor), name],
    )
    const id = letter?.id as string
    await sql(
      `insert into dispute_letter_line (organization_id, connection_id, line_id, decision, letter_id)
       select $1, $2, line_id, decision, $3 from unnest($4::text[], $5::bigint[]) as named (line_id, decision)
       returning 1`,
      [organizationId, connectionId, id, ...asked.slice(3)],
    )
    await recordAudit(sql, organizationId, {
      actor,
      action: 'review.letter-sent',
      subject: { kind: 'letter', id, name: invoiceSerialNumber },
      after: { sentOn, recipient, lines: disputes.length, connection: connectionId },
    })
    return id
  })
}

/**
 * Takes the mark back, once; it stays as taken back. False when there is no such letter, or it is
 * done.
 */
export function withdrawSent(organizationId: OrganizationId, { actor, name }: Decider, id: string): Promise<boolean> {
  return withTenantSql(organizationId, async (sql) => {
    const [letter] = await sql<{ serial: string }>(
      `update dispute_letter set withdrawn_by = $3, withdrawn_by_name = $4, withdrawn_at = now()
       where organization_id = $1 and id = $2 and withdrawn_at is null returning invoice_serial_number as serial`,
      [organizationId, id, userIdOf(actor), name],
    )
    if (letter === undefined) return false
    await recordAudit(sql, organizationId, {
      actor,
      action: 'review.letter-withdrawn',
      subject: { kind: 'letter', id, name: letter.serial },
    })
    return true
  })
}

/** The letters about a line as it is disputed now, the last sent first, also those taken back. */
export function listSentLetters(
  sql: Sql,
  organizationId: OrganizationId,
  connectionId: ConnectionId,
  lineId: string,
): Promise<SentLetter[]> {
  return sql<SentLetter>(
    `select s.id, s.sent_on::text as "sentOn", greatest(0, now()::date - s.sent_on) as "daysAgo", s.recipient, s.actor_name as name,
       (select count(*)::int from dispute_letter_line o where o.organization_id = s.organization_id and o.letter_id = s.id) as "lineCount",
       s.withdrawn_by_name as "withdrawnBy"
     from line_review v
     join dispute_letter_line n on n.organization_id = v.organization_id and n.connection_id = v.connection_id and n.line_id = v.line_id
       and n.decision = v.decision
     join dispute_letter s on s.organization_id = n.organization_id and s.id = n.letter_id
     where v.organization_id = $1 and v.connection_id = $2 and v.line_id = $3
     order by s.withdrawn_at is not null, s.sent_on desc, s.marked_at desc limit 50`,
    [organizationId, connectionId, lineId],
  )
}

/** To whom the last letter about an account went; null before the first. */
export async function readLastRecipient(
  sql: Sql,
  organizationId: OrganizationId,
  connectionId: ConnectionId,
): Promise<string | null> {
  const [last] = await sql<{ recipient: string }>(
    `select recipient from dispute_letter where organization_id = $1 and connection_id = $2 order by marked_at desc limit 1`,
    [organizationId, connectionId],
  )
  return last?.recipient ?? null
}
