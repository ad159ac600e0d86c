import { History, LayoutDashboard, type LucideIcon, PlugZap } from 'lucide-react'
import { LISTS, type ListName, type ListPage } from '#components/query/lists.ts'
import { formatCount } from '#lib/reconcile/format.ts'

export type DestinationCount = { text: string; meaning: string; needsAttention: boolean }

export type Destination = {
  href: string
  label: string
  icon: LucideIcon
  /** Of a list: its records are counted. */
  list?: ListName
  /** The number at the right, and what it counts in words. */
  count: DestinationCount | null
  /** A phone's bar has room for five destinations; the overview links to the others. */
  isSidebarOnly?: boolean
}

/** The destinations in the sidebar's order. Scripts rely on the labels. */
export function listDestinations({ connectionsInNeed }: { connectionsInNeed: number }): Destination[] {
  const lists = Object.entries<ListPage>(LISTS).map(([name, { label, icon, isSidebarOnly = false }]) => {
    return { href: `/${name}`, label, icon, list: name as ListName, count: null, isSidebarOnly }
  })
  return [
    { href: '/', label: 'Overview', icon: LayoutDashboard, count: null },
    ...lists,
    { href: '/changes', label: 'Changes', icon: History, count: null, isSidebarOnly: true },
    {
      href: '/connections',
      label: 'Connections',
      icon: PlugZap,
      count: toCount(connectionsInNeed, 'connections need attention', true),
    },
  ]
}

/** Zero is not shown. */
export function toCount(value: number, meaning: string, needsAttention = false): DestinationCount | null {
  return value === 0 ? null : { text: formatCount(value), meaning, needsAttention }
}
