/**
 * What an organization's rules make of what a proof found
 * (docs/decisions/026-checks-and-habits.md).
 */

import type { InvoiceFinding } from '../invoice-finding.ts'
import type { FindingCode } from '../line-proof.ts'
import { compareDecimals, type DecimalText, toPlainDecimal, toSize } from '../money.ts'
import type { Convention } from '../reason.ts'
import { type CheckLevel, type CheckSetting, type CheckSettings, DEFAULT_CHECK } from './checks.ts'

/**
 * Who issues lines in one way: a profile in a mode, at one regime and rate; null: they do not say.
 */
export type Issuer = {
  profileId: string | null
  invoiceMode: string | null
  taxRegime: string | null
  taxPercentage: DecimalText
}

/** The convention that each check of an issuer's lines is known to follow. */
export type Habits = Partial<Record<FindingCode, Convention>>

/** The rules for the lines of one connection. `habits` by `toIssuerKey`. */
export type LineRules = { checks: CheckSettings; habits: ReadonlyMap<string, Habits> }

/** Names an issuer within its connection; rates of the same value are one. */
export function toIssuerKey({ profileId, invoiceMode, taxRegime, taxPercentage }: Issuer): string {
  return JSON.stringify([profileId, invoiceMode, taxRegime, toPlainDecimal(taxPercentage)])
}

/** The two checks of a line; zero where nothing fails. */
export type LineDifferences = { currency: string; difference: DecimalText; taxDifference: DecimalText }

/**
 * Which failed checks of a line count as findings, and which are noted. Their order is that of the
 * proof. A difference within its tolerance is noted.
 */
export function judgeLine(
  { currency, difference, taxDifference }: LineDifferences,
  checks: CheckSettings,
): { findings: FindingCode[]; notes: FindingCode[] } {
  const failed: { code: FindingCode; amount: DecimalText }[] = [
    { code: 'total' as const, amount: difference },
    { code: 'tax' as const, amount: taxDifference },
  ].filter(({ amount }) => /[1-9]/.test(amount))
  const ofLevel = (level: CheckLevel) =>
    failed
      .filter(({ code, amount }) => toLevel(checks, `line_${code}`, currency, amount) === level)
      .map(({ code }) => code)
  return { findings: ofLevel('finding'), notes: ofLevel('note') }
}

/** Which of an invoice's findings count, and which are noted. */
export function judgeInvoice(
  currency: string,
  found: readonly InvoiceFinding[],
  checks: CheckSettings,
): { findings: InvoiceFinding[]; notes: InvoiceFinding[] } {
  const ofLevel = (level: CheckLevel) =>
    found.filter(({ code, amount }) => toLevel(checks, `invoice_${code}`, currency, amount) === level)
  return { findings: ofLevel('finding'), notes: ofLevel('note') }
}

/** `amount` is null where the check has no difference: then there is nothing to tolerate. */
function toLevel(
  checks: CheckSettings,
  code: keyof CheckSettings,
  currency: string,
  amount: DecimalText | null,
): CheckLevel {
  return levelOf(checks[code] ?? DEFAULT_CHECK, currency, amount)
}

/** What a setting makes of one failed check. `amount`: as `judgeInvoice` has it, of either sign. */
export function levelOf({ level, tolerance }: CheckSetting, currency: string, amount: DecimalText | null): CheckLevel {
  const most = Object.hasOwn(tolerance, currency) ? tolerance[currency] : undefined
  if (level !== 'finding' || most === undefined || amount === null) return level
  return compareDecimals(toSize(amount), most) <= 0 ? 'note' : 'finding'
}
