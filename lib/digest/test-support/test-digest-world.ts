/** For tests: an organization with people, and lines that came before and in a span. */
import { personOf } from '#lib/audit/test-support/test-actor.ts'
import { switchPool } from '#lib/db/pool.ts'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import type { ConnectionId, OrganizationId, UserId } from '#lib/ids.ts'
import { DEFAULT_LINE_QUERY } from '#lib/ledger/query/line-query.ts'
import { decide } from '#lib/ledger/review/decide.ts'
import type { Asked } from '#lib/ledger/review/line-set.ts'
import { previewDecision } from '#lib/ledger/review/preview-decision.ts'
import { day, decimal, makeLine, seedConnection, seedLines, seedOrganization } from '#lib/ledger/test-support/seed.ts'
import type { LineRecord } from '#lib/reconcile/records.ts'
import { assign } from '#lib/talk/assign.ts'
import { addMessage } from '#lib/talk/write-message.ts'
import type { DigestReader } from '../read-digest.ts'

const PEOPLE = { ada: 'admin', ana: 'finance', vera: 'viewer' } as const
export type Who = keyof typeof PEOPLE

export type DigestWorld = {
  database: TestDatabase
  organizationId: OrganizationId
  connectionId: ConnectionId
  idOf: (who: Who) => UserId
  reader: (who: Who) => DigestReader
  /** Writes lines as a sync does; they are seen now, or as long ago as `age` says. */
  bring: (lines: Partial<LineRecord>[], age?: string) => Promise<void>
  accept: (...ids: string[]) => Promise<void>
  give: (who: Who, line: string, dueOn: string | null) => Promise<void>
  /** Ada names somebody beside a line. */
  name: (who: Who, line: string) => Promise<void>
  as: (process: 'web' | 'worker' | 'both') => Promise<void>
}

/** A line whose total is too high by the amount. */
export function tooMuch(id: string, by: string, more: Partial<LineRecord> = {}): Partial<LineRecord> {
  const total = decimal(String(Math.round((119 + Number(by)) * 100) / 100))
  return { id, totalAmount: total, description: `Line ${id}`, ...more }
}

export async function startDigestWorld(name = 'Acme'): Promise<DigestWorld> {
  const database = await createTestDatabase()
  const owner = await seedOrganization(database.query, name)
  const { organizationId } = owner
  const connectionId = await seedConnection(database.query, owner)
  const ids = new Map<Who, UserId>()
  for (const [who, role] of Object.entries(PEOPLE) as [Who, string][]) {
    const [made] = await database.query<{ id: UserId }>(
      `insert into app_user (organization_id, email, name, role) values ($1, $2, $3, $4) returning id`,
      [organizationId, `${who}@example.com`, who, role],
    )
    ids.set(who, made?.id as UserId)
  }
  const idOf = (who: Who) => ids.get(who) as UserId
  const writer = () => ({ userId: idOf('ada'), name: 'Ada', actor: personOf(idOf('ada')) })
  const ofLine = (key: string) => ({ kind: 'line', connectionId, key }) as const
  return {
    database,
    organizationId,
    connectionId,
    idOf,
    reader: (who) => ({ organizationId, userId: idOf(who), role: PEOPLE[who], timeZone: 'UTC' }),
    bring: async (lines, age) => {
      await seedLines(organizationId, connectionId, lines.map(makeLine))
      const found = lines.map(({ id }) => id)
      if (age !== undefined)
        await database.query(`update line set first_seen_at = now() - $1::interval where id = any($2)`, [age, found])
    },
    accept: async (...lines) => {
      const only = lines.map((id) => `${connectionId}~${id}`)
      const asked: Asked = { kind: 'accept', set: { query: DEFAULT_LINE_QUERY, only } }
      const seen = await previewDecision(organizationId, asked)
      const decider = { actor: personOf(idOf('ada')), name: 'Ada' }
      await decide(organizationId, decider, { asked, ...seen, reason: 'agreed', note: null, expectedBack: null })
    },
    give: async (who, line, dueOn) => {
      const dueDay = dueOn === null ? null : day(dueOn)
      const wish = { personId: idOf(who), dueOn: dueDay, roles: Object.values(PEOPLE) }
      await assign(organizationId, writer(), ofLine(line), wish)
    },
    name: async (who, line) => {
      await addMessage(organizationId, writer(), ofLine(line), {
        text: `A secret word for @${who}`,
        quote: null,
        mentions: [idOf(who)],
      })
    },
    as: (process) => switchPool(database.urls[process]),
  }
}
