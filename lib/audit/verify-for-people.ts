import * as z from 'zod'
import { withTenantSql } from '#lib/db/tenant.ts'
import type { OrganizationId } from '#lib/ids.ts'
import { type ChainReport, verifyChain } from './chain.ts'
import type { Actor, Verification } from './model.ts'
import { recordAudit } from './record-audit.ts'

/** So many while somebody waits; `npm run audit -- verify` has no limit. */
const MOST_ENTRIES = 50_000

/** Verifies the newest entries while somebody waits; the audit keeps what came of it. */
export async function verifyForPeople(
  organizationId: OrganizationId,
  actor: Actor,
  newest = MOST_ENTRIES,
): Promise<ChainReport> {
  const report = await verifyChain(organizationId, { newest })
  const outcome: Verification['outcome'] =
    report.kind === 'holds'
      ? { holds: true, from: report.from, to: report.head.number }
      : { holds: false, entry: report.at, problem: report.problem }
  await withTenantSql(organizationId, (sql) =>
    recordAudit(sql, organizationId, { actor, action: 'audit.verified', subject: { kind: 'audit' }, after: outcome }),
  )
  return report
}

/** Whoever may write entries may write nonsense: the page does not break of it. */
const OUTCOME: z.ZodType<Verification['outcome']> = z
  .string()
  .transform((text, context) => {
    try {
      return JSON.parse(text) as unknown
    } catch {
      context.addIssue('no JSON')
      return z.NEVER
    }
  })
  .pipe(
    z.union([
      z.object({ holds: z.literal(true), from: z.number(), to: z.number() }),
      z.object({ holds: z.literal(false), entry: z.number(), problem: z.string() }),
    ]),
  )

/** The newest verification that somebody asked for; null before the first. */
export async function readLastVerification(organizationId: OrganizationId): Promise<Verification | null> {
  const [entry] = await withTenantSql(organizationId, (sql) =>
    sql<{ by: string; at: Date; outcome: string | null }>(
      `select actor_name as by, at, after as outcome from audit_entry
       where organization_id = $1 and action = 'audit.verified' order by number desc limit 1`,
      [organizationId],
    ),
  )
  const outcome = OUTCOME.safeParse(entry?.outcome)
  return entry === undefined || !outcome.success
    ? null
    : { by: entry.by, at: entry.at.toISOString(), outcome: outcome.data }
}
