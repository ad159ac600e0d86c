import type { AppSession } from '#lib/auth/model.ts'
import { listSyncTimes } from '#lib/ledger/read/list-sync-times.ts'
import { listViews, type ViewedList } from '#lib/views/list-views.ts'

/** What each list has around its rows: how fresh they are, and the views that the person has. */
export async function readListFrame({ organizationId, userId }: AppSession, list: ViewedList) {
  const [syncTimes, views] = await Promise.all([listSyncTimes(organizationId), listViews(organizationId, userId, list)])
  return { syncTimes, views }
}
