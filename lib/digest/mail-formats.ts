/** How a mail is written to a person: no browser says anything there. Pure. */
import { type Formats, PLAIN_FORMATS } from '#lib/reconcile/formats.ts'
import { isTimeZone } from '#lib/reconcile/own-formats/browser-formats.ts'
import { resolveFormats, type StoredFormats } from '#lib/reconcile/own-formats/format-choices.ts'

/** The person's choice, else the organization's; UTC where neither names a zone known here. */
export function toMailFormats(own: StoredFormats, organization: StoredFormats): Formats {
  const formats = resolveFormats(own, organization, { number: null, date: null, timeZone: null })
  return isTimeZone(formats.timeZone) ? formats : { ...formats, timeZone: PLAIN_FORMATS.timeZone }
}
