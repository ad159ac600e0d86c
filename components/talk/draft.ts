/**
 * What somebody has typed and not sent, kept in the tab: a page that is left, or a session that has
 * ended, loses no words. By person: somebody else's are never shown.
 */

const toKey = (me: string, subject: string) => `tieout-draft ${me} ${subject}`

export function readDraft(me: string, subject: string): string {
  try {
    return sessionStorage.getItem(toKey(me, subject)) ?? ''
  } catch {
    // a browser that keeps nothing
    return ''
  }
}

export function keepDraft(me: string, subject: string, text: string): void {
  try {
    if (text === '') sessionStorage.removeItem(toKey(me, subject))
    else sessionStorage.setItem(toKey(me, subject), text)
  } catch {
    // it stays in the field
  }
}
