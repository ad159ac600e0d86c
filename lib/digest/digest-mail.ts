/** The mail of a digest: plain text, and HTML that loads nothing. Pure. */

import { cutText, toHarmlessLine } from '#lib/reconcile/dispute/plain-text.ts'
import { type Formats, writeIn } from '#lib/reconcile/formats.ts'
import { formatDayOf, formatMoment } from '#lib/reconcile/moment.ts'
import { toDigestSections } from './digest-sections.ts'
import type { Digest, DigestRow, DigestSection, Piece } from './model.ts'

/** Longer names are cut: a mail has no column that could be widened. */
const LONGEST_NAME = 120

/** Where its links lead: the app's own origin, and the pages about this mail. */
export type MailLinks = { appUrl: string; settings: string; turnOff: string }

export type DigestText = { subject: string; text: string; html: string }

/**
 * A digest in the formats of its reader. The subject has no text of anybody else; what others wrote
 * stands in the body as one harmless line each, apart from ours (UAX 9).
 */
export function toDigestMail(digest: Digest, formats: Formats, links: MailLinks): DigestText {
  return writeIn(formats, () => {
    const sections = toDigestSections(digest)
    const span = `From ${toTime(digest.span.since)} to ${toTime(digest.span.until)}`
    return {
      subject: `Tieout: what waits for you, ${formatDayOf(digest.span.until)}`,
      text: toText(sections, span, links),
      html: toHtml(sections, span, links),
    }
  })
}

const WHY = 'You chose to get this mail. It tells what waits for you, and never what was said.'

function toText(sections: DigestSection[], span: string, { appUrl, settings, turnOff }: MailLinks): string {
  const parts = sections.map(({ title, rows, more }) =>
    [
      title,
      ...rows.map((row) => `- ${toPlain(row.label)}\n  ${toPlain(row.detail)}\n  ${appUrl}${row.href}`),
      ...(more > 0 ? [`  and ${more} more`] : []),
    ].join('\n'),
  )
  const feet = [`All of it as it is now: ${appUrl}/digest`, `${WHY}\nChange it: ${settings}\nTurn it off: ${turnOff}`]
  return [span, ...parts, ...feet].join('\n\n')
}

function toPlain(pieces: Piece[]): string {
  return pieces.map((piece) => (typeof piece === 'string' ? piece : `\u2068${toName(piece)}\u2069`)).join('')
}

/** Mail programs keep little of a style sheet: what matters stands at each element. */
function toHtml(sections: DigestSection[], span: string, { appUrl, settings, turnOff }: MailLinks): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<title>Tieout</title><style>${STYLE}</style></head>
<body style="${BODY}"><div style="max-width:640px;margin:0 auto">
<h1 style="font-size:18px;line-height:24px;margin:0">What waits for you</h1>
<p class="quiet" style="${QUIET};margin:2px 0 20px">${toEscaped(span)}</p>
${sections.map((section) => toHtmlSection(section, appUrl)).join('\n')}
<p style="margin:24px 0 0"><a href="${toEscaped(`${appUrl}/digest`)}" style="${LINK}">All of it as it is now</a></p>
<p class="quiet" style="${QUIET};margin:20px 0 0">${toEscaped(WHY)}<br>
<a href="${toEscaped(settings)}" style="${LINK}">Change it</a> · <a href="${toEscaped(turnOff)}" style="${LINK}">Turn it off</a></p>
</div></body></html>
`
}

const BODY = 'margin:0;padding:24px 16px;font:14px/20px Inter,Arial,Helvetica,sans-serif;overflow-wrap:anywhere'
const QUIET = 'font-size:13px;color:#5b5f66'
const URGENT = 'font-size:13px;color:#b42318'
const LINK = 'color:#2456c6'
/** Programs that show mails in the dark and keep a style sheet. */
const STYLE = `@media (prefers-color-scheme: dark) { body { background: #16181b; color: #e6e8ea }
 .quiet { color: #a2a7ad !important } .urgent { color: #ff8a7a !important } a { color: #8ab1ff !important } }`

function toHtmlSection({ title, rows, more }: DigestSection, appUrl: string): string {
  return `<h2 style="font-size:14px;line-height:20px;margin:20px 0 4px">${toEscaped(title)}</h2>
<ul style="margin:0;padding:0;list-style:none">
${rows.map((row) => toHtmlRow(row, appUrl)).join('\n')}
</ul>${more > 0 ? `\n<p class="quiet" style="${QUIET};margin:4px 0 0">and ${more} more</p>` : ''}`
}

function toHtmlRow({ label, detail, href, isUrgent }: DigestRow, appUrl: string): string {
  const look = isUrgent ? `class="urgent" style="${URGENT}"` : `class="quiet" style="${QUIET}"`
  return `<li style="margin:0;padding:6px 0;border-top:1px solid #8884"><a href="${toEscaped(appUrl + href)}" style="${LINK}">${toMarked(label)}</a><br><span ${look}>${toMarked(detail)}</span></li>`
}

function toMarked(pieces: Piece[]): string {
  return pieces
    .map((piece) =>
      typeof piece === 'string' ? toEscaped(piece) : `<bdi dir="auto">${toEscaped(toName(piece))}</bdi>`,
    )
    .join('')
}

function toName({ name }: { name: string }): string {
  return cutText(toHarmlessLine(name), LONGEST_NAME) || '(no name)'
}

function toTime(at: string): string {
  return formatMoment(at, { withZone: true })
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function toEscaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}
