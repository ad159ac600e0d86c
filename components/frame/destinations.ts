import { History, LayoutDashboard, type LucideIcon, PlugZap } from 'lucide-react'
import { LISTS, type ListName, type ListPage } from '#components/query/lists.ts'
import type { NavigationCounts } from '#lib/ledger/model.ts'
import { formatCount } from '#lib/reconcile/format.ts'

export type Destination = {
  href: string
  label: string
  icon: LucideIcon
  /** The number at the right, and what it counts in words. */
  count: { text: string; meaning: string; needsAttention: boolean } | null
  /** A phone's bar has room for five destinations; the overview links to the others. */
  isSidebarOnly?: boolean
}

/** The destinations in the sidebar's order. Scripts rely on the labels. */
export function listDestinations(counts: NavigationCounts & { connectionsInNeed: number }): Destination[] {
  const count = (value: number, meaning: string, needsAttention = false) =>
    value === 0 ? null : { text: formatCount(value), meaning, needsAttention }
  const held: Partial<Record<ListName, number>> = counts
  const lists = Object.entries<ListPage>(LISTS).map(([name, { label, icon, isSidebarOnly = false }]) => {
    const here = count(held[name as ListName] ?? 0, name)
    return { href: `/${name}`, label, icon, count: here, isSidebarOnly }
  })
  return [
    { href: '/', label: 'Overview', icon: LayoutDashboard, count: null },
    ...lists,
    { href: '/changes', label: 'Changes', icon: History, count: null, isSidebarOnly: true },
    {
      href: '/connections',
      label: 'Connections',
      icon: PlugZap,
      count: count(counts.connectionsInNeed, 'connections need attention', true),
    },
  ]
}
