/** The user's settings for the frame. In cookies, so that the server's first paint is right. */
export const THEME_COOKIE = 'tieout_theme'
export const SIDEBAR_COOKIE = 'tieout_sidebar'
/** Which links a person has been told of; others are told again. */
export const TOLD_LINKS_COOKIE = 'tieout_told_links'

const THEMES = ['light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

export function isTheme(value: string | undefined): value is Theme {
  return value === 'light' || value === 'dark'
}

const ONE_YEAR_IN_SECONDS = 31_536_000

/** The text for `document.cookie`; null deletes the setting. */
export function toPreferenceCookie(name: string, value: string | null): string {
  return `${name}=${value ?? ''}; Path=/; Max-Age=${value === null ? 0 : ONE_YEAR_IN_SECONDS}; SameSite=Lax`
}
