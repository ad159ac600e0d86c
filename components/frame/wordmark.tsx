/** Two equal bars: two sides that agree. */
export function Wordmark({ withName = true }: { withName?: boolean }) {
  return (
    <span className="inline-flex items-center gap-2 font-semibold tracking-[-0.01em]">
      <svg viewBox="0 0 16 16" className="size-4 shrink-0" aria-hidden="true" focusable="false">
        <rect width="16" height="6.5" rx="1" fill="currentColor" />
        <rect y="9.5" width="16" height="6.5" rx="1" fill="currentColor" />
      </svg>
      {withName ? 'Tieout' : <span className="sr-only">Tieout</span>}
    </span>
  )
}
