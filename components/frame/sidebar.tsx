import { type ReactNode, Suspense } from 'react'
import { Search } from '#components/primitives/icons.tsx'
import { Kbd } from '#components/primitives/kbd.tsx'
import type { ListName } from '#components/query/lists.ts'
import type { NavigationCounts } from '#lib/ledger/model.ts'
import { AttentionDot } from './attention-dot.tsx'
import { type Destination, type DestinationCount, toCount } from './destinations.ts'
import { NavLink } from './nav-link.client.tsx'
import { SidebarToggle } from './sidebar-toggle.client.tsx'
import { Wordmark } from './wordmark.tsx'

type SidebarProps = {
  destinations: Destination[]
  /** Arrives later than the frame: counting a large ledger takes a moment. */
  counts: Promise<NavigationCounts>
  isCollapsed: boolean
  /** The scope that the person keeps. */
  kept: string
  foot: ReactNode
}

/** The frame's left side, from tablet width on. */
export function Sidebar({ destinations, counts, isCollapsed, kept, foot }: SidebarProps) {
  return (
    <aside
      id="sidebar"
      aria-label="Sidebar"
      data-collapsed={isCollapsed ? '' : undefined}
      className="flex w-52 shrink-0 flex-col border-r bg-side px-2.5 pt-3.5 pb-2 data-collapsed:w-[53px] max-md:hidden md:max-[60rem]:w-[53px] print:hidden"
    >
      <div className="flex h-[30px] items-center justify-between pb-2 pl-2 rail:justify-center rail:pl-0">
        <span className="rail:hidden">
          <Wordmark />
        </span>
        <span className="hidden md:max-[60rem]:inline">
          <Wordmark withName={false} />
        </span>
        <SidebarToggle isCollapsed={isCollapsed} />
      </div>
      <button
        type="button"
        data-opens="palette"
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K"
        title="Go to a page, view, invoice, trip or name ( Ctrl K )"
        className="side-link mt-2"
      >
        <Search size={16} />
        <span>Go to</span>
        <span aria-hidden className="ml-auto flex gap-0.5 rail:hidden">
          <Kbd>Ctrl</Kbd>
          <Kbd>K</Kbd>
        </span>
      </button>
      <nav aria-label="Main" className="mt-1 flex min-h-0 flex-col gap-px overflow-y-auto">
        {destinations.map(({ href, start, label, go, icon: Icon, list, count }) => (
          <NavLink key={href} href={href} start={start} kept={kept} className="side-link" title={label} go={go}>
            <span className="side-icon">
              <Icon size={16} />
              {count?.needsAttention && <AttentionDot className="not-rail:hidden" />}
            </span>
            <span>{label}</span>
            {list && (
              <Suspense>
                <ListCount list={list} counts={counts} />
              </Suspense>
            )}
            {count && <Count count={count} />}
          </NavLink>
        ))}
      </nav>
      <div className="mt-auto shrink-0 border-t pt-2.5">{foot}</div>
    </aside>
  )
}

async function ListCount({ list, counts }: { list: ListName; counts: SidebarProps['counts'] }) {
  const held: Partial<Record<ListName, number>> = await counts
  const count = toCount(held[list] ?? 0, list)
  return count && <Count count={count} />
}

function Count({ count: { text, meaning, needsAttention } }: { count: DestinationCount }) {
  return (
    <span aria-hidden title={`${text} ${meaning}`} className="side-count">
      {text}
      {needsAttention && <span className="size-2 rounded-full bg-warn" />}
    </span>
  )
}
