/** The bridge of many changes, beside what each line was on each day. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import type { Bridge } from '#lib/reconcile/bridge.ts'
import { dayOf } from '#lib/reconcile/day.ts'
import { decimal, makeLineOf, seedConnection, seedLines, seedOrganization } from '../test-support/seed.ts'
import { createRandom } from '../test-support/seed-varied-lines.ts'
import { summarizeChanges } from './history-list.ts'

const NOW = Date.now()
const DAY_MS = 86_400_000
const SINCE = dayOf(NOW - 7 * DAY_MS)
const LINES = 150
const CURRENCIES = ['CHF', 'EUR', 'GBP']

/** What a line was from so many days ago on. */
type Stage = { daysAgo: number; currency: string; cents: number }
type History = { connectionId: ConnectionId; id: string; stages: Stage[] }

let database: TestDatabase
let organizationId: OrganizationId
const histories: History[] = []

beforeAll(async () => {
  database = await createTestDatabase()
  const owner = await seedOrganization(database.query)
  organizationId = owner.organizationId
  const random = createRandom(3)
  for (const { name, oldest } of [
    { name: 'from before', oldest: 30 },
    { name: 'made since', oldest: 6 },
  ]) {
    const connectionId = await seedConnection(database.query, owner, name)
    const own = Array.from({ length: LINES }, (_, at) => ({
      connectionId,
      id: `${name} ${at}`,
      stages: makeStages(random, oldest),
    }))
    await seedHistories(connectionId, own)
    await database.query('update connection set created_at = $2 where id = $1', [connectionId, toMoment(oldest)])
    histories.push(...own)
  }
})
afterAll(() => database.drop())

const toMoment = (daysAgo: number) => new Date(NOW - daysAgo * DAY_MS)
const toAmount = (cents: number) => (cents / 100).toFixed(2)

/** Comes, and changes up to three times: its total, its currency, both, or neither. */
function makeStages(random: (limit: number) => number, oldest: number): Stage[] {
  const days = [...new Set(Array.from({ length: 1 + random(4) }, () => random(oldest)))].sort((a, b) => b - a)
  const stages: Stage[] = []
  for (const daysAgo of days) {
    const last = stages.at(-1) ?? { currency: CURRENCIES[random(3)] as string, cents: random(90_000) }
    stages.push({
      daysAgo,
      currency: random(3) === 0 ? (CURRENCIES[random(3)] as string) : last.currency,
      cents: random(3) === 0 ? last.cents : random(90_000),
    })
  }
  return stages
}

/** Lines as they are now, with the versions that their triggers would have kept. */
async function seedHistories(connectionId: ConnectionId, own: readonly History[]): Promise<void> {
  const lines = own.map(({ id, stages }) => {
    const { currency, cents } = stages.at(-1) as Stage
    return makeLineOf(toAmount(cents), { id, currency, invoiceSerialNumber: 'INV-1' })
  })
  await seedLines(organizationId, connectionId, lines)
  for (const { id, stages } of own) {
    const [first, ...later] = stages as [Stage, ...Stage[]]
    await database.query('update line set first_seen_at = $3, changed_at = $4 where connection_id = $1 and id = $2', [
      connectionId,
      id,
      toMoment(first.daysAgo),
      toMoment((stages.at(-1) as Stage).daysAgo),
    ])
    for (const [at, next] of later.entries()) {
      const was = stages[at] as Stage
      await database.query(
        `insert into line_version (organization_id, connection_id, line_id, invoice_serial_number, valid_from, valid_until,
           content_hash, currency, total_amount, next_currency, next_total_amount, raw)
         values ($1, $2, $3, 'INV-1', $4, $5, 'hash', $6, $7, $8, $9, '{}')`,
        [
          organizationId,
          connectionId,
          id,
          toMoment(was.daysAgo),
          toMoment(next.daysAgo),
          was.currency,
          toAmount(was.cents),
          next.currency,
          toAmount(next.cents),
        ],
      )
    }
  }
}

const isBefore = ({ daysAgo }: Stage) => dayOf(NOW - daysAgo * DAY_MS) < SINCE

/** The same bridge of one currency, from what each line was on each day. */
function rebuild(currency: string): Pick<Bridge, 'stood' | 'arrived' | 'changed' | 'now'> {
  const sum = (stages: readonly Stage[]) => {
    const own = stages.filter((stage) => stage.currency === currency)
    return { count: own.length, cents: own.reduce((total, { cents }) => total + cents, 0) }
  }
  const [old, young] = [true, false].map((wanted) =>
    histories.filter(({ stages }) => isBefore(stages[0] as Stage) === wanted),
  ) as [History[], History[]]
  const steps = histories.flatMap(({ id, stages }) =>
    stages.slice(1).flatMap((next, at) => {
      const was = stages[at] as Stage
      const isMoney = was.currency !== next.currency || was.cents !== next.cents
      return isBefore(next) || !isMoney ? [] : { id, was, next }
    }),
  )
  const touched = steps.filter(({ was, next }) => [was.currency, next.currency].includes(currency))
  const changed = sum(touched.map(({ next }) => next)).cents - sum(touched.map(({ was }) => was)).cents
  const toSum = ({ count, cents }: { count: number; cents: number }) => ({ count, amount: decimal(toAmount(cents)) })
  return {
    stood: toSum(sum(old.map(({ stages }) => stages.findLast(isBefore) as Stage))),
    arrived: toSum(sum(young.map(({ stages }) => stages[0] as Stage))),
    changed: toSum({ count: new Set(touched.map(({ id }) => id)).size, cents: changed }),
    now: toSum(sum(histories.map(({ stages }) => stages.at(-1) as Stage))),
  }
}

test('the bridge of many changes is what each line was on each day, of old and of new accounts', async () => {
  const { bridges } = await summarizeChanges(organizationId, SINCE)
  const shown = bridges.map(({ currency, stood, arrived, changed, now }) => [
    currency,
    { stood, arrived, changed, now },
  ])
  expect(shown).toEqual(CURRENCIES.map((currency) => [currency, rebuild(currency)]))
})

test('what changed of an invoice without a run is a group for each moment', async () => {
  const { groupCount } = await summarizeChanges(organizationId, SINCE)
  const moments = histories.flatMap(({ connectionId, stages }) =>
    stages.slice(1).flatMap((next) => (isBefore(next) ? [] : `${connectionId} ${next.daysAgo}`)),
  )
  expect(groupCount).toBe(new Set(moments).size)
})
