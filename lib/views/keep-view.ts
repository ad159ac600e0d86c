/**
 * How people keep views: each their own, and those of the team, which the audit tells of. A change
 * names the version that it was made from, so nobody saves over what they have not seen.
 */
import type { Actor, AuditEvent } from '#lib/audit/model.ts'
import { recordAudit } from '#lib/audit/record-audit.ts'
import type { Records } from '#lib/db/records.ts'
import { type Sql, withTenant } from '#lib/db/tenant.ts'
import type { OrganizationId, UserId } from '#lib/ids.ts'
import type { ViewedList } from './list-views.ts'

/** Who keeps views. `ownerId`: whose they are, the person's own; null: the team's. */
export type Keeper = { ownerId: UserId | null; name: string; actor: Actor; now: Date }

/** A view and the version of it that its keeper has seen. */
export type SeenView = { id: string; version: number }

/**
 * How it ended. `changed`: somebody has saved the view since it was seen. `gone`: the keeper has no
 * such view. `taken`: they have another one of the list by that name. `full`: they have too many.
 */
export type Kept = { kind: 'kept'; view: SeenView } | { kind: 'changed' | 'gone' | 'taken' | 'full' }

/** Of one list, for each keeper: all of them are drawn beside each other. */
const MOST_VIEWS = 50

/** Keeps another view. */
export function addView(
  organizationId: OrganizationId,
  keeper: Keeper,
  view: { list: ViewedList; name: string; search: string },
): Promise<Kept> {
  return withTenant(organizationId, async (records, sql) => {
    const { ownerId } = keeper
    const refusal = await findRefusal(records, organizationId, { ownerId, list: view.list, name: view.name })
    if (refusal !== null) return refusal
    const [added] = await records.savedView.createManyAndReturn({
      data: { organizationId, ownerId, ...view, ...toSigned(keeper) },
      select: { id: true, version: true },
    })
    if (added === undefined) return { kind: 'gone' }
    await note(sql, organizationId, keeper, { action: 'view.shared', id: added.id, name: view.name, after: view })
    return { kind: 'kept', view: added }
  })
}

/** Saves another address under the view's name. */
export function saveView(
  organizationId: OrganizationId,
  keeper: Keeper,
  seen: SeenView,
  search: string,
): Promise<Kept> {
  return changeView(organizationId, keeper, seen, async (records, sql, view) => {
    if (!(await changeSeen(records, organizationId, keeper, seen, { search }))) return { kind: 'changed' }
    const { id, name } = view
    const [before, after] = [{ search: view.search }, { search }]
    await note(sql, organizationId, keeper, { action: 'view.saved', id, name, before, after })
    return { kind: 'kept', view: toNext(seen) }
  })
}

/** Gives the view another name. */
export function renameView(
  organizationId: OrganizationId,
  keeper: Keeper,
  seen: SeenView,
  name: string,
): Promise<Kept> {
  return changeView(organizationId, keeper, seen, async (records, sql, view) => {
    if (view.name === name) return { kind: 'kept', view: seen }
    if (await isTaken(records, organizationId, { ownerId: keeper.ownerId, list: view.list, name }))
      return { kind: 'taken' }
    if (!(await changeSeen(records, organizationId, keeper, seen, { name }))) return { kind: 'changed' }
    const [before, after] = [{ name: view.name }, { name }]
    await note(sql, organizationId, keeper, { action: 'view.renamed', id: view.id, name, before, after })
    return { kind: 'kept', view: toNext(seen) }
  })
}

/** Deletes the view; whoever opened the list with it opens the list as it is. */
export function removeView(organizationId: OrganizationId, keeper: Keeper, seen: SeenView): Promise<Kept> {
  return changeView(organizationId, keeper, seen, async (records, sql, view) => {
    const { ownerId } = keeper
    const gone = await records.savedView.deleteMany({ where: { organizationId, ownerId, ...seen } })
    if (gone.count === 0) return { kind: 'changed' }
    const { id, name, search } = view
    await note(sql, organizationId, keeper, { action: 'view.removed', id, name, before: { search } })
    return { kind: 'kept', view: seen }
  })
}

type StoredView = { id: string; list: string; name: string; search: string; version: number }

/** In one transaction, with what the view was before. */
function changeView(
  organizationId: OrganizationId,
  { ownerId }: Keeper,
  { id }: SeenView,
  change: (records: Records, sql: Sql, view: StoredView) => Promise<Kept>,
): Promise<Kept> {
  return withTenant(organizationId, async (records, sql) => {
    const view = await records.savedView.findFirst({
      where: { organizationId, ownerId, id },
      select: { id: true, list: true, name: true, search: true, version: true },
    })
    return view === null ? { kind: 'gone' } : change(records, sql, view)
  })
}

/** False, with nothing changed, unless the view is as it was seen. Two savers wait in turn. */
async function changeSeen(
  records: Records,
  organizationId: OrganizationId,
  keeper: Keeper,
  seen: SeenView,
  data: { search?: string; name?: string },
): Promise<boolean> {
  const changed = await records.savedView.updateMany({
    where: { organizationId, ownerId: keeper.ownerId, ...seen },
    data: { ...data, ...toSigned(keeper), version: seen.version + 1 },
  })
  return changed.count === 1
}

function toSigned({ name, now }: Keeper): { changedByName: string; changedAt: Date } {
  return { changedByName: name, changedAt: now }
}

function toNext({ id, version }: SeenView): SeenView {
  return { id, version: version + 1 }
}

type Named = { ownerId: UserId | null; list: string; name: string }

async function findRefusal(records: Records, organizationId: OrganizationId, named: Named): Promise<Kept | null> {
  const { ownerId, list } = named
  if (await isTaken(records, organizationId, named)) return { kind: 'taken' }
  const count = await records.savedView.count({ where: { organizationId, ownerId, list } })
  return count < MOST_VIEWS ? null : { kind: 'full' }
}

async function isTaken(records: Records, organizationId: OrganizationId, named: Named): Promise<boolean> {
  return (await records.savedView.count({ where: { organizationId, ...named } })) > 0
}

type Told = { id: string; name: string } & Pick<AuditEvent, 'action' | 'before' | 'after'>

/** A view of one's own is nobody else's business. */
async function note(
  sql: Sql,
  organizationId: OrganizationId,
  { ownerId, actor }: Keeper,
  { action, id, name, ...change }: Told,
): Promise<void> {
  if (ownerId !== null) return
  await recordAudit(sql, organizationId, { actor, action, subject: { kind: 'view', id, name }, ...change })
}
