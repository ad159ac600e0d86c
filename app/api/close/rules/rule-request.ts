import { OperationalError } from '#lib/errors.ts'
import { refused } from '#lib/http/outcome.ts'

/** What the database refuses about rules, as an outcome. @throws what is no refusal. */
export function replyRuleRefused(error: unknown) {
  if (!(error instanceof OperationalError) || !/^rule-/.test(error.code)) throw error
  return refused('rules', error.code, error.userText)
}
