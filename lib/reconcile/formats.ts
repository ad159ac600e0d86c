// Runs in the browser too: what a page is drawn with must be the same on both sides.

/** How figures are written: what stands between groups of digits, and before decimals. */
export const NUMBER_FORMATS = {
  'comma-point': { group: ',', decimal: '.', isIndian: false },
  'point-comma': { group: '.', decimal: ',', isIndian: false },
  // narrow and without a break: a figure stays on one line
  'space-comma': { group: '\u202f', decimal: ',', isIndian: false },
  'apostrophe-point': { group: '\u2019', decimal: '.', isIndian: false },
  indian: { group: ',', decimal: '.', isIndian: true },
} as const
export type NumberFormat = keyof typeof NUMBER_FORMATS

/**
 * How days are written. None can be taken for another: `04/03/2026` is left out, since it is a day
 * of March to some and of April to others.
 */
export const DATE_FORMATS = ['month-first', 'day-first', 'points', 'year-first'] as const
export type DateFormat = (typeof DATE_FORMATS)[number]

/** How one person reads figures, days and moments. The language of the screen is English. */
export type Formats = {
  number: NumberFormat
  date: DateFormat
  /** A name of the IANA time zone database: `Europe/Berlin`. */
  timeZone: string
}

/** What holds where nobody said anything: in files, mails, commands and tests. */
export const PLAIN_FORMATS: Formats = { number: 'comma-point', date: 'month-first', timeZone: 'UTC' }

/** Where a browser says its time zone, which no header does. */
export const TIME_ZONE_COOKIE = 'tieout_zone'

/** What a request's session settles, once. */
type Settled = { formats?: Formats }
type Door = {
  /** Set by lib/cli/run/request-door.mjs: what belongs to the request that is being answered. */
  tieoutFormats?: { getStore(): Settled | undefined }
  document?: { documentElement: { dataset: Record<string, string | undefined> } }
}

let ofPage: Formats | undefined
let ofText: Formats | undefined

/**
 * The formats of whoever looks: on the server of the request that is being answered, in the browser
 * of the page, whose first answer says them (`data-formats` of its root element).
 */
export function currentFormats(): Formats {
  if (ofText !== undefined) return ofText
  const door = globalThis as Door
  if (door.document === undefined) return door.tieoutFormats?.getStore()?.formats ?? PLAIN_FORMATS
  ofPage ??= parseFormats(door.document.documentElement.dataset.formats) ?? PLAIN_FORMATS
  return ofPage
}

/**
 * What `write` makes, in these formats: for texts that are no answer to a request, such as mails.
 * It makes them at once, so nobody else is answered meanwhile.
 */
export function writeIn<Text>(formats: Formats, write: () => Text extends Promise<unknown> ? never : Text): Text {
  const before = ofText
  ofText = formats
  try {
    return write()
  } finally {
    ofText = before
  }
}

/** Lets the rest of this request be written in these formats. Without a request it does nothing. */
export function settleFormats(formats: Formats): void {
  const store = (globalThis as Door).tieoutFormats?.getStore()
  if (store !== undefined) store.formats = formats
}

/** The formats as one attribute: `point-comma points Europe/Berlin`. */
export function toFormatsText({ number, date, timeZone }: Formats): string {
  return `${number} ${date} ${timeZone}`
}

/** The formats that an attribute says; null for any other text. */
export function parseFormats(text: string | undefined): Formats | null {
  const [number, date, timeZone] = (text ?? '').split(' ')
  return isNumberFormat(number) && isDateFormat(date) && timeZone ? { number, date, timeZone } : null
}

export function isNumberFormat(value: unknown): value is NumberFormat {
  return typeof value === 'string' && Object.hasOwn(NUMBER_FORMATS, value)
}

export function isDateFormat(value: unknown): value is DateFormat {
  return (DATE_FORMATS as readonly unknown[]).includes(value)
}
