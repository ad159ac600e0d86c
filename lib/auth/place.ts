/** Where somebody signed in, in words that they recognize. */
import { toClientNetwork } from '#lib/http/client-address.ts'

/** `browser`: browser and system; both are null when unknown. */
export type SignInPlace = { browser: string | null; network: string | null }

/** Order matters: Edge also claims to be Chrome, and Chrome to be Safari. */
const BROWSERS: [pattern: RegExp, name: string][] = [
  [/\bEdgA?\//, 'Edge'],
  [/\b(OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
const SYSTEMS: [pattern: RegExp, name: string][] = [
  [/\b(iPhone|iPod)\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]
/** A program that is no browser names itself first (RFC 9110, 10.1.5). */
const PROGRAM = /^([A-Za-z][A-Za-z0-9._-]{0,29})(?=[/ ]|$)/

/** The place of a request. */
export function toPlace(headers: Pick<Headers, 'get'>): SignInPlace {
  return { browser: toBrowserName(headers.get('user-agent')), network: toClientNetwork(headers) }
}

/**
 * "Firefox on Windows", of the words above, or a program's own short name: whatever a client sends,
 * at most 80 plain characters come out. Null when it says nothing.
 */
export function toBrowserName(userAgent: string | null): string | null {
  if (userAgent === null || userAgent.trim() === '') return null
  const find = (names: [RegExp, string][]) => names.find(([pattern]) => pattern.test(userAgent))?.[1]
  const system = find(SYSTEMS)
  const program = userAgent.startsWith('Mozilla/') ? undefined : PROGRAM.exec(userAgent)?.[1]
  const browser = find(BROWSERS) ?? program ?? 'Another browser'
  return system === undefined ? browser : `${browser} on ${system}`
}
