import type { ReactNode } from 'react'
import type { Destination } from './destinations.ts'
import { NavLink } from './nav-link.client.tsx'
import { SidebarToggle } from './sidebar-toggle.client.tsx'
import { Wordmark } from './wordmark.tsx'

type SidebarProps = { destinations: Destination[]; isCollapsed: boolean; foot: ReactNode }

const LINK =
  'group flex h-[30px] items-center gap-[9px] rounded-md px-2 text-[13px] text-ink2 hover:bg-here hover:text-ink aria-[current]:bg-here aria-[current]:font-medium aria-[current]:text-ink in-data-collapsed:justify-center'

/** The frame's left side, from tablet width on. */
export function Sidebar({ destinations, isCollapsed, foot }: SidebarProps) {
  return (
    <aside
      id="sidebar"
      aria-label="Sidebar"
      data-collapsed={isCollapsed ? '' : undefined}
      className="flex w-52 shrink-0 flex-col border-r bg-side px-2.5 pt-3.5 pb-2 data-collapsed:w-[53px] max-md:hidden print:hidden"
    >
      <div className="flex h-[30px] items-center justify-between pb-2 pl-2 in-data-collapsed:justify-center in-data-collapsed:pl-0">
        <span className="in-data-collapsed:hidden">
          <Wordmark />
        </span>
        <SidebarToggle isCollapsed={isCollapsed} />
      </div>
      <nav aria-label="Main" className="mt-2 flex flex-col gap-px">
        {destinations.map(({ href, label, icon: Icon, count }) => (
          <NavLink
            key={href}
            href={href}
            className={LINK}
            title={count ? `${label}: ${count.text} ${count.meaning}` : label}
          >
            <Icon size={16} strokeWidth={1.75} aria-hidden className="shrink-0 opacity-85" />
            <span className="in-data-collapsed:sr-only">{label}</span>
            {count && (
              <span
                aria-hidden
                className="ml-auto flex items-center gap-1.5 font-medium text-[12px] text-ink2 tabular-nums in-data-collapsed:hidden"
              >
                {count.text}
                {count.needsAttention && <span className="size-2 rounded-full bg-warn" />}
              </span>
            )}
          </NavLink>
        ))}
      </nav>
      <div className="mt-auto border-t pt-2.5">{foot}</div>
    </aside>
  )
}
