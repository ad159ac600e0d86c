import { withTenant } from '#lib/db/tenant.ts'
import type { OrganizationId, UserId } from '#lib/ids.ts'
import type { ViewedList } from './list-views.ts'

/**
 * From now on the person opens the list with this view, one of their own or of the team's; with
 * none when it is null. False, with nothing changed, if they have no such view of the list.
 */
export function setDefaultView(
  organizationId: OrganizationId,
  userId: UserId,
  list: ViewedList,
  viewId: string | null,
): Promise<boolean> {
  return withTenant(organizationId, async (records) => {
    if (viewId !== null) {
      const visible = { organizationId, id: viewId, list, OR: [{ ownerId: userId }, { ownerId: null }] }
      if ((await records.savedView.findFirst({ where: visible, select: { id: true } })) === null) return false
    }
    await records.defaultView.deleteMany({ where: { organizationId, userId, list } })
    if (viewId !== null)
      await records.defaultView.createMany({ data: { organizationId, userId, list, viewId }, skipDuplicates: true })
    return true
  })
}
