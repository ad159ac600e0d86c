import type { ComponentType } from 'react'
import { Check, type IconProps } from '#components/primitives/icons.tsx'
import { LISTS, type ListName } from '#components/query/lists.ts'
import { isAllowed, type Role } from '#lib/auth/permissions.ts'
import { formatCount } from '#lib/reconcile/format.ts'
import {
  BoxSlash,
  CalendarCheck,
  Clipboard,
  Clock,
  Dashboard,
  People,
  Plug,
  Receipt,
  Rows,
  Scroll,
  Sliders,
  Tree,
} from './frame-icons.tsx'

export type DestinationCount = { text: string; meaning: string; needsAttention: boolean }

export type Destination = {
  href: string
  label: string
  /** Leads there after `g`. */
  go: string
  icon: ComponentType<IconProps>
  /** The view with which the person opens the list: an address of its own. */
  start?: string | undefined
  /** Of a list: its records are counted. */
  list?: ListName
  /** The number at the right, and what it counts in words. */
  count: DestinationCount | null
  /** A phone's bar has room for four destinations; the others are under "More". */
  isInBar?: boolean
}

const LIST_KEYS: Record<ListName, string> = { review: 'r', invoices: 'i', lines: 'l', groups: 'g' }
const LIST_ICONS: Record<ListName, Destination['icon']> = {
  review: Clipboard,
  invoices: Receipt,
  lines: Rows,
  groups: Tree,
}

/** The destinations in the sidebar's order. Scripts rely on the labels. */
export function listDestinations({
  connectionsInNeed,
  starts,
  role,
}: {
  connectionsInNeed: number
  /** Views that lists open with, by the lists' addresses. */
  starts: Record<string, string>
  role: Role
}): Destination[] {
  const lists = (Object.keys(LISTS) as ListName[]).map((list) => ({
    href: `/${list}`,
    label: LISTS[list].label,
    go: LIST_KEYS[list],
    icon: LIST_ICONS[list],
    list,
    start: starts[`/${list}`],
    count: null,
    // a phone reads lists; to decide, one more tap
    isInBar: list !== 'review',
  }))
  return [
    { href: '/', label: 'Overview', go: 'o', icon: Dashboard, count: null, isInBar: true },
    ...lists,
    { href: '/changes', label: 'Changes', go: 'h', icon: Clock, count: null },
    { href: '/close', label: 'Close', go: 'm', icon: CalendarCheck, count: null },
    { href: '/rejected', label: 'Not imported', go: 'n', icon: BoxSlash, count: null },
    { href: '/checks', label: 'Checks', go: 'c', icon: Check, count: null },
    {
      href: '/connections',
      label: 'Connections',
      go: 'k',
      icon: Plug,
      count: toCount(connectionsInNeed, 'connections need attention', true),
    },
    { href: '/people', label: 'People', go: 'p', icon: People, count: null },
    ...(isAllowed(role, 'see-audit') ? [{ href: '/audit', label: 'Audit', go: 'a', icon: Scroll, count: null }] : []),
    ...(isAllowed(role, 'manage-organization')
      ? [{ href: '/settings', label: 'Settings', go: 's', icon: Sliders, count: null }]
      : []),
  ]
}

/** Zero is not shown. */
export function toCount(value: number, meaning: string, needsAttention = false): DestinationCount | null {
  return value === 0 ? null : { text: formatCount(value), meaning, needsAttention }
}
