/** Which saved view an address came from. */
import { isUuid } from '#lib/ids.ts'
import type { Parameter } from './list-query.ts'
import { readValue } from './search-params.ts'

/** A saved view, and how often it had been saved when somebody opened it. */
export type ViewRef = { id: string; version: number }

/** `view=<id>.<version>`. The rest of the address says what is shown, this where it came from. */
export const VIEW: Parameter<ViewRef | null> = {
  empty: null,
  read: (raw) => {
    const [id = '', version = ''] = (readValue(raw, 'view') ?? '').split('.')
    return isUuid(id) && /^[1-9]\d{0,8}$/.test(version) ? { id, version: Number(version) } : null
  },
  write: (view) => (view === null ? [] : [['view', `${view.id}.${view.version}`]]),
  narrows: false,
}
