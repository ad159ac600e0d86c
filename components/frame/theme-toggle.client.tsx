'use client'

import { useState } from 'react'
import { buttonClass } from '#components/primitives/button.ts'
import { Monitor, Moon, Sun } from '#components/primitives/icons.tsx'
import { THEME_COOKIE, type Theme, toPreferenceCookie } from './preferences.ts'

const NEXT = { system: 'light', light: 'dark', dark: null } as const
const ICONS = { system: Monitor, light: Sun, dark: Moon }

/** The theme: system, light or dark. A cookie keeps it, so the server renders the right one. */
export function ThemeToggle({ theme: initially, withLabel = false }: { theme: Theme | null; withLabel?: boolean }) {
  const [theme, setTheme] = useState(initially)
  const name = theme ?? 'system'
  const Icon = ICONS[name]

  const change = () => {
    const next = NEXT[name]
    if (next === null) delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = next
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser we support
    document.cookie = toPreferenceCookie(THEME_COOKIE, next)
    setTheme(next)
  }

  return (
    <button
      type="button"
      onClick={change}
      data-verb="Change the theme"
      aria-label={`Theme: ${name}`}
      title={`Theme: ${name}`}
      className={buttonClass({ look: 'quiet', size: withLabel ? 'normal' : 'icon' })}
    >
      <Icon size={16} />
      {withLabel && <span className="capitalize">{name} theme</span>}
    </button>
  )
}
