import type { FindingCode } from '../line-proof.ts'
import { CONVENTIONS, type Convention, isReasonOf } from '../reason.ts'

/**
 * Lines of one issuer in which one check fails: all of them, and those that each convention fits.
 */
export type FailedLines = { code: FindingCode; lineCount: number; fits: Readonly<Partial<Record<Convention, number>>> }

/** `fitting`: the lines it fits; `rivals`: conventions that fit as many. */
export type HabitProposal = { convention: Convention; fitting: number; rivals: Convention[] }

const FEWEST_LINES = 3
/** Of ten lines that differ, so many have to fit: a wrong line of the issuer may be among them. */
const OF_TEN = 9

/**
 * The convention that an issuer seems to follow: it fits most of the lines that differ, at least
 * three and nine of ten. Null if there is none. It is for a person to accept, and explains nothing
 * before.
 */
export function proposeHabit({ code, lineCount, fits }: FailedLines): HabitProposal | null {
  const most = Math.max(0, ...CONVENTIONS.map((each) => (isReasonOf(code, each) ? (fits[each] ?? 0) : 0)))
  if (most < FEWEST_LINES || most * 10 < lineCount * OF_TEN) return null
  const [convention, ...rivals] = CONVENTIONS.filter((each) => isReasonOf(code, each) && fits[each] === most)
  return convention === undefined ? null : { convention, fitting: most, rivals }
}
