import type { ReactNode } from 'react'

type EmptyStateProps = {
  title: string
  /** What it means and what to do next. */
  children: ReactNode
  action?: ReactNode
}

/** Takes the place of a list that has nothing to show, and says why. */
export function EmptyState({ title, children, action }: EmptyStateProps) {
  return (
    <div className="list-body flex flex-1 flex-col items-start border-t px-5 py-10 max-md:px-4">
      <h2 className="font-semibold text-[14px]">{title}</h2>
      <div className="mt-1 max-w-[56ch] text-[13px] text-ink2">{children}</div>
      {action && <div className="mt-4 flex gap-2">{action}</div>}
    </div>
  )
}
