/** Views of the lists, as those see them who may open them (docs/decisions/050-saved-views.md). */
import { withTenantSql } from '#lib/db/tenant.ts'
import type { OrganizationId, UserId } from '#lib/ids.ts'

export const VIEWED_LISTS = ['invoices', 'lines', 'groups'] as const
export type ViewedList = (typeof VIEWED_LISTS)[number]

export type SavedView = {
  id: string
  name: string
  /** The search part of the list's address, without a place in the list. */
  search: string
  /** 1 at first; one more with each save. */
  version: number
  /** Everybody has it; otherwise it is the person's own. */
  isTeam: boolean
  /** The person opens the list with it. */
  isDefault: boolean
  /** Who saved it last, by the name they had then. */
  changedByName: string
}

const VISIBLE = 'v.organization_id = $1 and (v.owner_id = $2 or v.owner_id is null)'

/** The person's own views of the list and then the team's, each by name. */
export function listViews(organizationId: OrganizationId, userId: UserId, list: ViewedList): Promise<SavedView[]> {
  return withTenantSql(organizationId, (sql) =>
    sql<SavedView>(
      `select v.id, v.name, v.search, v.version, v.owner_id is null as "isTeam", d.view_id is not null as "isDefault",
         v.changed_by_name as "changedByName"
       from saved_view v
         left join default_view d on d.organization_id = v.organization_id and d.user_id = $2 and d.view_id = v.id
       where ${VISIBLE} and v.list = $3
       order by v.owner_id is null, lower(v.name), v.id`,
      [organizationId, userId, list],
    ),
  )
}

export type NamedView = Pick<SavedView, 'id' | 'name' | 'search' | 'version' | 'isTeam'> & { list: ViewedList }

/** The views that the person may open, of all lists, by name. */
export function listAllViews(organizationId: OrganizationId, userId: UserId): Promise<NamedView[]> {
  return withTenantSql(organizationId, (sql) =>
    sql<NamedView>(
      `select v.list, v.id, v.name, v.search, v.version, v.owner_id is null as "isTeam"
       from saved_view v where ${VISIBLE} order by lower(v.name), v.list, v.id`,
      [organizationId, userId],
    ),
  )
}

export type DefaultView = Pick<SavedView, 'id' | 'search' | 'version'> & { list: ViewedList }

/** The views with which the person opens lists: at most one for each list. */
export function listDefaultViews(organizationId: OrganizationId, userId: UserId): Promise<DefaultView[]> {
  return withTenantSql(organizationId, (sql) =>
    sql<DefaultView>(
      `select v.list, v.id, v.search, v.version
       from default_view d join saved_view v on v.organization_id = d.organization_id and v.id = d.view_id
       where ${VISIBLE} and d.user_id = $2 and d.list = v.list`,
      [organizationId, userId],
    ),
  )
}
