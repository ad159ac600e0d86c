import type { ReactNode, Ref } from 'react'

type ScrollBoxProps = { label: string; className: string; ref?: Ref<HTMLElement>; children: ReactNode }

/** A named box that scrolls and can be focused, so arrow keys can scroll it. */
export function ScrollBox({ label, className, ref, children }: ScrollBoxProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section ref={ref} tabIndex={0} aria-label={label} className={className}>
      {children}
    </section>
  )
}
