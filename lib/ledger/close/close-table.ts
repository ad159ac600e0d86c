/** The table of months by profile, from rows that were read in one moment. No database here. */
import type { ConnectionId } from '#lib/ids.ts'
import { CLOSE_STATES, type CloseStand, type CloseState, standOfClose } from '#lib/reconcile/close/close-state.ts'
import type { PeriodScope } from '#lib/reconcile/close/scope.ts'
import { groupBy } from '#lib/reconcile/group-by.ts'
import { type DecimalText, sumDecimals } from '#lib/reconcile/money.ts'
import { addFacts, type MoneyRow, type MonthFacts, type MonthKey, toMonthName } from './read-month-facts.ts'
import { type LockOfMonth, type SignRow, type Standing, type Standings, toMoved } from './read-standings.ts'

/** A profile of an account, null for none; `currency`: what most of its lines are in. */
export type CloseColumn = {
  connectionId: ConnectionId
  profileId: string | null
  name: string | null
  currency: string
}

/** A month of a profile, or of an account. */
export type CloseCell = MonthFacts & { stand: CloseStand; standing: Standing }

/** `cells`: in the order of the columns; null where there is no invoice and nothing was signed. */
export type CloseRow = {
  month: string
  cells: (CloseCell | null)[]
  lockedCount: number
  cellCount: number
  byState: { state: CloseState; count: number }[]
}

export type CloseTable = {
  /** Newest first. */
  rows: CloseRow[]
  columns: CloseColumn[]
  /** Net of these months, by column, in its currency. */
  totals: DecimalText[]
}

/** What waits for a signature or a lock. */
export type NextToSign = {
  scope: PeriodScope<ConnectionId>
  name: string
  state: CloseState
  preparedBy: { id: string; name: string } | null
}

/** A chosen month. `name`: of its profile; null for the whole account. */
export type ChosenMonth = {
  scope: PeriodScope<ConnectionId>
  name: string | null
  cell: CloseCell
  /** Signatures that ended, the newest first. */
  past: SignRow[]
  locks: LockOfMonth[]
}

export type ProfileRow = { connectionId: ConnectionId; profileId: string; name: string | null; currency: string | null }

/** Columns are profiles with anything in these months, by account and name; of none last. */
export function toColumns(
  { profiles, money }: { profiles: readonly ProfileRow[]; money: readonly MoneyRow[] },
  facts: ReadonlyMap<string, MonthFacts>,
): CloseColumn[] {
  const names = new Map(profiles.map((row) => [toProfileName(row), row]))
  const known = new Map([...facts.values()].map((each) => [toProfileName(each), each]))
  const linesOf = groupBy(money, toProfileName)
  return [...known]
    .map(([key, { connectionId, profileId }]) => ({
      connectionId,
      profileId,
      name: names.get(key)?.name ?? null,
      currency: toMainCurrency(linesOf.get(key) ?? []) ?? names.get(key)?.currency ?? '',
    }))
    .sort(
      (a, b) =>
        a.connectionId.localeCompare(b.connectionId) ||
        Number(a.profileId === null) - Number(b.profileId === null) ||
        (a.name ?? a.profileId ?? '').localeCompare(b.name ?? b.profileId ?? ''),
    )
}

const toProfileName = ({ connectionId, profileId }: Pick<MonthKey, 'connectionId' | 'profileId'>) =>
  JSON.stringify([connectionId, profileId])

function toMainCurrency(rows: readonly MoneyRow[]): string | undefined {
  const counts = [...groupBy(rows, ({ currency }) => currency)].map(([currency, own]) => ({
    currency,
    count: own.reduce((sum, { lineCount }) => sum + lineCount, 0),
  }))
  return counts.sort((a, b) => b.count - a.count)[0]?.currency
}

/** The table of these months, in their order. */
export function toTable(
  months: readonly string[],
  columns: readonly CloseColumn[],
  facts: ReadonlyMap<string, MonthFacts>,
  standings: Standings,
): CloseTable {
  const rows = months.map((month) => {
    const cells = columns.map((column) => toCell({ ...pickProfile(column), month }, facts, standings))
    const filled = cells.filter((cell) => cell !== null)
    const byState = CLOSE_STATES.flatMap((state) => {
      const count = filled.filter(({ stand }) => stand.state === state).length
      return count === 0 ? [] : { state, count }
    })
    return {
      month,
      cells,
      lockedCount: filled.filter(({ standing }) => standing.isLocked).length,
      cellCount: filled.length,
      byState,
    }
  })
  const totals = columns.map(({ currency }, at) =>
    sumDecimals(
      rows
        .flatMap(({ cells }) => cells[at]?.money.filter((each) => each.currency === currency) ?? [])
        .map(({ net }) => net),
    ),
  )
  return { rows, columns: [...columns], totals }
}

const pickProfile = ({ connectionId, profileId }: CloseColumn) => ({ connectionId, profileId })

function toCell(key: MonthKey, facts: ReadonlyMap<string, MonthFacts>, standings: Standings): CloseCell | null {
  const standing = standings.ofProfile(key)
  const own = facts.get(toMonthName(key))
  const isSigned = standing.isLocked || standing.last.prepared !== null
  if (own === undefined && !isSigned) return null
  return toStood(own ?? addFacts([], key), standing)
}

function toStood(facts: MonthFacts, standing: Standing): CloseCell {
  const stand = standOfClose({ ...standing, undecided: facts.undecided, worst: facts.worst })
  return { ...facts, standing, stand: { ...stand, fallen: toMoved(stand.fallen, standing.last, facts.money) } }
}

/** The chosen month: of a profile, or of all profiles of an account together. */
export function toChosen(
  scope: PeriodScope<ConnectionId>,
  columns: readonly CloseColumn[],
  facts: ReadonlyMap<string, MonthFacts>,
  standings: Standings,
): ChosenMonth {
  const { connectionId, month } = scope
  const profileId = scope.kind === 'profile_month' ? scope.profileId : null
  const key = { connectionId, profileId, month }
  const isOfAccount = scope.kind === 'connection_month'
  const own = [...facts.values()].filter(
    (each) =>
      each.connectionId === connectionId && each.month === month && (isOfAccount || each.profileId === profileId),
  )
  const cell = toStood(
    addFacts(own, key),
    isOfAccount ? standings.ofAccount(connectionId, month) : standings.ofProfile(key),
  )
  const column = columns.find((each) => each.connectionId === connectionId && each.profileId === profileId)
  return {
    scope,
    name: isOfAccount ? null : (column?.name ?? profileId),
    cell,
    past: standings.listSigned(key, isOfAccount).filter(({ endedAt }) => endedAt !== null),
    locks: standings.listLocks(key, isOfAccount),
  }
}

/** What is ready, prepared or approved waits for somebody; the oldest month first. */
export function listNext({ rows, columns }: CloseTable): NextToSign[] {
  return rows.toReversed().flatMap(({ month, cells }) =>
    cells.flatMap((cell, at) => {
      const column = columns[at]
      const isWaiting = cell !== null && ['ready', 'prepared', 'approved'].includes(cell.stand.state)
      if (column === undefined || column.profileId === null || !isWaiting || cell.invoiceCount === 0) return []
      const { connectionId, profileId, name } = column
      const prepared = cell.standing.prepared
      return {
        scope: { kind: 'profile_month' as const, connectionId, profileId, month },
        name: name ?? profileId,
        state: cell.stand.state,
        preparedBy: prepared && { id: prepared.personId, name: prepared.name },
      }
    }),
  )
}
