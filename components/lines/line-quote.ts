import type { LineDetail } from '#lib/ledger/model.ts'
import type { Quote } from '#lib/talk/model.ts'

/** The figure of a line that people talk about: what is wrong about it first, else its total. */
export function toLineQuote({ findings, totalAmount, currency }: LineDetail): Quote {
  const [found] = findings
  if (found === undefined) return { label: 'total', amount: totalAmount, currency }
  return {
    label: found.code === 'tax' ? 'difference of the tax' : 'difference',
    amount: found.difference,
    currency: found.currency,
  }
}
