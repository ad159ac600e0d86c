import type { Breakage } from '../model.ts'

const ANSWERS = ['lib/reconcile/dispute/find-answers.test.ts', 'lib/reconcile/dispute/planted-answers.test.ts']

/** What is expected back, what the platform is told, and what answers it. */
export const DISPUTES: Breakage[] = [
  {
    id: 'dispute-tie-as-only',
    row: 'disputes',
    promise: 'Of two answers that fit equally well none is proposed as the only one.',
    file: 'lib/reconcile/dispute/find-answers.ts',
    before: 'if (fits.length > 1 || sharedWith.length > 0) return',
    after: 'if (sharedWith.length > 0) return',
    tests: ANSWERS,
  },
  {
    id: 'dispute-one-credit-for-two',
    row: 'disputes',
    promise: 'A credit that fits two disputes is proposed to neither as its own.',
    file: 'lib/reconcile/dispute/find-answers.ts',
    before: 'if (fits.length > 1 || sharedWith.length > 0) return',
    after: 'if (fits.length > 1) return',
    tests: ANSWERS,
  },
  {
    id: 'dispute-foreign-credit',
    row: 'disputes',
    promise: 'A credit of another currency answers nothing.',
    file: 'lib/reconcile/dispute/find-answers.ts',
    before: 'return `${connectionId} ${currency}`',
    after: "return connectionId + (currency === '' ? '' : ' ')",
    tests: ANSWERS,
  },
  {
    id: 'dispute-refund-turned',
    row: 'disputes',
    promise: 'Of a refund that is too small the rest is expected back.',
    file: 'lib/reconcile/dispute/expected-credit.ts',
    before: 'const owed = addDecimals(proof.difference, proof.taxDifference)',
    after:
      "const sum = addDecimals(proof.difference, proof.taxDifference)\n  const owed = (isNegativeDecimal(line.totalAmount) ? sum.replace(/^(-?)/, (_, sign) => (sign ? '' : '-')) : sum) as DecimalText",
    tests: ['lib/reconcile/dispute/expected-credit.test.ts'],
  },
  {
    id: 'letter-rounds',
    row: 'disputes',
    promise: 'A letter to the platform has every digit of a figure.',
    file: 'lib/reconcile/dispute/letter-format.ts',
    before: "decimals.replace(/0+$/, '').padEnd(digits, '0')",
    after: "decimals.slice(0, digits).padEnd(digits, '0')",
    tests: ['lib/reconcile/dispute/letter.test.ts'],
  },
]
