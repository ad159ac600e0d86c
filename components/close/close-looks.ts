import type { CloseState } from '#lib/reconcile/close/close-state.ts'

/** How a state of the close looks wherever it stands: its color, and its part of a month's bar. */
export const CLOSE_LOOKS: Record<CloseState, { tone: string; bar: string }> = {
  open: { tone: 'text-ink', bar: '' },
  ready: { tone: 'text-ink', bar: '' },
  prepared: { tone: 'text-ink', bar: 'is-prepared' },
  approved: { tone: 'text-ink', bar: 'is-approved' },
  locked: { tone: 'text-ink2', bar: 'is-locked' },
  changed: { tone: 'text-ink', bar: 'is-changed' },
}
