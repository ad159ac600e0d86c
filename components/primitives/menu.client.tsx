'use client'

import type { MenuItem } from './menu-box.client.tsx'
import { Opener, type Trigger } from './opener.client.tsx'

type MenuProps = { label: string; trigger: Trigger; items: MenuItem[]; width?: number }

const load = async () => (await import('./menu-box.client.tsx')).MenuBox

/** A menu button (ARIA): arrows, Home, End or a first letter move, Enter chooses, Escape closes. */
export function Menu({ trigger, ...own }: MenuProps) {
  return <Opener trigger={trigger} role="menu" load={load} own={own} />
}
