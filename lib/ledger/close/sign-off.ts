/** Signs what somebody has seen, exactly as it was seen (docs/decisions/062-sign-off.md). */
import { type Actor, userIdOf } from '#lib/audit/model.ts'
import { recordAudit } from '#lib/audit/record-audit.ts'
import { type Sql, withTenantSnapshot, withTenantSql } from '#lib/db/tenant.ts'
import { type ErrorCode, OperationalError } from '#lib/errors.ts'
import type { ConnectionId, OrganizationId, UserId } from '#lib/ids.ts'
import type { Signature, SignStep } from '#lib/reconcile/close/close-state.ts'
import { writeScope } from '#lib/reconcile/close/scope.ts'
import { compareDecimals, parseDecimal } from '#lib/reconcile/money.ts'
import { type OpenMoney, readSealed, type Scope, type ScopeTotal, type Sealed } from './read-seal.ts'
import { type Residual, readGeneration, readStanding, type Standing, toScopeKey } from './standing.ts'

/** Who signs; name and role are copied, as people read them. */
export type Signer = { actor: Actor; name: string; role: string }

/** Codes of what the database refuses (lib/errors.ts), whoever asks. */
const REFUSED = [
  'four-eyes',
  'no-step-before',
  'period-locked',
  'sign-off-changed',
  'decision-under-way',
  'not-own-sign-off',
] as const satisfies ErrorCode[]

/**
 * `nothing`: the scope has no invoice. `already`: the step stands. `sync-running`: a sync is under
 * way that the signer was not told of. `residual-needed`: something is undecided that nobody
 * accepted with a reason. `gone`: there is no such sign-off, lock or exception any more.
 */
export type CloseRefusal =
  | (typeof REFUSED)[number]
  | 'nothing'
  | 'already'
  | 'sync-running'
  | 'residual-needed'
  | 'gone'

export type Refused = { kind: 'refused'; code: CloseRefusal }

/** What would be signed, and what stands in the way of this person. Changes nothing. */
export type SignOffPreview = {
  scope: Scope
  step: SignStep
  sealHex: string
  lineCount: number
  invoiceCount: number
  totals: ScopeTotal[]
  /** Findings that wait for somebody; to prepare, each currency of `open` needs a reason. */
  undecided: number
  open: OpenMoney[]
  /** What the preparation accepted. */
  residuals: Residual[]
  openDisputes: number
  /** Records of these invoices that could not be read. */
  notImported: number
  /** A sync that is under way: figures are as of now, and may change with its next page. */
  runningSync: { id: string; since: string } | null
  prepared: Signature | null
  approved: Signature | null
  /** The lock in force of exactly this month. */
  lock: string | null
  fourEyes: boolean
  /** Why this person cannot take the step now; null when they can. */
  refusal: CloseRefusal | null
  /** ISO 8601. */
  at: string
}

export function previewSignOff(
  organizationId: OrganizationId,
  scope: Scope,
  step: SignStep,
  personId: UserId | null,
): Promise<SignOffPreview> {
  return withTenantSnapshot(organizationId, (sql) => readPreview(sql, organizationId, scope, step, personId))
}

async function readPreview(
  sql: Sql,
  organizationId: OrganizationId,
  scope: Scope,
  step: SignStep,
  personId: UserId | null,
): Promise<SignOffPreview> {
  const sealed = await readSealed(sql, organizationId, scope)
  const standing = await readStanding(sql, organizationId, scope)
  const [row] = await sql<{ fourEyes: boolean; at: string }>(
    'select four_eyes as "fourEyes", to_json(now()) as at from organization where id = $1',
    [organizationId],
  )
  const fourEyes = row?.fourEyes ?? true
  const { prepared, approved, lock } = standing
  return {
    scope,
    step,
    sealHex: sealed.sealHex,
    lineCount: sealed.lineCount,
    invoiceCount: sealed.invoiceCount,
    totals: sealed.totals,
    undecided: sealed.undecided,
    open: sealed.open,
    residuals: prepared?.residuals ?? [],
    openDisputes: sealed.openDisputes,
    notImported: sealed.notImported,
    runningSync: await findRunningSync(sql, organizationId, scope.connectionId),
    prepared: toSignature(prepared),
    approved: toSignature(approved),
    lock,
    fourEyes,
    refusal: findRefusal(sealed, standing, step, fourEyes ? personId : null),
    at: row?.at ?? '',
  }
}

function toSignature(signature: Signature | null): Signature | null {
  if (signature === null) return null
  const { id, step, personId, name, at } = signature
  return { id, step, personId, name, at }
}

/** What can be told before; the database judges when it is signed. */
function findRefusal(
  sealed: Sealed,
  { prepared, approved }: Standing,
  step: SignStep,
  personId: UserId | null,
): CloseRefusal | null {
  if (sealed.invoiceCount === 0) return 'nothing'
  if ((step === 'prepared' ? prepared : approved) !== null) return 'already'
  if (step === 'prepared') return null
  if (prepared === null) return 'no-step-before'
  return prepared.personId === personId ? 'four-eyes' : null
}

async function findRunningSync(sql: Sql, organizationId: OrganizationId, connectionId: ConnectionId) {
  const [run] = await sql<{ id: string; since: string }>(
    `select id, to_json(coalesce(started_at, requested_at)) as since from sync_run
     where organization_id = $1 and connection_id = $2 and status = 'running'`,
    [organizationId, connectionId],
  )
  return run ?? null
}

/**
 * `sealHex`: of the preview that was seen. `residuals`: what is accepted undecided, by currency,
 * to prepare. `runningRun`: the sync that the preview told of.
 */
export type SignWish = {
  sealHex: string
  residuals: Omit<Residual, 'by'>[]
  runningRun: string | null
  /** The rule that signs for its owner, and the version that counts. */
  rule?: { id: string; version: number; name: string }
}

export type Signed =
  | { kind: 'signed'; id: string; step: SignStep; at: string; sealHex: string; lineCount: number; totals: ScopeTotal[] }
  | { kind: 'differs'; preview: SignOffPreview }
  | Refused

class NotSigned extends Error {
  readonly outcome: 'differs' | CloseRefusal
  constructor(outcome: 'differs' | CloseRefusal) {
    super(outcome)
    this.outcome = outcome
  }
}

/**
 * Takes a step of exactly what the seal names, in one transaction with its audit entry, or does
 * nothing and says why; `differs`: it is another one by now, with a fresh preview. Whoever writes
 * lines of the account waits meanwhile.
 */
export async function signOff(
  organizationId: OrganizationId,
  signer: Signer,
  scope: Scope,
  step: SignStep,
  wish: SignWish,
): Promise<Signed> {
  try {
    return await withTenantSql(organizationId, (sql) => sign(sql, organizationId, signer, scope, step, wish))
  } catch (error) {
    if (!(error instanceof NotSigned)) return toRefused(error)
    if (error.outcome !== 'differs') return { kind: 'refused', code: error.outcome }
    return { kind: 'differs', preview: await previewSignOff(organizationId, scope, step, userIdOf(signer.actor)) }
  }
}

/** @throws what is no refusal. */
export function toRefused(error: unknown): Refused {
  const code = REFUSED.find((each) => error instanceof OperationalError && error.code === each)
  if (code === undefined) throw error
  return { kind: 'refused', code }
}

async function sign(
  sql: Sql,
  organizationId: OrganizationId,
  { actor, name, role }: Signer,
  scope: Scope,
  step: SignStep,
  wish: SignWish,
): Promise<Signed> {
  await holdAccount(sql, organizationId, scope.connectionId)
  const standing = await readStanding(sql, organizationId, scope)
  const sealed = await readSealed(sql, organizationId, scope)
  if (sealed.invoiceCount === 0) throw new NotSigned('nothing')
  if (standing[step] !== null) throw new NotSigned('already')
  if (sealed.sealHex !== wish.sealHex) throw new NotSigned('differs')
  const running = await findRunningSync(sql, organizationId, scope.connectionId)
  if (running !== null && running.id !== wish.runningRun) throw new NotSigned('sync-running')
  if (step === 'prepared' && !isCovered(sealed.open, wish.residuals)) throw new NotSigned('residual-needed')
  const residuals =
    step === 'prepared' ? wish.residuals.map((each) => ({ ...each, by: name })) : (standing.prepared?.residuals ?? [])
  const [kind, connection, profile, month, serial] = toScopeKey(scope)
  const { proof, checks, habits } = sealed.versions
  const [row] = await sql<{ id: string; at: Date }>(
    `insert into sign_off (organization_id, scope_kind, connection_id, profile_id, month, invoice_serial_number, generation, step,
       actor_kind, actor_id, actor_name, actor_role, seal, line_count, invoice_count, totals, residuals, proof_version, checks_number,
       habits_number, rule, running_run, rule_id, rule_version)
     values ($1, $2, $3, $4, $5::date, $6, $7, $8, $9, $10, $11, $12, decode($13, 'hex'), $14, $15, $16::json, $17::json, $18, $19, $20, $21, $22, $23, $24)
     returning id, at`,
    [
      organizationId,
      kind,
      connection,
      profile,
      month,
      serial,
      await readGeneration(sql, organizationId, scope),
      step,
      wish.rule === undefined ? actor.kind : 'rule',
      userIdOf(actor),
      name,
      role,
      sealed.sealHex,
      sealed.lineCount,
      sealed.invoiceCount,
      JSON.stringify(sealed.totals),
      JSON.stringify(residuals),
      proof,
      checks,
      habits,
      wish.rule?.name ?? null,
      running?.id ?? null,
      wish.rule?.id ?? null,
      wish.rule?.version ?? null,
    ],
  )
  const { id, at } = row as NonNullable<typeof row>
  await recordAudit(sql, organizationId, {
    actor,
    action: step === 'prepared' ? 'close.prepared' : 'close.approved',
    subject: { kind: 'sign-off', id, name: writeScope(scope) },
    after: {
      seal: sealed.sealHex,
      invoices: sealed.invoiceCount,
      lines: sealed.lineCount,
      totals: sealed.totals,
      ...(wish.rule && { rule: wish.rule.name, version: wish.rule.version }),
      ...(residuals.length > 0 && {
        residuals: residuals.map(({ currency, amount, reason }) => ({ currency, amount, reason })),
      }),
    },
  })
  const { sealHex, lineCount, totals } = sealed
  return { kind: 'signed', id, step, at: at.toISOString(), sealHex, lineCount, totals }
}

/** As whoever writes lines (tally.sql): what is read of the account from here on is how it is. */
export async function holdAccount(sql: Sql, organizationId: OrganizationId, connectionId: ConnectionId): Promise<void> {
  await sql('select from connection_tally where organization_id = $1 and connection_id = $2 for update', [
    organizationId,
    connectionId,
  ])
}

/** Whether each currency of what is undecided is accepted, and no other: its amount, a reason. */
function isCovered(open: readonly OpenMoney[], residuals: SignWish['residuals']): boolean {
  return (
    open.length === residuals.length &&
    open.every(({ currency, amount }) => {
      const own = residuals.find((each) => each.currency === currency)
      const stated = own === undefined ? null : parseDecimal(own.amount)
      return own !== undefined && own.reason.trim() !== '' && stated !== null && compareDecimals(stated, amount) === 0
    })
  )
}

/**
 * Takes back a sign-off of one's own. What is approved on it, or locked, is not taken back under
 * it.
 */
export async function withdrawSignOff(
  organizationId: OrganizationId,
  { actor, name }: Signer,
  id: string,
): Promise<{ kind: 'withdrawn'; at: string } | Refused> {
  try {
    return await withTenantSql(organizationId, async (sql) => {
      const [ended] = await sql<{ at: Date }>(
        `insert into sign_off_end (organization_id, sign_off_id, cause, connection_id, actor_kind, actor_id, actor_name)
         select organization_id, id, 'withdrawn', connection_id, $3, $4, $5 from sign_off
         where organization_id = $1 and id = $2 and ended_at is null
         returning at`,
        [organizationId, id, actor.kind, userIdOf(actor), name],
      )
      if (ended === undefined) return { kind: 'refused', code: 'gone' } as const
      await recordAudit(sql, organizationId, { actor, action: 'close.withdrawn', subject: { kind: 'sign-off', id } })
      return { kind: 'withdrawn', at: ended.at.toISOString() } as const
    })
  } catch (error) {
    return toRefused(error)
  }
}
