/** Brings what lines keep of their proof in line with their organization's rules. */
import { setTimeout as pause } from 'node:timers/promises'
import { type Sql, withTenantSql } from '#lib/db/tenant.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import { judgeLine, type LineRules, toIssuerKey } from '#lib/reconcile/checks/judge.ts'
import { type ProvableLine, proveLine } from '#lib/reconcile/line-proof.ts'
import type { DecimalText } from '#lib/reconcile/money.ts'
import { toKeptReasons } from '#lib/reconcile/reason.ts'
import { explainLine } from '#lib/reconcile/reasons/explain-line.ts'
import { holdRules, type Rules, readRules } from './read-rules.ts'

/** Lines and what their rules make of them, from JSON. */
const toJudged = (
  json: string,
) => `json_to_recordset(${json}::json) as j("connectionId" uuid, id text, "contentHash" text,
  "findingCodes" text[], "noteCodes" text[], "explainedCodes" text[], "reasonCodes" text[])`

/** Sets columns of a line that are judged. */
const SET_CODES = `finding_codes = j."findingCodes", note_codes = j."noteCodes", explained_codes = j."explainedCodes",
  reason_codes = j."reasonCodes"`

/** Lines per transaction: few enough that no sync waits for it. */
const BATCH_LINES = 500
/** Another transaction holds a line that has to change: it is soon over. */
const RETRY_MS = 200

type Codes = { findingCodes: string[]; noteCodes: string[]; explainedCodes: string[]; reasonCodes: string[] }
type StoredLine = ProvableLine & {
  connectionId: ConnectionId
  id: string
  contentHash: string
  profileId: string | null
  invoiceMode: string | null
  taxRegime: string | null
  difference: DecimalText
  taxDifference: DecimalText
} & { [Name in keyof Codes]: Codes[Name] | null }

/** In words of its partial index, `line_differing`. */
const FAILS = '(l.difference <> 0 or l.tax_difference <> 0)'

/** Of a line `l`, stored or staged. */
const FIGURES = `l.id, l.content_hash as "contentHash", l.profile_id as "profileId",
  l.invoice_mode as "invoiceMode", l.tax_regime as "taxRegime", l.quantity::text, l.unit_price::text as "unitPrice",
  l.non_taxable_unit_price::text as "nonTaxableUnitPrice", l.tax_percentage::text as "taxPercentage",
  l.tax_amount::text as "taxAmount", l.total_amount::text as "totalAmount", l.currency, l.difference::text,
  l.tax_difference::text as "taxDifference", l.finding_codes as "findingCodes", l.note_codes as "noteCodes",
  l.explained_codes as "explainedCodes", l.reason_codes as "reasonCodes"`

/**
 * Judges the lines that the caller's transaction has staged and is about to write: a line is never,
 * even for a moment, what no rule of its organization says, which would end signatures and let
 * decisions fall. Until the transaction ends, no rule changes.
 */
export async function judgeStagedLines(
  sql: Sql,
  { organizationId, connectionId }: { organizationId: OrganizationId; connectionId: ConnectionId },
): Promise<void> {
  await holdRules(sql, organizationId, 'shared')
  const rules = await readRules(sql, organizationId)
  if (rules.isDefault) return
  const lines = await sql<StoredLine>(
    `select $1::uuid as "connectionId", ${FIGURES} from pg_temp.staged_line l where ${FAILS}`,
    [connectionId],
  )
  const judged = listChanged(lines, rules)
  if (judged.length === 0) return
  await sql(`update pg_temp.staged_line l set ${SET_CODES} from ${toJudged('$1')} where l.id = j.id`, [
    JSON.stringify(judged),
  ])
}

/**
 * Judges every line of an organization, until none differs from what its rules say or `signal`
 * fires; then it is left half done, and can be done again. The proof itself stays as it is.
 * @returns how many lines have changed.
 */
export async function judgeOrganization(organizationId: OrganizationId, signal?: AbortSignal): Promise<number> {
  let changed = 0
  for (;;) {
    const turn = await judgeOnce(organizationId, signal)
    changed += turn.changed
    if (turn.isSettled || signal?.aborted) return changed
    await pause(RETRY_MS, undefined, { signal }).catch(() => undefined)
  }
}

async function judgeOnce(organizationId: OrganizationId, signal?: AbortSignal) {
  const turn = { changed: 0, isSettled: true }
  let last: StoredLine | undefined
  do {
    last = await withTenantSql(organizationId, async (sql) => {
      const rules = await readRules(sql, organizationId)
      const lines = await sql<StoredLine>(
        `select l.connection_id as "connectionId", ${FIGURES} from line l where l.organization_id = $1 and ${FAILS}
           and ($2::uuid is null or (l.connection_id, l.id) > ($2::uuid, $3))
         order by l.connection_id, l.id limit ${BATCH_LINES}`,
        [organizationId, last?.connectionId ?? null, last?.id ?? ''],
      )
      const judged = listChanged(lines, rules)
      const stored = await store(sql, organizationId, judged)
      turn.changed += stored
      if (stored < judged.length) turn.isSettled = false
      return lines.length < BATCH_LINES ? undefined : lines.at(-1)
    })
  } while (last !== undefined && !signal?.aborted)
  return turn
}

type Judged = Codes & Pick<StoredLine, 'connectionId' | 'id' | 'contentHash'>

function listChanged(lines: readonly StoredLine[], rules: Rules): Judged[] {
  return lines.flatMap((line) => {
    const codes = judgeStored(line, rules.ofConnection(line.connectionId))
    const isSame = (Object.keys(codes) as (keyof Codes)[]).every((name) => line[name]?.join() === codes[name].join())
    return isSame ? [] : [{ ...codes, connectionId: line.connectionId, id: line.id, contentHash: line.contentHash }]
  })
}

function judgeStored(line: StoredLine, { checks, habits }: LineRules): Codes {
  const { findings, notes } = judgeLine(line, checks)
  const kept = toKeptReasons(explainLine(line, proveLine(line), habits.get(toIssuerKey(line))))
  const remarks = (line.noteCodes ?? []).filter((code) => code !== 'total' && code !== 'tax')
  return {
    findingCodes: findings,
    noteCodes: [...remarks, ...notes],
    explainedCodes: kept?.explained ?? [],
    reasonCodes: kept?.reasons ?? [],
  }
}

/**
 * Takes its turn on the accounts as whoever writes lines does (tally.sql), and first:
 * holding lines, it waits for nobody. A line that is being written meanwhile, or has changed since
 * it was read, is left to another turn. @returns how many were stored.
 */
async function store(sql: Sql, organizationId: OrganizationId, judged: readonly Judged[]): Promise<number> {
  if (judged.length === 0) return 0
  await sql(
    `select from connection_tally where organization_id = $1 and connection_id = any($2::uuid[])
     order by connection_id for update`,
    [organizationId, [...new Set(judged.map(({ connectionId }) => connectionId))]],
  )
  const stored = await sql(
    `with judged as (
       select * from ${toJudged('$2')}),
     held as (
       select l.connection_id, l.id from line l join judged j on l.connection_id = j."connectionId" and l.id = j.id
       where l.organization_id = $1 and l.content_hash = j."contentHash" for update of l skip locked)
     update line l set ${SET_CODES}
     from judged j join held h on h.connection_id = j."connectionId" and h.id = j.id
     where l.organization_id = $1 and l.connection_id = h.connection_id and l.id = h.id returning 1`,
    [organizationId, JSON.stringify(judged)],
  )
  return stored.length
}
