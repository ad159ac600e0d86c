import type { ConnectionId } from '#lib/ids.ts'
import type { CloseFacts, EndedSignature, MovedMoney, Signature, SignStep } from '#lib/reconcile/close/close-state.ts'
import { groupBy } from '#lib/reconcile/group-by.ts'
import { isZeroDecimal, subtractDecimals } from '#lib/reconcile/money.ts'
import { type MonthKey, toMonthName } from './read-month-facts.ts'

/** A signature with what was signed. `role`: as it was then. */
export type SignedMonth = Signature & {
  role: string
  residuals: Residual[]
  totals: SignedTotal[]
  lineCount: number
  invoiceCount: number
}

type SignedTotal = { currency: string; lineCount: number; total: MovedMoney['amount'] }

/** What was accepted without a reason of its own: it stays visible. */
type Residual = MovedMoney & { reason: string; note: string | null; by: string }

export type LockOfMonth = {
  number: string
  isOfAccount: boolean
  generation: number
  personId: string
  name: string
  at: string
  reopened: { at: string; name: string; reason: string } | null
}

/** Where a month of a profile, or of an account (`profileId` null), stands. */
export type Standing = Pick<CloseFacts, 'isLocked' | 'lastEnded'> & {
  prepared: SignedMonth | null
  approved: SignedMonth | null
  /** The latest of each step, whether it stands or has ended. */
  last: Record<SignStep, SignedMonth | null>
  lock: LockOfMonth | null
  /** What changed since it was locked, by currency. */
  drifted: MovedMoney[]
  hasDrifted: boolean
}

/** A signature, whether it stands or has ended. */
export type SignRow = SignedMonth &
  MonthKey & {
    isOfAccount: boolean
    endedAt: string | null
    cause: EndedSignature['cause'] | null
    moved: MovedMoney[] | null
  }
type LockRow = LockOfMonth & MonthKey & { signOffId: string }
type DriftRow = MonthKey & { lock: string; changeCount: number; currency: string | null; amount: MovedMoney['amount'] }

const MONTH_OF = (row: string) => `to_char(${row}.month, 'YYYY-MM')`
const OF_SPAN = (row: string) => `${row}.organization_id = $1 and ${row}.month >= $2::date and ${row}.month < $3::date`

/** SQL of `SignRow`, up to its conditions. */
export const SIGNED_COLUMNS = `
  s.id, s.connection_id as "connectionId", s.profile_id as "profileId", ${MONTH_OF('s')} as month, s.step,
  s.scope_kind = 'connection_month' as "isOfAccount", s.actor_id as "personId", s.actor_name as name, s.actor_role as role,
  to_json(s.at) as at, s.residuals, s.totals, s.line_count::int as "lineCount", s.invoice_count::int as "invoiceCount",
  to_json(s.ended_at) as "endedAt", e.cause, e.moved
  from sign_off s left join sign_off_end e on e.organization_id = s.organization_id and e.sign_off_id = s.id`

/** Every signature of the months, the newest last. */
export const SIGNED_OF_MONTHS = `select ${SIGNED_COLUMNS} where ${OF_SPAN('s')} order by s.at, s.id`

/** Every lock of the months, the newest last. */
export const LOCKS_OF_MONTHS = `
  select k.number::text, k.connection_id as "connectionId", k.profile_id as "profileId", ${MONTH_OF('k')} as month,
         k.scope_kind = 'connection_month' as "isOfAccount", k.generation, k.sign_off_id as "signOffId", k.actor_id as "personId",
         k.actor_name as name, to_json(k.at) as at,
         case when k.reopened_at is not null then
           json_build_object('at', k.reopened_at, 'name', k.reopened_by_name, 'reason', k.reopen_reason) end as reopened
  from period_lock k where ${OF_SPAN('k')} order by k.number`

/** What changed in locked months of what was signed, by profile and currency. */
export const DRIFT_OF_MONTHS = `
  select d.lock_number::text as lock, d.connection_id as "connectionId", coalesce(k.profile_id, i.profile_id) as "profileId",
         ${MONTH_OF('k')} as month, count(distinct d.id)::int as "changeCount", m.currency, sum(m.amount)::text as amount
  from drift d
  join period_lock k on k.organization_id = d.organization_id and k.number = d.lock_number
  left join invoice i on i.organization_id = d.organization_id and i.connection_id = d.connection_id
    and i.serial_number = d.invoice_serial_number
  left join lateral (
    values (d.currency_before, -d.amount_before), (d.currency_after, d.amount_after)) m (currency, amount) on m.currency is not null
  where ${OF_SPAN('k')} and k.reopened_at is null and d.cause <> 'beside' group by 1, 2, 3, 4, 6 order by 6`

export type StandingRows = { signed: SignRow[]; locks: LockRow[]; drift: DriftRow[] }

export type Standings = {
  /** Of a month of a profile: its own signatures, or its account's where that is what is locked. */
  ofProfile: (key: MonthKey) => Standing
  ofAccount: (connectionId: ConnectionId, month: string) => Standing
  /** All that was signed of it, the newest first, also what ended. */
  listSigned: (key: MonthKey, isOfAccount: boolean) => SignRow[]
  listLocks: (key: MonthKey, isOfAccount: boolean) => LockRow[]
}

/** The standings of months from their rows. */
export function toStandings({ signed, locks, drift }: StandingRows): Standings {
  const nameOf = (row: MonthKey & { isOfAccount: boolean }) =>
    `${row.isOfAccount} ${toMonthName({ connectionId: row.connectionId, profileId: row.profileId, month: row.month })}`
  const signedOf = groupBy(signed, nameOf)
  const locksOf = groupBy(locks, nameOf)
  const read = <Row>(rows: ReadonlyMap<string, Row[]>, key: MonthKey, isOfAccount: boolean): Row[] =>
    rows.get(nameOf({ ...key, isOfAccount })) ?? []
  const driftOf = (lock: LockRow) => drift.filter((row) => row.lock === lock.number)
  const own = (key: MonthKey, isOfAccount: boolean): Standing => {
    const lock = findLock(read(locksOf, key, isOfAccount))
    return toStanding(read(signedOf, key, isOfAccount), lock, lock === null ? [] : driftOf(lock))
  }
  const accountOf = ({ connectionId, month }: Pick<MonthKey, 'connectionId' | 'month'>): MonthKey => ({
    connectionId,
    profileId: null,
    month,
  })
  return {
    ofAccount: (connectionId, month) => own(accountOf({ connectionId, month }), true),
    ofProfile: (key) => {
      const standing = own(key, false)
      const lock = findLock(read(locksOf, accountOf(key), true))
      if (standing.isLocked || lock === null) return standing
      return toShareOf(own(accountOf(key), true), driftOf(lock), key.profileId)
    },
    listSigned: (key, isOfAccount) => read(signedOf, isOfAccount ? accountOf(key) : key, isOfAccount).toReversed(),
    listLocks: (key, isOfAccount) => read(locksOf, isOfAccount ? accountOf(key) : key, isOfAccount).toReversed(),
  }
}

function findLock(locks: readonly LockRow[]): LockRow | null {
  return locks.findLast(({ reopened }) => reopened === null) ?? null
}

function toStanding(signed: readonly SignRow[], lock: LockRow | null, drift: readonly DriftRow[]): Standing {
  return {
    ...toSignatures(signed),
    isLocked: lock !== null,
    lock,
    hasDrifted: drift.length > 0,
    drifted: sumMoved(drift),
  }
}

/** What stands of a scope's signatures, the newest last, and what came last of each step. */
export function toSignatures(
  signed: readonly SignRow[],
): Pick<Standing, 'prepared' | 'approved' | 'last' | 'lastEnded'> {
  const standing = (step: SignStep) => signed.findLast((row) => row.step === step && row.endedAt === null) ?? null
  const lastOf = (step: SignStep) => signed.findLast((row) => row.step === step) ?? null
  return {
    prepared: standing('prepared'),
    approved: standing('approved'),
    last: { prepared: lastOf('prepared'), approved: lastOf('approved') },
    lastEnded: toLastEnded(signed),
  }
}

/** A profile's share of its account's lock: what changed elsewhere changed nothing here. */
function toShareOf(account: Standing, drift: readonly DriftRow[], profileId: string | null): Standing {
  const own = drift.filter((row) => row.profileId === profileId || row.profileId === null)
  const isUntouched = own.length === 0 && drift.length > 0
  return {
    ...account,
    ...(isUntouched ? { ...account.last, lastEnded: null } : {}),
    hasDrifted: own.length > 0,
    drifted: sumMoved(own),
  }
}

function sumMoved(drift: readonly DriftRow[]): MovedMoney[] {
  return drift.flatMap(({ currency, amount }) => (currency === null ? [] : { currency, amount }))
}

function toLastEnded(signed: readonly SignRow[]): EndedSignature | null {
  const ended = signed
    .flatMap(({ endedAt, cause, moved, ...row }) =>
      endedAt === null || cause === null ? [] : [{ ...row, endedAt, cause, moved: moved ?? [] }],
    )
    .sort((a, b) => (a.endedAt < b.endedAt ? -1 : 1))
  const last = ended.at(-1)
  // an approval ends with what it stands on, and says more
  const approval = ended.findLast(({ step, at }) => step === 'approved' && last !== undefined && at > last.at)
  return approval ?? last ?? null
}

/**
 * By how much lines differ from what was signed, by currency. Of several changes one after the
 * other a signature's end has the first alone, and of an invoice's it has no money.
 */
export function toMoved(
  fallen: EndedSignature | null,
  { prepared, approved }: Standing['last'],
  now: readonly { currency: string; total: MovedMoney['amount'] }[],
): EndedSignature | null {
  const signed = [approved, prepared].find((row) => row !== null && row.id === fallen?.id)
  if (fallen === null || !signed) return fallen
  const totalOf = (all: readonly { currency: string; total: MovedMoney['amount'] }[], currency: string) =>
    all.find((each) => each.currency === currency)?.total ?? ZERO
  const currencies = [...new Set([...signed.totals, ...now].map(({ currency }) => currency))].sort()
  const moved = currencies
    .map((currency) => ({
      currency,
      amount: subtractDecimals(totalOf(now, currency), totalOf(signed.totals, currency)),
    }))
    .filter(({ amount }) => !isZeroDecimal(amount))
  return { ...fallen, moved }
}

const ZERO = '0' as MovedMoney['amount']
