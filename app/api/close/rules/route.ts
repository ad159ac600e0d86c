import * as z from 'zod'
import { writeRoute } from '#lib/auth/doors/api-route.ts'
import { lineOf } from '#lib/auth/one-line.ts'
import { done, refused } from '#lib/http/outcome.ts'
import { changeRule, makeRule } from '#lib/ledger/certify/keep-rules.ts'
import { CHOSEN_CONDITIONS, RULE_VERBS } from '#lib/reconcile/certify/rule-terms.ts'
import { parseTolerance } from '#lib/reconcile/checks/tolerance.ts'
import { parseDay } from '#lib/reconcile/day.ts'
import { parseDecimal } from '#lib/reconcile/money.ts'
import { replyRuleRefused } from './rule-request.ts'

export const dynamic = 'force-dynamic'

const MOST_MONTHS = 12

/** Of a rule that is changed: its id, and the version that was seen. Else another one is made. */
const seen = { rule: z.uuid().optional(), version: z.coerce.number().int().min(1).max(99_999).optional() }

/** A checkbox per condition, by its code. */
const body = z.looseObject({
  ...seen,
  name: lineOf(80).optional(),
  verb: z.enum(RULE_VERBS),
  limits: z.string().max(1000).default(''),
  share: z.string().max(10).default('2'),
  monthsLeftOut: z.string().max(100).default(''),
  activeFrom: z.string().refine((text) => parseDay(text) !== null),
})

/**
 * POST /api/close/rules {name, verb, complete, residual, vendor, regime, limits: 'EUR 500', share,
 * monthsLeftOut: '3, 12', activeFrom}: a rule, which is off until it was tried. {rule, version, …}:
 * the version after the one that was seen (docs/decisions/066-certification-rules.md). 409 when
 * somebody else has made that.
 */
export const POST = writeRoute({ may: 'keep-rules', body }, async ({ session, actor, body }) => {
  const limits = parseTolerance(body.limits)
  const share = parseDecimal(body.share.trim())
  const monthsLeftOut = parseMonths(body.monthsLeftOut)
  if (limits === null) return refused('rules', 'bad-request', 'Write a limit as EUR 500, JPY 1.', { error: 'limits' })
  if (share === null || Number(share) < 0 || Number(share) > 100)
    return refused('rules', 'bad-request', 'The share is a percentage from 0 to 100.', { error: 'share' })
  if (monthsLeftOut === null)
    return refused('rules', 'bad-request', 'Write months by their numbers, such as 3, 12.', { error: 'months' })
  const conditions = CHOSEN_CONDITIONS.filter((each) => body[each] === 'on' || body[each] === true)
  const terms = { verb: body.verb, conditions, limits, share, monthsLeftOut, activeFrom: body.activeFrom }
  const who = { organizationId: session.organizationId, actor, name: session.name }
  try {
    if (body.rule === undefined) {
      if (body.name === undefined)
        return refused('rules', 'bad-request', 'Give the rule a name. Nothing was kept.', { error: 'name' })
      return done('rules', await makeRule(who, body.name, terms), { said: 'made' })
    }
    if (body.version === undefined)
      return refused('rules', 'bad-request', 'Say which version of the rule you saw.', { error: 'version' })
    const { kind, ...changed } = await changeRule(who, body.rule, body.version, terms)
    if (kind === 'done') return done('rules', changed, { said: 'made' })
    return kind === 'gone'
      ? refused('rules', 'gone', 'There is no such rule.')
      : refused('rules', kind, 'Somebody changed this rule after you opened the page. Nothing was changed.', {
          error: kind,
        })
  } catch (error) {
    return replyRuleRefused(error)
  }
})

/** `3, 12` as numbers of months; null for anything else. */
function parseMonths(text: string): number[] | null {
  const parts = text.split(/[\s,;]+/).filter((part) => part !== '')
  const months = parts.map(Number)
  if (months.some((month) => !Number.isInteger(month) || month < 1 || month > MOST_MONTHS)) return null
  return [...new Set(months)].sort((a, b) => a - b)
}
