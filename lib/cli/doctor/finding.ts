/** What a look at an installation found. Texts never hold a secret. */
export type Finding = {
  level: 'ok' | 'warning' | 'problem'
  /** What was looked at, in a word or two. */
  about: string
  text: string
  /** What to do about it. */
  next?: string
}

export function ok(about: string, text: string): Finding {
  return { level: 'ok', about, text }
}

export function warning(about: string, text: string, next?: string): Finding {
  return next === undefined ? { level: 'warning', about, text } : { level: 'warning', about, text, next }
}

export function problem(about: string, text: string, next?: string): Finding {
  return next === undefined ? { level: 'problem', about, text } : { level: 'problem', about, text, next }
}

/** The words of whatever was thrown, on one line. */
export function toWords(thrown: unknown): string {
  const { message = '', code = '' } = thrown as NodeJS.ErrnoException
  return (message || String(code) || String(thrown)).replace(/\s+/g, ' ').trim()
}
