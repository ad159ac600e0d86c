import type { ViewRef } from '#lib/ledger/query/view-parameter.ts'
import type { SavedView } from '#lib/views/list-views.ts'

/** How what is on the screen compares with the views that there are. */
export type ViewState = {
  /** The view that the address came from; null for none that the person has. */
  current: SavedView | null
  /** The address shows something else than the view. */
  isEdited: boolean
  /** Somebody has saved the view since the address was opened. */
  isBehind: boolean
}

/** `toSaved` writes a view's address as the present one is written. */
export function toViewState(
  views: readonly SavedView[],
  { ref, search }: { ref: ViewRef | null; search: string },
  toSaved: (search: string) => string,
): ViewState {
  const current = views.find(({ id }) => id === ref?.id) ?? null
  if (current === null || ref === null) return { current: null, isEdited: false, isBehind: false }
  const isEdited = toSaved(current.search) !== search
  return { current, isEdited, isBehind: isEdited && ref.version !== current.version }
}
