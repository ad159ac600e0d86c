/** People who comment on a line while something is killed, and what is there afterwards. */
import { setTimeout as delay } from 'node:timers/promises'
import { withSystemSql } from '#lib/db/tenant.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'

/**
 * A comment that was sent: its text, and the status and error code of the answer; null when there
 * was none.
 */
export type Sent = { text: string; status: number | null; code: string | null; at: number }

export type Writes = { sent: Sent[]; lost: number; twice: number; unacknowledgedButThere: number }

/** The line that is talked about. */
export type Subject = { organizationId: OrganizationId; connectionId: ConnectionId; lineId: string }

type Writer = { url: string; cookie: string; ledger: Subject; writer: number }

/** Somebody who comments on one line, again and again, whatever the answer. */
export async function writeComments({ url, cookie, ledger, writer }: Writer, over: AbortSignal): Promise<Sent[]> {
  const headers = { cookie, origin: url, 'content-type': 'application/json' }
  const subject = { kind: 'line', key: ledger.lineId, connection: ledger.connectionId }
  const sent: Sent[] = []
  while (!over.aborted) {
    const text = `comment ${sent.length} of writer ${writer}`
    const body = JSON.stringify({ ...subject, text })
    const answer = await fetch(`${url}/api/talk`, { method: 'POST', headers, body }).then(
      async (reply) => {
        const { error } = (await reply.json()) as { error?: { code: string } }
        return { status: reply.status, code: error?.code ?? null }
      },
      () => ({ status: null, code: null }),
    )
    sent.push({ text, ...answer, at: Date.now() })
    await delay(50)
  }
  return sent
}

/** What became of them. */
export async function findWrites(ledger: Subject, sent: Sent[]): Promise<Writes> {
  const rows = await withSystemSql((sql) =>
    sql<{ text: string; times: number }>(
      `select text, count(*)::int as times from message_version where organization_id = $1 group by text`,
      [ledger.organizationId],
    ),
  )
  const times = new Map(rows.map((row) => [row.text, row.times]))
  const of = (text: string) => times.get(text) ?? 0
  return {
    sent,
    lost: sent.filter(({ status, text }) => status === 200 && of(text) === 0).length,
    twice: sent.filter(({ text }) => of(text) > 1).length,
    unacknowledgedButThere: sent.filter(({ status, text }) => status !== 200 && of(text) > 0).length,
  }
}
