/**
 * The catalog of operational failures: a stable code, whether trying again may help, and words for
 * people. `docs/errors.md` has a section per code; a test keeps them equal.
 */
export const ERROR_CATALOG = {
  'partner-unreachable': {
    retryable: true,
    text: 'The travel platform could not be reached. What arrived is kept; the next try continues from there.',
  },
  'partner-throttled': {
    retryable: true,
    text: 'The travel platform asked us to slow down. What arrived is kept; the next try continues from there.',
  },
  'partner-circuit-open': {
    retryable: true,
    text: 'The travel platform has failed several times in a row, so we leave it alone for a while. What arrived is kept; the next try continues from there.',
  },
  'partner-bad-answer': {
    retryable: true,
    text: 'The travel platform gave an answer that does not match its interface. What arrived is kept; the next try reads the page again.',
  },
  'partner-forbidden': {
    retryable: false,
    text: 'The connected account does not grant the scope this needs. Reconnect it and allow the scope.',
  },
  'partner-token-refused': {
    retryable: false,
    text: 'The travel platform refuses access to this account, although the link to it was renewed just now. The next sync asks again; if that does not help, reconnect the account.',
  },
  'partner-client-refused': {
    retryable: true,
    text: 'The travel platform refuses this program’s own client id or secret. An operator has to correct the configuration.',
  },
  'connection-needs-reconnect': {
    retryable: false,
    text: 'The link to this account has ended. Reconnect it; its data and history are kept.',
  },
  'connection-disconnected': {
    retryable: false,
    text: 'The account was disconnected while this was under way. What had arrived is kept or deleted, as was chosen.',
  },
  'connection-busy': {
    retryable: true,
    text: 'Another worker is renewing the link to this account. Trying again shortly.',
  },
  'token-unreadable': {
    retryable: false,
    text: 'The stored tokens of this account cannot be opened with the available keys. An operator has to restore the key.',
  },
  'spool-unavailable': {
    retryable: true,
    text: 'The worker cannot write to its disk, so it does not risk renewing the link to this account. An operator has to make room; nothing is lost.',
  },
  'attachments-unavailable': {
    retryable: true,
    text: 'Files of comments cannot be kept or opened just now. Comments are unharmed, and so is what was kept; an operator has to look at the place where files are.',
  },
  'sync-incomplete': {
    retryable: true,
    text: 'The travel platform’s list ended before its own count, each time it was read. What arrived is kept; the next sync reads it again.',
  },
  'sync-outdated': {
    retryable: true,
    text: 'Stored lines were changed by something else while the platform’s were read. Nothing was lost; the next try reads the page again.',
  },
  'sync-fenced': { retryable: true, text: 'Another worker has taken over this sync.' },
  'database-unavailable': {
    retryable: true,
    text: 'The database did not answer. Nothing was lost, and another try may succeed.',
  },
  'commit-unknown': {
    retryable: false,
    text: 'The database stopped answering while this was being saved. Look whether it is there before you try again.',
  },
  'database-slow': {
    retryable: true,
    text: 'The database took too long over this and was stopped. Nothing was changed. Ask for less, or try again later.',
  },
  'export-busy': {
    retryable: true,
    text: 'Too many files are being downloaded at the moment: at most two per person and three per organization. Try again when one of them has finished.',
  },
  'export-too-slow': {
    retryable: true,
    text: 'The download was stopped: it took longer than ten minutes, or the data was received too slowly. Ask for less, or try again on a faster connection.',
  },
  'lake-busy': {
    retryable: true,
    text: 'Another run is writing the Parquet files of this organization. Nothing was changed by this one.',
  },
  'lake-amount': {
    retryable: false,
    text: 'An amount has more digits than a Parquet file can hold exactly, so it was not rounded and nothing was written.',
  },
  'lake-store': {
    retryable: true,
    text: 'The store of the Parquet files did not take or give a file. The next run goes on from what is there.',
  },
  'four-eyes': {
    retryable: false,
    text: 'Whoever prepared a sign-off may not approve it. Somebody else has to. Nothing was changed.',
  },
  'no-step-before': {
    retryable: false,
    text: 'The step before this one is missing, or does not stand any more. Look at where it stands now. Nothing was changed.',
  },
  'period-locked': {
    retryable: false,
    text: 'The month is locked, so nobody decides or signs in it. Ask for an exception, or have the month opened again. Nothing was changed.',
  },
  'sign-off-changed': {
    retryable: false,
    text: 'This is no longer what was prepared. Look at it again. Nothing was changed.',
  },
  'decision-under-way': {
    retryable: true,
    text: 'A decision about lines of this month is still being applied. Lock the month when it has ended. Nothing was changed.',
  },
  'not-own-sign-off': {
    retryable: false,
    text: 'Only whoever signed may withdraw a sign-off. Nothing was changed.',
  },
  'rule-may-not-approve': {
    retryable: false,
    text: 'The organization lets no rule approve. An admin may allow it on the page of rules. Nothing was changed.',
  },
  'rule-not-tried': {
    retryable: false,
    text: 'This version of the rule was not tried on the past, or is turned off. Try it first. Nothing was changed.',
  },
  internal: { retryable: false, text: 'Something failed unexpectedly. Nothing was changed.' },
} as const satisfies Record<string, { retryable: boolean; text: string }>

export type ErrorCode = keyof typeof ERROR_CATALOG

/** An operational failure. `message` and `cause` are for logs, `userText` for people. */
export class OperationalError extends Error {
  readonly code: ErrorCode
  /** How long to wait before the same work may succeed; undefined when unknown. */
  readonly retryAfterMs?: number
  constructor(code: ErrorCode, message: string, options?: { cause?: unknown; retryAfterMs?: number }) {
    super(message, options)
    this.name = 'OperationalError'
    this.code = code
    this.retryAfterMs = options?.retryAfterMs
  }
  get retryable(): boolean {
    return ERROR_CATALOG[this.code].retryable
  }
  get userText(): string {
    return ERROR_CATALOG[this.code].text
  }
}

/** Any thrown value as an OperationalError; others become `internal`, with their cause. */
export function toOperationalError(thrown: unknown): OperationalError {
  if (thrown instanceof OperationalError) return thrown
  return new OperationalError('internal', thrown instanceof Error ? thrown.message : String(thrown), { cause: thrown })
}
