/** On the corner of a destination's icon: something there needs a person. */
export function AttentionDot({ className = '' }: { className?: string }) {
  return (
    <span
      aria-hidden
      className={`-right-1 -top-0.5 absolute size-2 rounded-full bg-warn ring-2 ring-side ${className}`}
    />
  )
}
