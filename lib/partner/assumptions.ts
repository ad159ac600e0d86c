/** One thing that the partner's contract leaves open and this program has to decide anyway. */
export type Assumption = {
  number: number
  title: string
  /** What we take to be so, and what we do about it. */
  statement: string
  /** How it would show that this is wrong. */
  noticedBy: string
  /** The files that would have to change; empty while nothing relies on it. */
  reliedOnBy: readonly string[]
}

/**
 * Everything that is taken for granted beyond the contract. `docs/assumptions.md` is this list in prose, kept equal by a
 * test. Numbers are referred to from code and never reused; new assumptions go to the end.
 */
export const ASSUMPTIONS: readonly Assumption[] = [
  {
    number: 1,
    title: 'Tax is rounded once per line, half away from zero',
    statement:
      'The contract defines the tax as the rate applied to quantity * unit_price but names no rounding. We round the exact product once, to the digits of the currency, a half away from zero, and compare the stated tax with that by value.',
    noticedBy:
      'Tax findings of one unit of the last digit on many lines of one issuer, all in the same direction: the issuer rounds per unit, per document, or not at all.',
    reliedOnBy: ['lib/reconcile/line-proof.ts'],
  },
  {
    number: 2,
    title: 'A total is compared at the precision at which it is stated',
    statement:
      'Unit prices are seen with eight decimals and totals with two. The expected total is rounded, a half away from zero, to as many decimals as the stated total has, and never to fewer than the currency has; then the two must be equal.',
    noticedBy:
      'Total findings smaller than the smallest coin, or right lines whose unit prices were cut before they were sent.',
    reliedOnBy: ['lib/reconcile/line-proof.ts', 'lib/reconcile/completeness.ts'],
  },
  {
    number: 3,
    title: 'The sign of a line is the sign of its total',
    statement:
      'How refunds and credit notes are signed is not documented. Negative quantities, negative prices and credit notes with positive amounts are all proved by the same formula. A line above zero on a document of a credit mode gets a quiet remark, not a finding.',
    noticedBy:
      'Credit notes that add to a trip’s cost in the groups, or every line of every credit note carrying the remark.',
    reliedOnBy: ['lib/reconcile/line-proof.ts', 'lib/reconcile/line-notes.ts'],
  },
  {
    number: 4,
    title: 'A line without an id is known by its lasting content',
    statement:
      'Old payloads have lines without the id that the contract requires. Such a line gets an id made from its invoice, day, description, figures, trip, service, travelers and vendor: fields that do not change after issue. Two such lines of one invoice that agree in all of these count as one. A null id is an error of the record.',
    noticedBy:
      'The lines of an invoice falling short of the invoice’s total by exactly one of its lines; or lines that appear twice after their invoice was corrected.',
    reliedOnBy: ['lib/partner/wire-line.ts'],
  },
  {
    number: 5,
    title: 'Lists are read by offset and limit',
    statement:
      'The contract shows neither paging nor filters nor the path of the lines list. We ask for /profiles, /invoices and /invoices/lines with offset (records, from 0) and limit (10 to 50), and expect an object with total, offset, limit and the list profiles, invoices or invoice_lines; the counts may be texts. A body without the list is a bad answer, never an empty page.',
    noticedBy:
      'A rejected request (400) on the first page, a bad-answer error that names the list, or the same records on each page.',
    reliedOnBy: ['lib/partner/data-client.ts', 'lib/reconcile/json/parse.ts'],
  },
  {
    number: 6,
    title: 'The token response has the field names of the standard',
    statement:
      'The fields are taken to be access_token, refresh_token, expires_in (relative seconds, a number or its digits), token_type and scope, as in RFC 6749. Without expires_in the contract’s hour holds; without refresh_token the one at hand stays. Nothing in the response identifies the user, and there is no userinfo endpoint.',
    noticedBy:
      'A renewal that ends in doubt with the reason that no usable access_token was found; the sealed body tells the real names.',
    reliedOnBy: ['lib/partner/token-response.ts'],
  },
  {
    number: 7,
    title: 'The status of a token call says what may have happened',
    statement:
      'Error codes are taken from RFC 6749: invalid_grant ends a connection, invalid_client (and 401) means our own credentials. 408, 409, 423, 425, 429 and 503 mean that nothing happened. Other 5xx, and a 2xx that cannot be read, mean that the partner may have acted. Any other 4xx is a refusal.',
    noticedBy:
      'Connections that ask to be reconnected although the account still allows the integration, or a loop of retries that never succeeds.',
    reliedOnBy: ['lib/partner/token-response.ts'],
  },
  {
    number: 8,
    title: 'A reused refresh token may be answered in three ways',
    statement:
      'Servers have been seen to repeat the same new pair for about two minutes, to refuse, and to end every token of the account. We count on none of these: a token is sent again only when its first answer was lost, promptly and a bounded number of times.',
    noticedBy: 'Connections lost right after a network failure on a partner that was thought to be lenient.',
    reliedOnBy: ['lib/partner/token-response.ts'],
  },
  {
    number: 9,
    title: 'Error bodies say what they mean in one of a few places',
    statement:
      'No error body is shown. We look for message, detail, error_description and error, then for texts by field, then take the text itself. What is found is shown on one line, shortened and with secrets masked; no decision but those of assumption 7 depends on it.',
    noticedBy: 'Error messages on screen that read like data instead of like an explanation.',
    reliedOnBy: ['lib/partner/error-body.ts'],
  },
  {
    number: 10,
    title: 'The invoice object is as it has been recorded',
    statement:
      'The contract names only the fields that lines repeat. serial_number (the key), currency and total (a decimal, with tax) are required of an invoice; profile, mode, status, dates, billing period, reference, legal name, taxes_summary and credit_used_for_customer_payment are read when they are there. An invoice that cannot be read is kept as a rejected record.',
    noticedBy: 'Rejected invoices that all name the same path, or a column of invoices that is always blank.',
    reliedOnBy: ['lib/partner/wire-invoice.ts'],
  },
  {
    number: 11,
    title: 'There is a list of profiles',
    statement:
      'Lines name a payment profile; a list of profiles with id, name, currency, payment method, billing period and billing information has been seen. Accounts are named after it. Only the id is required.',
    noticedBy: 'A 404 on the profiles page, or accounts without a name.',
    reliedOnBy: ['lib/partner/wire-profile.ts', 'lib/partner/data-client.ts'],
  },
  {
    number: 12,
    title: 'Ids may come as numbers, and their digits are the id',
    statement:
      'trip_id is typed as a text and sampled as a number. A number is taken digit for digit as it is written, however long, so that 9007199254740993 and "9007199254740993" are the same trip. Ids are at most 255 characters long, other keys at most 500; a longer one rejects the record.',
    noticedBy: 'The same trip appearing twice in the groups, or rejected records whose reason is the length of a key.',
    reliedOnBy: ['lib/reconcile/json/parse.ts', 'lib/partner/wire-values.ts'],
  },
  {
    number: 13,
    title: 'Decimals are plain or in exponent form, of at most 60 digits',
    statement:
      'Money and rates are texts such as "20.00000000" and "0E-8", and have been seen once as JSON numbers; quantity is a whole number or its text. All are read exactly as written. Commas, spaces, words and more than 60 digits are errors of the record.',
    noticedBy: 'Rejected records whose reason is that an amount is not a decimal number.',
    reliedOnBy: ['lib/reconcile/money.ts', 'lib/partner/wire-values.ts'],
  },
  {
    number: 14,
    title: 'An empty text, null and a missing key all mean unknown',
    statement:
      'cost_center and out_of_policy have been seen as "", which is neither a cost center nor "within policy". All three spellings are stored as unknown and shown as a blank. A known key with a shape that cannot be read counts as unknown too, with a remark on the line; the figures, the day, the currency and the invoice of a line are required.',
    noticedBy: 'A partner that gives "" a meaning of its own; lines with the remark that a field could not be read.',
    reliedOnBy: ['lib/partner/wire-values.ts', 'lib/partner/wire-record.ts'],
  },
  {
    number: 15,
    title: 'Services and verticals are open sets',
    statement:
      'The contract lists examples. Any code is stored and shown as it comes. A fee line (service pro_v2 has been seen) may have no vertical, vendor, dates or location; without a related vertical a line is grouped as unknown, never under its service.',
    noticedBy: 'Large groups without a vertical.',
    reliedOnBy: ['lib/partner/wire-line.ts'],
  },
  {
    number: 16,
    title: 'Invoice statuses are an open set and may change in any direction',
    statement:
      'draft, open, paid and unpaid have been seen; no transitions are documented. The latest status that was read is shown as it comes. One value has a meaning: what is paid is taken to be settled and is read again only when it was issued lately or in a complete reading; under any other status an invoice is read again however old it is.',
    noticedBy:
      'A status on screen that nobody can explain; old invoices of which only the weekly complete reading shows that they have changed.',
    reliedOnBy: ['lib/partner/wire-line.ts', 'lib/partner/wire-invoice.ts', 'lib/sync/plan-windows.ts'],
  },
  {
    number: 17,
    title: 'Modes that start with credit- are credit notes',
    statement:
      'The values of invoice_mode are not shown. Every value is stored as it comes; the prefix credit- is the only part that is understood, and only for the remark of assumption 3.',
    noticedBy: 'Credit notes (serial numbers that start with CR-) whose mode has no such prefix.',
    reliedOnBy: ['lib/reconcile/line-notes.ts'],
  },
  {
    number: 18,
    title: 'The tax regime does not determine the rate',
    statement:
      'The codes are not shown and the rate does not follow from those that were seen. The regime is stored and shown; the proof uses the stated rate alone.',
    noticedBy: 'Lines of a regime without tax that state one, or the reverse.',
    reliedOnBy: ['lib/reconcile/line-proof.ts'],
  },
  {
    number: 19,
    title: 'taxes_summary is rounded per regime and rate',
    statement:
      'The summary of an invoice has been seen to round tax once per regime and rate, so that the taxes of its lines can differ from it by a cent. It is stored exactly as stated and compared with the lines per regime and rate; a difference in tax within what rounding each line can make is explained. Any of its figures may be missing.',
    noticedBy: 'Summaries that do not add up to the invoice’s total.',
    reliedOnBy: ['lib/partner/wire-invoice.ts', 'lib/reconcile/completeness.ts'],
  },
  {
    number: 20,
    title: 'People and vendors are read by name, custom fields not at all',
    statement:
      'Of travelers and booker the name is read, of the vendor code and name; further fields, approvers, custom fields and locations stay in the raw payload, whatever their shape.',
    noticedBy: 'Lines without travelers whose raw payload has some.',
    reliedOnBy: ['lib/partner/wire-line.ts'],
  },
  {
    number: 21,
    title: 'Lists move while they are read',
    statement:
      'There is no cursor and no filter for changes. Invoices issued during a walk shift its pages, so records can repeat or be skipped and the total can change; only invoices since 2019-01-01 are listed. Lists can be narrowed by day of issue, status and serial number. A long list is read by months, and its parts are added up against its own total; a complete picture needs a complete walk.',
    noticedBy:
      'Totals that change between pages, ids that repeat, or a count of stored lines below the partner’s total.',
    reliedOnBy: ['lib/partner/data-client.ts', 'lib/sync/window-range.ts', 'lib/sync/read-windows.ts'],
  },
  {
    number: 22,
    title: 'Lines come from the lines list alone',
    statement:
      'The lines member of an invoice has been seen absent, as an object with its own paging, and as a flat list without the extended fields. Its lines are ignored; how many it says there are counts for the proof of completeness.',
    noticedBy: 'Invoices without any line, although their raw payload holds some.',
    reliedOnBy: ['lib/partner/wire-invoice.ts'],
  },
  {
    number: 23,
    title: 'The address of an invoice’s PDF is a secret',
    statement:
      'The pdf member has been seen to be a presigned address that anybody can open until it expires. It is removed before anything is stored or shown, and a change of it is no change of the invoice.',
    noticedBy: 'Another member that holds an address with a signature.',
    reliedOnBy: ['lib/partner/wire-invoice.ts', 'lib/partner/error-body.ts'],
  },
  {
    number: 24,
    title: 'Limits are announced by 429 or 503',
    statement:
      'No rate limit is published. 429 and 503 are taken as a request to wait, for as long as Retry-After says in seconds or as an HTTP date, and at most a day.',
    noticedBy: 'Other statuses under load, or bans that no Retry-After announced.',
    reliedOnBy: ['lib/partner/retry-after.ts', 'lib/partner/data-client.ts'],
  },
  {
    number: 25,
    title: 'A page is UTF-8 JSON of at most 32 MB, nested at most 64 deep',
    statement:
      'Sizes and encodings are not shown. Bodies may come plain or with gzip; anything larger, deeper, in another encoding or with another content type than JSON is a bad answer that is asked for again, and its beginning is kept as evidence.',
    noticedBy: 'Errors that say too large, or bad encoding, on a partner that works.',
    reliedOnBy: [
      'lib/partner/http.ts',
      'lib/partner/http-body.ts',
      'lib/reconcile/json/scan.ts',
      'lib/partner/data-client.ts',
    ],
  },
  {
    number: 26,
    title: 'Three hosts, all configured, and no redirects',
    statement:
      'Data, authorization and discovery live on different hosts that have been renamed before. Their addresses are configuration; no redirect and no link in an answer is followed. The authorize path is used without a final slash and the token and revoke paths with one.',
    noticedBy: 'Redirect errors after a rename on the partner’s side.',
    reliedOnBy: ['lib/partner/http.ts', 'lib/partner/oauth-requests.ts'],
  },
  {
    number: 27,
    title: 'expenses:read covers profiles, invoices and lines',
    statement:
      'The names of scopes are not listed. The scopes that are asked for are configuration, expenses:read by default. A 403 is taken to mean that a scope is missing.',
    noticedBy: 'A message about a missing scope right after an account was connected.',
    reliedOnBy: ['lib/partner/data-client.ts', 'lib/partner/oauth-requests.ts'],
  },
  {
    number: 28,
    title: 'Discovery answers in the shapes of RFC 7643',
    statement:
      'Neither the bodies of the three discovery endpoints nor other SCIM endpoints nor the way a key is issued are shown. List answers, bare arrays and single resources are all read, with or without a count; what cannot be read is said per endpoint. A key is entered by an admin.',
    noticedBy: 'The discovery page says that an answer of the platform could not be read.',
    reliedOnBy: ['lib/partner/scim-list.ts', 'lib/partner/scim-client.ts', 'lib/connections/scim-key.ts'],
  },
  {
    number: 29,
    title: 'There are no events to count on',
    statement:
      'No webhooks are shown. All data is fetched; nothing waits for a notification. A receiver can be switched on for a partner that sends invoices signed with HMAC-SHA256 over the raw bytes: it takes the serial number as a hint to read that invoice, and believes nothing else of the body.',
    noticedBy: 'A partner that documents events.',
    reliedOnBy: ['lib/partner/webhook-invoice.ts', 'lib/partner/webhook-signature.ts', 'lib/sync/take-hint.ts'],
  },
  {
    number: 30,
    title: 'Version 1 only gains fields',
    statement:
      'Every data call says Api-Version: 1. Fields are added without a new version; unknown ones are kept in the raw payload and are no error. A change of meaning under the same version cannot be seen.',
    noticedBy: 'Many rejected records or unreadable fields from one day on.',
    reliedOnBy: ['lib/partner/data-client.ts', 'lib/partner/wire-record.ts'],
  },
  {
    number: 31,
    title: 'Nothing but the named operations is used',
    statement:
      'The full list of the partner’s resources is not shown. This program reads profiles, invoices and lines, and renews and revokes tokens; it writes nothing.',
    noticedBy: 'A question that the stored data cannot answer.',
    reliedOnBy: [],
  },
  {
    number: 32,
    title: 'Of repeated keys the last one holds',
    statement:
      'JSON leaves open what two members of one name mean. The last one is read, as JavaScript and PostgreSQL do; the raw text keeps both. A page whose list appears twice is a bad answer.',
    noticedBy: 'A raw payload on screen that differs from the fields beside it.',
    reliedOnBy: ['lib/reconcile/json/parse.ts'],
  },
  {
    number: 33,
    title: 'A denied consent may come without state',
    statement:
      'The contract promises state beside code, not beside error. A callback with error ends the attempt with a fixed text; what error says is never shown as it is.',
    noticedBy: 'Denials that end on a page about a wrong state.',
    reliedOnBy: [],
  },
]
