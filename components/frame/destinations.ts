import { FolderTree, History, LayoutDashboard, List, type LucideIcon, PlugZap, ReceiptText } from 'lucide-react'
import type { NavigationCounts } from '../../lib/ledger/model.ts'
import { formatCount } from '../../lib/reconcile/format.ts'

export type Destination = {
  href: string
  label: string
  icon: LucideIcon
  /** What stands at the right, and what it means in words. */
  count: { text: string; meaning: string; needsAttention: boolean } | null
  /** Only in the sidebar: a phone's bar has room for five places, and the overview leads to the others. */
  isSidebarOnly?: boolean
}

/** Where one can go, in the order of the sidebar; scripts rely on the labels. */
export function listDestinations(counts: NavigationCounts & { connectionsInNeed: number }): Destination[] {
  const count = (value: number, meaning: string, needsAttention = false) =>
    value === 0 ? null : { text: formatCount(value), meaning, needsAttention }
  return [
    { href: '/', label: 'Overview', icon: LayoutDashboard, count: null },
    { href: '/invoices', label: 'Invoices', icon: ReceiptText, count: count(counts.invoices, 'invoices') },
    { href: '/lines', label: 'Lines', icon: List, count: count(counts.lines, 'lines') },
    { href: '/groups', label: 'Groups', icon: FolderTree, count: null },
    { href: '/changes', label: 'Changes', icon: History, count: null, isSidebarOnly: true },
    {
      href: '/connections',
      label: 'Connections',
      icon: PlugZap,
      count: count(counts.connectionsInNeed, 'connections need attention', true),
    },
  ]
}
