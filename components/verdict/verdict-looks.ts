import type { MarkKind } from '#components/primitives/mark.tsx'
import type { State } from '#lib/reconcile/verdict.ts'

/** How a state looks wherever it stands: its mark, its color, the same as a tag, and its word. */
type Look = { mark: MarkKind | null; tone: string; tag: string; word: string }

/**
 * Proved has neither color nor mark: quiet is good. The mark carries the meaning, the color helps.
 */
export const STATE_LOOKS: Record<State, Look> = {
  unexplained: { mark: 'failed', tone: 'text-bad', tag: 'tag is-bad', word: 'unexplained' },
  explained: { mark: 'partial', tone: 'text-warn', tag: 'tag is-explained', word: 'explained' },
  not_imported: { mark: 'not-imported', tone: 'text-ink2', tag: 'tag', word: 'not imported' },
  removed: { mark: 'removed', tone: 'text-ink2', tag: 'tag', word: 'removed by the platform' },
  note: { mark: 'open', tone: 'text-ink2', tag: 'tag', word: 'note' },
  ties_out: { mark: null, tone: 'text-ink2', tag: 'tag', word: 'ties out' },
}
