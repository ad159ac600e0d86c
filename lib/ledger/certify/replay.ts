/**
 * What a version of a rule would have done, over the stored history
 * (docs/decisions/066-certification-rules.md).
 */
import type { Sql } from '#lib/db/tenant.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import { judgeCertification } from '#lib/reconcile/certify/judge-certification.ts'
import type { Condition, RuleTerms } from '#lib/reconcile/certify/rule-terms.ts'
import { countFailed, sumMoney, type TrialFigures } from '#lib/reconcile/certify/trial-figures.ts'
import { groupBy } from '#lib/reconcile/group-by.ts'
import { listLater, type Taken } from './list-later.ts'
import { readBackground, toMoment } from './read-background.ts'
import { listDue, readKnown } from './read-known.ts'

/** Invoices that are read at once. */
export const BATCH_INVOICES = 200

/** Months of issue, YYYY-MM-DD: from the first day on, and before the other. */
export type Months = { from: string; before: string }

/** The lines of one invoice that it would have accepted. */
type ReplayedPart = {
  connectionId: ConnectionId
  serialNumber: string
  lineIds: string[]
  laterIds: string[]
  isWhole: boolean
}

export type Replayed = { figures: TrialFigures; parts: ReplayedPart[] }

/**
 * Judges at the end of each sync, in turn, what had become something else until then, as a live run
 * does; what it accepted once it does not judge again. The rule's own first day is not asked: the
 * months are.
 */
export async function replay(
  sql: Sql,
  organizationId: OrganizationId,
  terms: RuleTerms,
  months: Months,
): Promise<Replayed> {
  const accounts = await sql<{ id: ConnectionId }>(
    'select id from connection where organization_id = $1 order by created_at, id',
    [organizationId],
  )
  const figures: Figures = { taken: [], later: [], failed: [], wholeCount: 0 }
  const parts: ReplayedPart[] = []
  for (const { id } of accounts) {
    const { taken, whole, left } = await replayAccount(sql, organizationId, id, terms, months)
    const later = await listLater(sql, organizationId, id, [...taken.values()])
    const laterIds = new Set(later.map((each) => each.id))
    for (const [serialNumber, lines] of groupBy([...taken.values()], (line) => line.serialNumber))
      parts.push({
        connectionId: id,
        serialNumber,
        lineIds: lines.map((line) => line.id).sort(),
        laterIds: lines.flatMap((line) => (laterIds.has(line.id) ? [line.id] : [])).sort(),
        isWhole: whole.has(serialNumber),
      })
    figures.taken.push(...taken.values())
    figures.later.push(...later)
    figures.failed.push(...left.values())
    figures.wholeCount += whole.size
  }
  return { figures: toFigures(figures, parts), parts }
}

type Figures = {
  taken: Taken[]
  later: Awaited<ReturnType<typeof listLater>>
  failed: Condition[][]
  wholeCount: number
}

async function replayAccount(
  sql: Sql,
  organizationId: OrganizationId,
  connectionId: ConnectionId,
  terms: RuleTerms,
  { from, before }: Months,
) {
  const account = { organizationId, connectionId }
  const ends = await sql<{ moment: string }>(
    `select ${toMoment('finished_at')} as moment from sync_run
     where organization_id = $1 and connection_id = $2 and status = 'succeeded' order by finished_at`,
    [organizationId, connectionId],
  )
  const due = await listDue(
    sql,
    account,
    ends.map(({ moment }) => moment),
    null,
  )
  const background = await readBackground(sql, organizationId, connectionId, terms)
  const taken = new Map<string, Taken>()
  const whole = new Set<string>()
  const left = new Map<string, Condition[]>()
  for (let at = 0; at < due.length; at += BATCH_INVOICES) {
    const known = await readKnown(sql, account, due.slice(at, at + BATCH_INVOICES), background, false)
    for (const { due: each, invoice } of known) {
      if (invoice.issuingDate === null || invoice.issuingDate < from || invoice.issuingDate >= before) continue
      const { lines, isWhole } = judgeCertification({ ...terms, activeFrom: from }, invoice)
      if (isWhole) whole.add(invoice.serialNumber)
      for (const { line, failed } of lines) {
        if (taken.has(line.id)) continue
        left.set(line.id, failed)
        if (failed.length > 0) continue
        left.delete(line.id)
        taken.set(line.id, { ...line, ...each })
      }
    }
  }
  return { taken, whole, left }
}

function toFigures({ taken, later, failed, wholeCount }: Figures, parts: readonly ReplayedPart[]): TrialFigures {
  return {
    lineCount: taken.length,
    invoiceCount: parts.length,
    wholeCount,
    totals: sumMoney(taken.map(({ currency, total }) => ({ currency, amount: total }))),
    later: {
      lineCount: later.length,
      changed: later.filter(({ isChanged }) => isChanged).length,
      disputed: later.filter(({ isDisputed }) => isDisputed).length,
      money: sumMoney(later, true),
    },
    left: failed.length,
    failed: countFailed(failed),
  }
}
