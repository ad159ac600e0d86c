// Runs in the browser.
import type { WrittenLetter } from './letter.ts'

/** Longer links are cut or refused by mail programs and by Windows. */
const LONGEST_LINK = 1_900

/** `carries`: what the link has room for. A person copies the rest. */
export type MailLink = { href: string; carries: 'all' | 'subject' | 'nothing' }

/**
 * A link that opens a mail (RFC 6068): percent-encoded, line ends as CRLF. `to` is the platform's
 * address, empty if nobody knows it; nothing in it can add a header.
 */
export function toMailLink(letter: WrittenLetter, to = ''): MailLink {
  const address = `mailto:${encode(to).replaceAll('%40', '@')}`
  const withSubject = `${address}?subject=${encode(letter.subject)}`
  const withText = `${withSubject}&body=${encode(letter.text.replace(/\r\n|[\r\n]/g, '\r\n'))}`
  if (withText.length <= LONGEST_LINK) return { href: withText, carries: 'all' }
  if (withSubject.length <= LONGEST_LINK) return { href: withSubject, carries: 'subject' }
  return address.length <= LONGEST_LINK
    ? { href: address, carries: 'nothing' }
    : { href: 'mailto:', carries: 'nothing' }
}

/** As `encodeURIComponent`, with what ends a link in a text or an attribute; never throws. */
function encode(text: string): string {
  const whole = text.replace(/\p{Surrogate}/gu, '\ufffd')
  return encodeURIComponent(whole).replace(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`)
}
