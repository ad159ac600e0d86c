import type { Breakage } from '../../model.ts'

const ROLES = ['lib/auth/permissions.test.ts']
const READS = ['lib/ledger/close/read-close.test.ts']

/** Who may close, and what the page of months says of it. */
export const CLOSE_PAGE: Breakage[] = [
  {
    id: 'auditor-decides',
    row: 'close 13',
    promise: 'An auditor reads everything and decides nothing.',
    file: 'lib/auth/permissions.ts',
    before: "auditor: ['viewer', 'auditor'],",
    after: "auditor: ['viewer', 'auditor', 'finance'],",
    tests: ROLES,
  },
  {
    id: 'finance-approves',
    row: 'close 13',
    promise: 'Only approvers and admins approve.',
    file: 'lib/auth/permissions.ts',
    before: "approve: { least: 'approver'",
    after: "approve: { least: 'finance'",
    tests: ROLES,
  },
  {
    id: 'approver-sees-audit',
    row: 'close 13',
    promise: 'An approver may what finance may and close, and sees no audit.',
    file: 'lib/auth/permissions.ts',
    before: "approver: ['viewer', 'finance', 'approver'],",
    after: "approver: ['viewer', 'auditor', 'finance', 'approver'],",
    tests: ROLES,
  },
  {
    id: 'close-decided-waits',
    row: 'close 9',
    promise: 'What is decided keeps no month open.',
    file: 'lib/ledger/close/read-month-facts.ts',
    before: "coalesce(v.state, 'open') as state",
    after: "'open' as state",
    tests: READS,
  },
  {
    id: 'close-net-with-tax',
    row: 'close 9',
    promise: 'Net is what the lines come to without tax.',
    file: 'lib/ledger/close/read-month-facts.ts',
    before: '(sum(l.total_amount) - sum(l.tax_amount))::text as net',
    after: 'sum(l.total_amount)::text as net',
    tests: READS,
  },
  {
    id: 'close-counts-twice',
    row: 'close 3',
    promise: 'A month is summed from one source, not from two.',
    file: 'lib/ledger/close/read-month-facts.ts',
    before: 'where not (select are from summed) and ${OF_SPAN}',
    after: 'where ${OF_SPAN}',
    tests: READS,
  },
  {
    id: 'close-neighbor-drifts',
    row: 'close 9',
    promise: 'What changes for one profile marks no other as changed.',
    file: 'lib/ledger/close/read-standings.ts',
    before: 'const isUntouched = own.length === 0 && drift.length > 0',
    after: 'const isUntouched = own.length < 0 && drift.length > 0',
    tests: READS,
  },
  {
    id: 'close-exception-of-others',
    row: 'close 8',
    promise: 'An exception lists what its person decided, and nothing of others.',
    file: 'lib/ledger/close/read-close-period.ts',
    before: 'and c.actor_id = x.person_id and c.decided_at >= x.at',
    after: 'and c.decided_at >= x.at',
    tests: READS,
  },
  {
    id: 'close-exception-before',
    row: 'close 8',
    promise: 'An exception lists what was decided while it was in force.',
    file: 'lib/ledger/close/read-close-period.ts',
    before: 'and c.decided_at >= x.at',
    after: '',
    tests: READS,
  },
]
