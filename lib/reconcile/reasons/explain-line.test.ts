import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { proveLine } from '../line-proof.ts'
import { type DecimalText, parseDecimal } from '../money.ts'
import type { Explanation } from '../reason.ts'
import { explainLine } from './explain-line.ts'
import { CONVENTION_WORDS } from './words.ts'

/** Each row was reckoned by hand or with Python’s fractions, and read by people. */
const [HEADER = [], ...CASES] = readFileSync('docs/golden/line-reasons.csv', 'utf8')
  .trimEnd()
  .split('\n')
  .map((row) => row.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/).map((cell) => cell.replace(/^"(.*)"$/, '$1')))

test('the golden file has at least 120 cases, each with its own name', () => {
  expect(new Set(CASES.map(([name]) => name)).size).toBe(CASES.length)
  expect(CASES.length).toBeGreaterThanOrEqual(120)
})

test.each(CASES)('golden: %s', (...cells) => {
  const read = (name: string) => cells[HEADER.indexOf(name)] as string
  const decimal = (name: string) => parseDecimal(read(name)) as DecimalText
  const line = {
    currency: read('currency'),
    invoiceMode: read('document'),
    quantity: decimal('quantity'),
    unitPrice: decimal('unit price'),
    nonTaxableUnitPrice: decimal('non-taxable unit price'),
    taxPercentage: decimal('tax rate in percent'),
    taxAmount: decimal('tax stated'),
    totalAmount: decimal('total stated'),
  }
  const proof = proveLine(line)
  const explanations = explainLine(line, proof)
  for (const code of ['tax', 'total'] as const) {
    const finding = proof.findings.find((each) => each.code === code)
    expect(toOutcome(explanations.find((each) => each.code === code)), code).toBe(read(`${code} is`))
    expect(finding?.expected ?? '', `${code} expected`).toBe(read(`${code} expected`))
    expect(finding?.difference ?? '', `${code} difference`).toBe(read(`${code} difference`))
    const conventions = explanations.find((each) => each.code === code)?.conventions ?? []
    const words = conventions.map((each) => CONVENTION_WORDS[each]).join('; or ')
    expect(words, `reasons of the ${code}`).toBe(read(`reasons that fit the ${code}`))
  }
})

function toOutcome(explanation: Explanation | undefined): string {
  if (explanation === undefined) return 'right'
  return explanation.isExplained ? 'explained' : 'unexplained'
}
