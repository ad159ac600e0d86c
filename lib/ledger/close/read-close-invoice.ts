/** Where an invoice stands in the close, and whether its month is locked. */
import { type Sql, withTenantSnapshot } from '#lib/db/tenant.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import { type CloseStand, standOfClose } from '#lib/reconcile/close/close-state.ts'
import type { PeriodScope } from '#lib/reconcile/close/scope.ts'
import type { DecimalText } from '#lib/reconcile/money.ts'
import { isUndecided, type ReviewChoice } from '#lib/reconcile/review/review-state.ts'
import { type LineState, type State, worstOf } from '#lib/reconcile/verdict.ts'
import { toLineState } from '../fields/line-fields.ts'
import type { InvoiceKey } from '../kept/plain-invoices/read-completeness.ts'
import { REVIEW_OF_LINE } from '../review/review-columns.ts'
import { selectTogether } from '../sql/select-together.ts'
import { FOUR_EYES } from './four-eyes.ts'
import { SIGNED_COLUMNS, type SignRow, toMoved, toSignatures } from './read-standings.ts'

export type CloseOfInvoice = ReturnType<typeof toSignatures> & {
  stand: CloseStand
  /** Signatures that ended, the newest first. */
  past: SignRow[]
  /** The lock in force of its month. */
  lock: { name: string; at: string; scope: PeriodScope<ConnectionId> } | null
  /** Who prepared may not approve. */
  fourEyes: boolean
}

type LockRow = { name: string; at: string; profileId: string | null; month: string }
type UndecidedRow = { lineState: LineState; lineCount: number }
type Rows = {
  signed: SignRow[]
  locks: LockRow[]
  undecided: UndecidedRow[]
  totals: { currency: string; total: DecimalText }[]
  organization: { fourEyes: boolean }[]
}

const OF = '.organization_id = $1 and '
const QUERIES: { [Name in keyof Rows]: string } = {
  signed: `select ${SIGNED_COLUMNS}
    where s${OF}s.connection_id = $2 and s.invoice_serial_number = $3 order by s.at, s.id`,
  locks: `select k.actor_name as name, to_json(k.at) as at, k.profile_id as "profileId", to_char(k.month, 'YYYY-MM') as month
    from invoice i join period_lock k on k.organization_id = i.organization_id and k.connection_id = i.connection_id
      and k.month = date_trunc('month', i.issuing_date)::date and (k.profile_id is null or k.profile_id = i.profile_id)
    where i${OF}i.connection_id = $2 and i.serial_number = $3 and k.reopened_at is null order by k.profile_id nulls last`,
  undecided: `select ${toLineState('l')} as "lineState", count(*)::int as "lineCount" from line l left join ${REVIEW_OF_LINE}
    where l${OF}l.connection_id = $2 and l.invoice_serial_number = $3
      and (v.state = 'suspended' or (v.state is null and l.finding_count > 0 and l.missing_since is null)) group by 1`,
  totals: `select l.currency, sum(l.total_amount)::text as total from line l
    where l${OF}l.connection_id = $2 and l.invoice_serial_number = $3 and l.missing_since is null group by 1`,
  organization: FOUR_EYES,
}

/** `own`: where its own findings stand, and its own verdict; null where it has none. */
export function readCloseOfInvoice(
  organizationId: OrganizationId,
  { connectionId, serialNumber }: InvoiceKey,
  own: { state: ReviewChoice; verdict: State } | null,
): Promise<CloseOfInvoice> {
  return withTenantSnapshot(organizationId, async (sql: Sql) => {
    const rows = await selectTogether<Rows>(sql, QUERIES, [organizationId, connectionId, serialNumber])
    const waiting: { lineState: State; lineCount: number }[] = [...rows.undecided]
    if (own !== null && isUndecided(own.state)) waiting.push({ lineState: own.verdict, lineCount: 1 })
    const signatures = toSignatures(rows.signed)
    const stand = standOfClose({
      ...signatures,
      undecided: waiting.reduce((sum, { lineCount }) => sum + lineCount, 0),
      worst: worstOf(waiting.map(({ lineState }) => lineState)),
      isLocked: false,
    })
    const [lock] = rows.locks
    return {
      ...signatures,
      stand: { ...stand, fallen: toMoved(stand.fallen, signatures.last, rows.totals) },
      past: rows.signed.filter(({ endedAt }) => endedAt !== null).toReversed(),
      lock: lock === undefined ? null : { name: lock.name, at: lock.at, scope: toScope(connectionId, lock) },
      fourEyes: rows.organization[0]?.fourEyes ?? true,
    }
  })
}

function toScope(connectionId: ConnectionId, { profileId, month }: LockRow): PeriodScope<ConnectionId> {
  return profileId === null
    ? { kind: 'connection_month', connectionId, month }
    : { kind: 'profile_month', connectionId, profileId, month }
}
