import type { ReactNode } from 'react'
import { ROWS_ID } from '#components/primitives/grid-roles.ts'
import { Link } from '#components/query/link.client.tsx'

type PageHeaderProps = {
  title: ReactNode
  /** What the page covers, in words. */
  scope: ReactNode
  /** The page's primary action and the actions beside it. */
  actions?: ReactNode
  /** Whether the page has a list: keys get to its rows at once. */
  hasRows?: boolean
  /** The list that this page belongs to. */
  parent?: { href: string; name: ReactNode }
}

export function PageHeader({ title, scope, actions, parent, hasRows = false }: PageHeaderProps) {
  return (
    <header className="flex shrink-0 items-start gap-3 px-5 pt-4 pb-2.5 max-md:px-4">
      {hasRows && (
        <a href={`#${ROWS_ID}`} className="skip-link">
          Skip to the rows
        </a>
      )}
      <div className="min-w-0 flex-1">
        {parent && (
          <Link href={parent.href} className="text-[13px] text-ink2 hover:text-ink">
            {parent.name} ›
          </Link>
        )}
        <h1 className="truncate font-semibold text-[20px] leading-[26px] tracking-[-0.015em]">{title}</h1>
        <p className="text-[13px] text-ink2 leading-5">{scope}</p>
      </div>
      {actions && <div className="flex shrink-0 items-center gap-2 print:hidden">{actions}</div>}
    </header>
  )
}
