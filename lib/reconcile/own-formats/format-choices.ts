/** Whose formats hold: the person's choice, else the browser's, else the organization's. */
import {
  type DateFormat,
  type Formats,
  isDateFormat,
  isNumberFormat,
  type NumberFormat,
  PLAIN_FORMATS,
} from '../formats.ts'

/** The choice of who takes what the organization has. */
export const AS_ORGANIZATION = 'organization'

/** What is stored with a person or an organization: names of formats; null where nothing is. */
export type StoredFormats = { numberFormat: string | null; dateFormat: string | null; timeZone: string | null }

/** What a browser says by itself; null where it says nothing. */
export type BrowserFormats = { number: NumberFormat | null; date: DateFormat | null; timeZone: string | null }

/** The formats of a person. A stored name that this version does not know counts as none. */
export function resolveFormats(own: StoredFormats, organization: StoredFormats, browser: BrowserFormats): Formats {
  return {
    number: pick(own.numberFormat, browser.number, organization.numberFormat, isNumberFormat, PLAIN_FORMATS.number),
    date: pick(own.dateFormat, browser.date, organization.dateFormat, isDateFormat, PLAIN_FORMATS.date),
    timeZone: pick(own.timeZone, browser.timeZone, organization.timeZone, isText, PLAIN_FORMATS.timeZone),
  }
}

/** Nothing is stored: the browser decides. */
export const NO_CHOICE: StoredFormats = { numberFormat: null, dateFormat: null, timeZone: null }

const isText = (value: unknown): value is string => typeof value === 'string'

function pick<Name extends string>(
  own: string | null,
  ofBrowser: Name | null,
  ofOrganization: string | null,
  isKnown: (value: unknown) => value is Name,
  last: Name,
): Name {
  if (own !== AS_ORGANIZATION && isKnown(own)) return own
  if (own !== AS_ORGANIZATION && ofBrowser !== null) return ofBrowser
  return isKnown(ofOrganization) ? ofOrganization : last
}
