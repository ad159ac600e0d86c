'use client'

import { Opener, type Trigger } from '#components/primitives/opener.client.tsx'
import type { FilterBoxProps } from './filter-box.client.tsx'

const load = async () => (await import('./filter-box.client.tsx')).FilterBox

/** The button of a filter, or of the menu of filters. */
export function FilterPopover({ children, ...own }: FilterBoxProps & { children: Trigger }) {
  return <Opener trigger={children} role="dialog" load={load} own={own} />
}
