import { readFileSync } from 'node:fs'
import { beforeEach, describe, expect, test } from 'vitest'
import { settings } from '#lib/env.ts'
import type { UserId } from '#lib/ids.ts'
import { CURSOR_LIMITS } from '#lib/ledger/sql/tenant-cursor.ts'
import { countRequest, recallPerson, rememberPerson } from './request-budget.ts'
import { PEOPLE_OF_A_NETWORK, REQUEST_KINDS } from './request-kinds.ts'

const NOW = new Date('2026-11-23T12:00:00Z')
const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1000)
const anna = { userId: 'anna' as UserId, network: '203.0.113.7' }
const ben = { userId: 'ben' as UserId, network: '203.0.113.7' }
const { burst, perMinute } = REQUEST_KINDS.document.budget

beforeEach(() => {
  delete (globalThis as { tieoutRequestCounts?: unknown }).tieoutRequestCounts
})

/** How many of `times` requests may go on. */
function countAllowed(times: number, sender: typeof anna, at = NOW): number {
  return Array.from({ length: times }, () => countRequest('document', sender, at)).filter((wait) => wait === 0).length
}

describe('A18: requests of a person', () => {
  test('go on up to the burst, then wait as long as they are told', () => {
    expect(countAllowed(burst + 5, anna)).toBe(burst)
    const wait = countRequest('document', anna, NOW)
    expect(wait).toBe(60 / perMinute)
    expect(countRequest('document', anna, later(wait))).toBe(0)
  })

  test('of one kind leave the other kinds and other people of the same network alone', () => {
    countAllowed(1_000, anna)
    expect(countRequest('page', anna, NOW)).toBe(0)
    expect(countAllowed(burst, ben)).toBe(burst)
  })

  test('that are refused do not put off the next one', () => {
    countAllowed(burst, anna)
    for (let n = 0; n < 100; n++) countRequest('document', anna, later(n / 100))
    expect(countRequest('document', anna, later(60 / perMinute))).toBe(0)
  })

  test('count for their network too, as ten people', () => {
    const people = Array.from({ length: 15 }, (_, n) => ({ ...anna, userId: `person ${n}` as UserId }))
    const allowed = people.map((person) => countAllowed(burst, person))
    expect(allowed.reduce((sum, each) => sum + each)).toBe(burst * PEOPLE_OF_A_NETWORK)
    expect(countAllowed(1, { userId: 'elsewhere' as UserId, network: '198.51.100.1' })).toBe(1)
  })

  test('are multiplied by what the operator sets', () => {
    settings().requestBudgetFactor = 3
    expect(countAllowed(1_000, anna)).toBe(burst * 3)
    settings().requestBudgetFactor = 1
  })
})

test('A18: counts of ten thousand are kept', () => {
  for (let n = 0; n < 30_000; n++) countRequest('page', { userId: `${n}` as UserId, network: `${n}` }, NOW)
  const { tieoutRequestCounts } = globalThis as unknown as { tieoutRequestCounts: { buckets: { size: () => number } } }
  expect(tieoutRequestCounts.buckets.size()).toBe(10_000)
})

test('a session’s cookie is remembered by its hash, so that its person is known before the page', () => {
  expect(recallPerson('cookie')).toBeNull()
  rememberPerson('cookie', anna.userId)
  expect(recallPerson('cookie')).toBe('anna')
  expect(recallPerson('another')).toBeNull()
})

test('a file’s statements end when the table says', () => {
  expect(CURSOR_LIMITS.fetchMs).toBe(REQUEST_KINDS.export.statementMs)
})

test('docs/operations.md repeats the table', () => {
  const paper = readFileSync(new URL('../../../docs/operations.md', import.meta.url), 'utf8')
  for (const { label, budget, statementMs } of Object.values(REQUEST_KINDS)) {
    const counted = budget === null ? '–' : `${budget.burst} at once, ${budget.perMinute} a minute`
    expect(paper).toContain(`| ${label} | ${counted} | ${statementMs / 1000} s |`)
  }
})
