/**
 * Rules at work: after each sync of an account, and once when a version is turned on
 * (docs/decisions/066-certification-rules.md). Accepts and signs by the paths that people use.
 */
import { type Sql, withSystemSql, withTenantSnapshot, withTenantSql } from '#lib/db/tenant.ts'
import { OperationalError } from '#lib/errors.ts'
import type { ConnectionId, OrganizationId, UserId } from '#lib/ids.ts'
import { log } from '#lib/log.ts'
import { judgeCertification } from '#lib/reconcile/certify/judge-certification.ts'
import type { Condition, RuleTerms, RuleVerb } from '#lib/reconcile/certify/rule-terms.ts'
import { countFailed } from '#lib/reconcile/certify/trial-figures.ts'
import { previewSignOff, signOff } from '../close/sign-off.ts'
import type { DecisionPreview } from '../model.ts'
import { DEFAULT_LINE_QUERY } from '../query/line-query.ts'
import { MOST_AT_ONCE } from '../review/apply-decision.ts'
import { decide } from '../review/decide.ts'
import type { Asked } from '../review/line-set.ts'
import { readPreview } from '../review/preview-decision.ts'
import { type Background, readBackground, toMoment } from './read-background.ts'
import { type Due, type KnownThen, listDue, readKnown } from './read-known.ts'
import { BATCH_INVOICES } from './replay.ts'
import { TERMS } from './stored-terms.ts'

type Turn = RuleTerms & {
  organizationId: OrganizationId
  ruleId: string
  version: number
  name: string
  ownerId: UserId
  ownerName: string
  role: string
  connectionId: ConnectionId
  /** The end of the newest sync, and from when on things are new to the rule. */
  moment: string
  after: string | null
}

/**
 * Rules that are on, with each account that a sync has ended of since their last turn. Looks a
 * little further back than that turn: what began before its sync ended may have ended later.
 */
const TURNS = `
  select v.organization_id as "organizationId", v.rule_id as "ruleId", v.version, r.name, u.id as "ownerId", u.name as "ownerName", u.role,
    c.id as "connectionId", ${toMoment('run.moment')} as moment, ${toMoment(`t.moment - interval '10 minutes'`)} as after, ${TERMS}
  from (select distinct on (organization_id, rule_id) organization_id, rule_id, version from rule_switch
        order by organization_id, rule_id, number desc) s
  join rule_version v using (organization_id, rule_id, version)
  join certification_rule r on r.organization_id = v.organization_id and r.id = v.rule_id
  join app_user u on u.organization_id = v.organization_id and u.id = v.made_by and u.disabled_at is null
  join connection c on c.organization_id = v.organization_id
  cross join lateral (
    select max(finished_at) as moment from sync_run
    where organization_id = c.organization_id and connection_id = c.id and status = 'succeeded') run
  left join rule_turn t on t.organization_id = v.organization_id and t.rule_id = v.rule_id and t.version = v.version
    and t.connection_id = c.id
  where run.moment is not null and (t.moment is null or t.moment < run.moment)
  order by v.at, c.id`

/**
 * Takes every turn that is due. Where a worker ends in the middle, another takes the turn again and
 * does what is left. One that fails keeps no other one from its turn, and is tried again.
 * @param mayOwner Whether who owns a rule may do what it does.
 */
export async function followRules(
  signal: AbortSignal,
  mayOwner: (role: string, verb: RuleVerb) => boolean,
): Promise<void> {
  const turns = await withSystemSql((sql) => sql<Turn>(TURNS))
  for (const turn of turns) {
    if (signal.aborted) return
    if (!mayOwner(turn.role, turn.verb)) continue
    try {
      await takeTurn(turn, signal)
    } catch (thrown) {
      const reason = thrown instanceof Error ? thrown.message : String(thrown)
      log.error({ organization: turn.organizationId, rule: turn.ruleId, reason }, 'rule not followed')
    }
  }
}

/** What a turn left for people, and what was refused to it. */
type Left = { failed: Map<string, Condition[]>; refused: Map<string, number> }

async function takeTurn(turn: Turn, signal: AbortSignal): Promise<void> {
  const { organizationId, connectionId, moment } = turn
  const { due, background } = await withTenantSnapshot(organizationId, async (sql) => {
    const due = await listTurnDue(sql, turn)
    // an hourly sync of which nothing is new reads no account for it
    const background = due.length === 0 ? null : await readBackground(sql, organizationId, connectionId, turn)
    return { due, background }
  })
  const left: Left = { failed: new Map(), refused: new Map() }
  for (let at = 0; background !== null && at < due.length; at += BATCH_INVOICES) {
    if (signal.aborted) return
    const steps = await planSteps(turn, due.slice(at, at + BATCH_INVOICES), background, left)
    // somebody changed it meanwhile, or it is still being applied: the turn is taken again
    for (const step of steps) if (!(await takeStep(turn, step, left))) return
  }
  await withTenantSql(organizationId, (sql) =>
    sql(
      `insert into rule_turn as t (organization_id, rule_id, version, connection_id, moment, failed, refused)
       values ($1, $2, $3, $4, $5::timestamptz, $6::json, $7::json)
       on conflict (organization_id, rule_id, version, connection_id) do update
         set moment = excluded.moment, failed = excluded.failed, refused = excluded.refused, at = excluded.at
         where t.moment < excluded.moment`,
      [
        organizationId,
        turn.ruleId,
        turn.version,
        connectionId,
        moment,
        JSON.stringify(countFailed(left.failed.values())),
        JSON.stringify([...left.refused].map(([code, invoiceCount]) => ({ code, invoiceCount }))),
      ],
    ),
  )
  log.info({ organization: organizationId, rule: turn.ruleId, connection: connectionId }, 'rule followed')
}

/** To approve, also what waits for it, since when ever it was prepared. */
async function listTurnDue(sql: Sql, { verb, moment, after, ...account }: Turn): Promise<Due[]> {
  const due = await listDue(sql, account, [moment], after)
  if (verb !== 'approve') return due
  const prepared = await sql<{ serialNumber: string }>(
    `select invoice_serial_number as "serialNumber" from sign_off
     where organization_id = $1 and connection_id = $2 and scope_kind = 'invoice' and step = 'prepared' and ended_at is null`,
    [account.organizationId, account.connectionId],
  )
  const serials = new Set([...due, ...prepared].map(({ serialNumber }) => serialNumber))
  return [...serials].sort().map((serialNumber) => ({ serialNumber, moment }))
}

/** Lines to accept, as they were seen, and then the invoices to sign. */
type Step = { asked: Asked; preview: DecisionPreview; lineCount: number; whole: string[] }

/** All of one moment: what is judged is what the preview's hash names. */
function planSteps(turn: Turn, due: readonly Due[], background: Background, left: Left): Promise<Step[]> {
  const { organizationId } = turn
  return withTenantSnapshot(organizationId, async (sql) => {
    const known = await readKnown(sql, turn, due, background, true)
    const decided = await readDecided(sql, turn, known)
    const steps: Step[] = []
    let names: string[] = []
    let whole: string[] = []
    const end = async () => {
      const asked: Asked = { kind: 'accept', set: { query: DEFAULT_LINE_QUERY, only: names } }
      const preview = await readPreview(sql, organizationId, asked)
      steps.push({ asked, preview, lineCount: names.length, whole })
      ;[names, whole] = [[], []]
    }
    for (const { invoice, hasMoved } of known) {
      // it has changed since the sync that ended: the next one's end is its moment
      if (hasMoved) continue
      const { lines, isWhole } = judgeCertification(turn, invoice)
      const open = lines.filter(({ line }) => !decided.has(line.id))
      for (const { line, failed } of open) if (failed.length > 0) left.failed.set(line.id, failed)
      const taken = open.filter(({ failed }) => failed.length === 0)
      if (names.length > 0 && names.length + taken.length > MOST_AT_ONCE) await end()
      names.push(...taken.map(({ line }) => `${turn.connectionId}~${line.id}`))
      if (!isWhole) continue
      // what fell is not certified anew: small changes would become a habit
      if (lines.some(({ line }) => decided.get(line.id) === 'suspended')) count(left, 'fallen')
      else whole.push(invoice.serialNumber)
    }
    if (names.length + whole.length > 0) await end()
    return steps
  })
}

/** Where lines stand that anybody, or a rule, has decided about. */
async function readDecided(sql: Sql, { organizationId, connectionId }: Turn, known: readonly KnownThen[]) {
  const rows = await sql<{ id: string; state: string }>(
    'select line_id as id, state from line_review where organization_id = $1 and connection_id = $2 and line_id = any ($3::text[])',
    [organizationId, connectionId, known.flatMap(({ invoice }) => invoice.lines.map(({ id }) => id))],
  )
  return new Map(rows.map(({ id, state }) => [id, state]))
}

/** False when it has to be looked at again. */
async function takeStep(turn: Turn, { asked, preview, lineCount, whole }: Step, left: Left): Promise<boolean> {
  if (lineCount > 0 && !(await accept(turn, asked, preview, left))) return false
  if (turn.verb === 'accept') return true
  for (const serialNumber of whole) if (!(await sign(turn, serialNumber, left))) return false
  return true
}

/** The owner, by whom all that a rule does is done; people read the rule's name. */
function toOwner({ ownerId, ownerName, name, ruleId, version }: Turn) {
  return {
    signer: {
      actor: { kind: 'person', userId: ownerId, name: ownerName, network: null } as const,
      name: `rule ${name} (${ownerName})`,
    },
    rule: { id: ruleId, version, name },
  }
}

async function accept(turn: Turn, asked: Asked, { hash, at, lastDecision }: DecisionPreview, left: Left) {
  const { signer, rule } = toOwner(turn)
  const wish = { asked, hash, at, lastDecision, reason: null, note: null, expectedBack: null, rule }
  try {
    const decided = await decide(turn.organizationId, signer, wish)
    return decided.kind === 'nothing' || (decided.kind === 'decided' && decided.isApplied)
  } catch (error) {
    return noteRefused(error, left)
  }
}

async function sign(turn: Turn, serialNumber: string, left: Left): Promise<boolean> {
  const step = turn.verb === 'approve' ? 'approved' : 'prepared'
  const scope = { kind: 'invoice', connectionId: turn.connectionId, serialNumber } as const
  const { signer, rule } = toOwner(turn)
  const preview = await previewSignOff(turn.organizationId, scope, step, turn.ownerId)
  if (preview.refusal === 'already') return true
  const wish = { sealHex: preview.sealHex, residuals: [], runningRun: preview.runningSync?.id ?? null, rule }
  try {
    const ended = await signOff(turn.organizationId, { ...signer, role: turn.role }, scope, step, wish)
    if (ended.kind === 'refused') count(left, ended.code)
    return ended.kind !== 'differs'
  } catch (error) {
    return noteRefused(error, left)
  }
}

/** What a lock or the rule's switch refuses is refused to the rule, too: it is counted. */
function noteRefused(error: unknown, left: Left): boolean {
  const codes = ['period-locked', 'rule-not-tried', 'rule-may-not-approve']
  if (!(error instanceof OperationalError) || !codes.includes(error.code)) throw error
  count(left, error.code)
  // locked meanwhile: judged again, it fails by that condition; turned off: there is no turn
  return error.code === 'rule-may-not-approve'
}

function count({ refused }: Left, code: string): void {
  refused.set(code, (refused.get(code) ?? 0) + 1)
}
