import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { switchPool } from '#lib/db/pool.ts'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import type { ConnectionId, OrganizationId, UserId } from '#lib/ids.ts'
import {
  day,
  decimal,
  makeInvoice,
  makeLine,
  seedConnection,
  seedInvoices,
  seedLines,
  seedOrganization,
} from '#lib/ledger/test-support/seed.ts'
import { assign, endAssignment } from './assign.ts'
import { parseSubject } from './find-subject.ts'
import { listMine, markRead } from './list-mine.ts'
import { toInitials } from './list-people.ts'
import type { Quote, Subject, Thread } from './model.ts'
import { listThread } from './read-thread.ts'
import { getTalkHead } from './talk-head.ts'
import { addMessage, editMessage } from './write-message.ts'

const ROLES = ['finance', 'admin']

let database: TestDatabase
let acme: OrganizationId
let beta: OrganizationId
let account: ConnectionId
let accountOfBeta: ConnectionId
let line: Subject
const people: Record<string, UserId> = {}

beforeAll(async () => {
  database = await createTestDatabase()
  const owners = [
    await seedOrganization(database.query, 'Acme'),
    await seedOrganization(database.query, 'Beta'),
  ] as const
  acme = owners[0].organizationId
  beta = owners[1].organizationId
  account = await seedConnection(database.query, owners[0])
  accountOfBeta = await seedConnection(database.query, owners[1])
  for (const [organizationId, connectionId] of [
    [acme, account],
    [beta, accountOfBeta],
  ] as const) {
    await seedInvoices(organizationId, connectionId, [
      makeInvoice({ serialNumber: 'INV-1', issuingDate: day('2026-03-31') }),
    ])
    await seedLines(organizationId, connectionId, [
      makeLine({ id: 'line-1', description: 'Double room', tripId: `trip of ${organizationId}` }),
    ])
  }
  for (const [name, role, organizationId] of [
    ['Ana Ruiz', 'finance', acme],
    ['Ben Okafor', 'finance', acme],
    ['Vera Viewer', 'viewer', acme],
    ['Dora Gone', 'finance', acme],
    ['Bea Beta', 'finance', beta],
  ] as const)
    people[name.split(' ')[0] as string] = await addPerson(organizationId, name, role)
  await database.query(`update app_user set disabled_at = now() where id = $1`, [people.Dora])
  line = { kind: 'line', connectionId: account, key: 'line-1' }
  await switchPool(database.urls.web)
})
afterAll(() => database.drop())
beforeEach(() => database.query('delete from thread'))

async function addPerson(organizationId: OrganizationId, name: string, role: string): Promise<UserId> {
  const [user] = await database.query<{ id: string }>(
    'insert into app_user (organization_id, email, name, role) values ($1, $2, $3, $4) returning id',
    [organizationId, `${name.split(' ')[0]}@example.com`.toLowerCase(), name, role],
  )
  return user?.id as string
}

const idOf = (who: string) => people[who] as UserId
const as = (who: string, name = `${who} of the test`) => ({
  userId: idOf(who),
  name,
  actor: { kind: 'person', userId: idOf(who), name: `${who.toLowerCase()}@example.com`, network: null } as const,
})
const say = (who: string, text: string, mentions: string[] = [], subject = line, quote: Quote | null = null) =>
  addMessage(acme, as(who), subject, { text, mentions: mentions.map(idOf), quote })
const read = async (who = 'Ana', subject = line, of = acme): Promise<Thread> => {
  const thread = await listThread(of, { userId: idOf(who), roles: ROLES }, subject)
  if (thread === null) throw new Error('there is no such subject')
  return thread
}
const give = (who: string, to: string, more: { dueOn?: string; seen?: string | null; subject?: Subject } = {}) =>
  assign(
    acme,
    as(who),
    more.subject ?? line,
    { personId: idOf(to), dueOn: more.dueOn === undefined ? null : day(more.dueOn), roles: ROLES },
    more.seen,
  )
const entries = async () =>
  (
    await database.query<Record<string, string | null>>(
      `select action, actor_name, subject_kind, subject_id, before, after from audit_entry
       where action like 'comment.%' or action like 'review.%' order by number`,
    )
  ).map((entry) => Object.values(entry))
const countEntries = async () => (await entries()).length

describe('comments', () => {
  test('a comment keeps its words, its author’s name and the figure as they were', async () => {
    const quote = { label: 'difference', amount: decimal('25.20000000'), currency: 'EUR' }
    expect(await say('Ana', 'The hotel says 7%.\n<b>really</b>', [], line, quote)).toMatchObject({
      kind: 'written',
      version: 1,
    })
    await database.query(`update app_user set name = 'Ana Renamed' where id = $1`, [idOf('Ana')])
    expect((await read('Ben')).messages).toMatchObject([
      { authorName: 'Ana of the test', text: 'The hotel says 7%.\n<b>really</b>', quote, editedAt: null, former: [] },
    ])
    await database.query(`update app_user set name = 'Ana Ruiz' where id = $1`, [idOf('Ana')])
  })

  test('its author edits it, and what it said before stays readable', async () => {
    const made = await say('Ana', 'One')
    if (made.kind !== 'written') throw new Error(made.kind)
    const edit = (who: string, version: number, text: string) =>
      editMessage(acme, as(who), { id: made.id, version }, { text, mentions: [] })
    expect(await edit('Ben', 1, 'Stolen')).toEqual({ kind: 'not-own' })
    expect(await edit('Ana', 1, 'Two')).toMatchObject({ kind: 'written', version: 2 })
    expect(await edit('Ana', 1, 'Late')).toEqual({ kind: 'changed' })
    expect(await edit('Ana', 2, 'Three')).toMatchObject({ kind: 'written', version: 3 })
    const [message] = (await read()).messages
    expect(message).toMatchObject({ text: 'Three', version: 3, former: [{ text: 'One' }, { text: 'Two' }] })
    expect(message?.editedAt).not.toBeNull()
  })

  test('of two edits of one version at once, one counts', async () => {
    const made = await say('Ana', 'One')
    if (made.kind !== 'written') throw new Error(made.kind)
    const edits = ['Two', 'Three', 'Four'].map((text) => editMessage(acme, as('Ana'), made, { text, mentions: [] }))
    expect((await Promise.all(edits)).map(({ kind }) => kind).sort()).toEqual(['changed', 'changed', 'written'])
    expect((await read()).messages[0]?.former).toMatchObject([{ text: 'One' }])
  })

  test('the newest comments of a long thread are shown, oldest first, with how many there are before', async () => {
    await say('Ana', 'first')
    const own = [acme, idOf('Ana')]
    await database.query(
      `with made as (
         insert into message (organization_id, thread_id, author_id, author_name, at)
         select organization_id, id, $2, 'Ana', now() - make_interval(secs => n) from thread, generate_series(1, 210) n
         where organization_id = $1 returning organization_id, id)
       insert into message_version (organization_id, message_id, version, text) select organization_id, id, 1, 'old' from made`,
      own,
    )
    const { messages, earlierCount } = await read()
    expect([messages.length, earlierCount, messages.at(-1)?.text]).toEqual([200, 11, 'first'])
  })

  test('the web server changes no word of a comment and removes none', async () => {
    await say('Ana', 'One')
    const { withTenantSql } = await import('#lib/db/tenant.ts')
    for (const statement of [
      `update message_version set text = 'Other'`,
      'delete from message_version',
      `update message set author_name = 'Other'`,
      'delete from message',
      'delete from thread',
      `update assignment set person_name = 'Other'`,
      `update mention set person_name = 'Other'`,
    ])
      await expect(
        withTenantSql(acme, (sql) => sql(statement)),
        statement,
      ).rejects.toThrow('permission denied')
  })
})

describe('mentions', () => {
  test('who is named finds it as theirs until they have opened the thread', async () => {
    await say('Ana', 'Can you ask, @Ben Okafor?', ['Ben'])
    expect(await listMine(acme, idOf('Ana'))).toEqual({ assignments: [], mentions: [] })
    expect((await listMine(acme, idOf('Ben'))).mentions).toMatchObject([
      { subject: line, label: 'Double room', byName: 'Ana of the test', text: 'Can you ask, @Ben Okafor?' },
    ])
    expect((await read('Ben')).unreadCount).toBe(1)
    await markRead(acme, idOf('Ana'), line)
    await markRead(acme, idOf('Ben'), { ...line, key: 'line-2' })
    expect((await listMine(acme, idOf('Ben'))).mentions).toHaveLength(1)
    await markRead(acme, idOf('Ben'), line)
    expect((await listMine(acme, idOf('Ben'))).mentions).toEqual([])
    expect((await read('Ben')).messages[0]?.mentions).toEqual([{ id: idOf('Ben'), name: 'Ben Okafor' }])
  })

  test.each([
    ['a person of another organization', 'Hello @Bea Beta', ['Bea'], 'stranger'],
    ['somebody who cannot sign in any more', 'Hello @Dora Gone', ['Dora'], 'stranger'],
    ['a person whom the text does not show', 'Hello you', ['Ben'], 'unnamed'],
    ['a person by somebody else’s name', 'Hello @Ana Ruiz', ['Ben'], 'unnamed'],
  ])('nobody is named by the id of %s', async (_, text, mentions, kind) => {
    const before = await countEntries()
    expect(await say('Ana', text, mentions)).toEqual({ kind })
    expect((await read()).messages).toEqual([])
    expect(await countEntries()).toBe(before)
  })

  test('a name without an id names nobody', async () => {
    await say('Ana', 'Hello @Ben Okafor')
    expect((await listMine(acme, idOf('Ben'))).mentions).toEqual([])
  })

  test('whoever names themselves has nothing to read', async () => {
    await say('Ana', 'Note to @Ana Ruiz', ['Ana'])
    expect((await listMine(acme, idOf('Ana'))).mentions).toEqual([])
  })

  test('an edit calls whom it names anew, and no longer whom it leaves out', async () => {
    const made = await say('Ana', 'Hello @Ben Okafor', ['Ben'])
    if (made.kind !== 'written') throw new Error(made.kind)
    const edit = { text: 'Hello @Vera Viewer', mentions: [idOf('Vera')] }
    expect((await editMessage(acme, as('Ana'), made, edit)).kind).toBe('written')
    expect((await listMine(acme, idOf('Ben'))).mentions).toEqual([])
    expect((await listMine(acme, idOf('Vera'))).mentions).toMatchObject([{ text: 'Hello @Vera Viewer' }])
  })

  test('a comment that names somebody who has left since can still be edited', async () => {
    const made = await say('Ana', 'Hello @Ben Okafor', ['Ben'])
    if (made.kind !== 'written') throw new Error(made.kind)
    await database.query(`update app_user set disabled_at = now() where id = $1`, [idOf('Ben')])
    const edit = { text: 'Hello again @Ben Okafor', mentions: [idOf('Ben')] }
    expect((await editMessage(acme, as('Ana'), made, edit)).kind).toBe('written')
    await database.query(`update app_user set disabled_at = null where id = $1`, [idOf('Ben')])
  })
})

describe('assignment', () => {
  test('one person has it at a time, and earlier ones stay with how it ended', async () => {
    expect(await give('Ana', 'Ben', { dueOn: '2026-04-30' })).toEqual({ kind: 'assigned' })
    expect((await read()).assignment).toMatchObject({
      personName: 'Ben Okafor',
      byName: 'Ana of the test',
      dueOn: '2026-04-30',
      isHere: true,
    })
    expect(await give('Ben', 'Ana')).toEqual({ kind: 'assigned' })
    expect(await endAssignment(acme, as('Ana'), line, 'done')).toEqual({ kind: 'assigned' })
    expect((await read()).assignment).toBeNull()
    expect(await database.query('select person_name, ending from assignment order by at')).toEqual([
      { person_name: 'Ben Okafor', ending: 'given-on' },
      { person_name: 'Ana Ruiz', ending: 'done' },
    ])
  })

  test('what a person has is theirs, first due first', async () => {
    const invoice: Subject = { kind: 'invoice', connectionId: account, key: 'INV-1' }
    await give('Ana', 'Ben', { dueOn: '2026-05-31' })
    await give('Ana', 'Ben', { dueOn: '2026-04-30', subject: invoice })
    const { assignments } = await listMine(acme, idOf('Ben'))
    expect(assignments).toMatchObject([
      { subject: invoice, label: 'INV-1', byName: 'Ana of the test', dueOn: '2026-04-30' },
      { subject: line, label: 'Double room', dueOn: '2026-05-31' },
    ])
    await endAssignment(acme, as('Ana'), line, 'taken-back')
    expect((await listMine(acme, idOf('Ben'))).assignments).toHaveLength(1)
    expect(await listMine(acme, idOf('Ana'))).toEqual({ assignments: [], mentions: [] })
  })

  test('nobody has it who is not here, or may only look', async () => {
    expect(await give('Ana', 'Vera')).toEqual({ kind: 'not-allowed' })
    expect(await give('Ana', 'Bea')).toEqual({ kind: 'stranger' })
    expect(await give('Ana', 'Dora')).toEqual({ kind: 'stranger' })
    expect((await read()).assignment).toBeNull()
    const may = Object.fromEntries((await read()).people.map(({ name, mayHave }) => [name, mayHave]))
    expect(may).toEqual({ 'Ada Admin': true, 'Ana Ruiz': true, 'Ben Okafor': true, 'Vera Viewer': false })
  })

  test('nobody takes it away from somebody whom they have not seen', async () => {
    await give('Ana', 'Ben')
    expect(await give('Ana', 'Ana', { seen: null })).toEqual({ kind: 'changed' })
    expect(await endAssignment(acme, as('Ana'), line, 'taken-back', null)).toEqual({ kind: 'changed' })
    const seen = (await read()).assignment?.id ?? ''
    expect(await give('Ana', 'Ana', { seen })).toEqual({ kind: 'assigned' })
    expect((await read()).assignment?.personName).toBe('Ana Ruiz')
  })

  test('of several who give it at once one does, and one person has it', async () => {
    const given = await Promise.all(['Ana', 'Ben', 'Ana', 'Ben'].map((who) => give('Ana', who, { seen: null })))
    expect(given.filter(({ kind }) => kind === 'assigned')).toHaveLength(1)
    expect(await database.query('select from assignment where ended_at is null')).toHaveLength(1)
  })

  test('who has it and cannot sign in any more still stands there, and says so', async () => {
    await give('Ana', 'Ben')
    await database.query(`update app_user set disabled_at = now(), removed_at = now(), email = null where id = $1`, [
      idOf('Ben'),
    ])
    expect((await read()).assignment).toMatchObject({ personName: 'Ben Okafor', isHere: false })
    await database.query(
      `update app_user set disabled_at = null, removed_at = null, email = 'ben@example.com' where id = $1`,
      [idOf('Ben')],
    )
  })
})

describe('what is talked of', () => {
  const OF_ACME: Record<string, () => Subject> = {
    line: () => line,
    invoice: () => ({ kind: 'invoice', connectionId: account, key: 'INV-1' }),
    trip: () => ({ kind: 'trip', connectionId: null, key: `trip of ${acme}` }),
    'cost center': () => ({ kind: 'group', connectionId: null, key: 'cost_center=4100' }),
    vertical: () => ({ kind: 'group', connectionId: null, key: 'vertical=hotel' }),
    profile: () => ({ kind: 'group', connectionId: null, key: 'profile=profile-1' }),
    month: () => ({ kind: 'period', connectionId: account, key: '2026-03' }),
    'month of a profile': () => ({ kind: 'period', connectionId: account, key: '2026-03~profile-1' }),
  }

  test.each(Object.keys(OF_ACME))(
    'a %s that is there has one thread, which only its organization sees',
    async (name) => {
      const subject = OF_ACME[name]?.() as Subject
      expect((await read('Ana', subject)).messages).toEqual([])
      const said = await Promise.all(['One', 'Two'].map((text) => say('Ana', text, [], subject)))
      expect(said.map(({ kind }) => kind)).toEqual(['written', 'written'])
      expect((await read('Ana', subject)).messages).toHaveLength(2)
      expect(await database.query('select from thread')).toHaveLength(1)
      const ofBeta = await listThread(beta, { userId: idOf('Bea'), roles: ROLES }, subject)
      // a group by the same name is another one there
      expect(ofBeta?.messages ?? []).toEqual([])
      if (subject.connectionId !== null || subject.kind === 'trip') expect(ofBeta).toBeNull()
    },
  )

  test.each([
    ['a line that is not there', () => ({ ...line, key: 'line-9' })],
    ['another organization’s line', () => ({ ...line, connectionId: accountOfBeta })],
    ['another organization’s trip', () => ({ kind: 'trip' as const, connectionId: null, key: `trip of ${beta}` })],
    ['a group by no key', () => ({ kind: 'group' as const, connectionId: null, key: 'hotel' })],
    ['a cost center without lines', () => ({ kind: 'group' as const, connectionId: null, key: 'cost_center=9' })],
    ['a month without invoices', () => ({ kind: 'period' as const, connectionId: account, key: '2026-04' })],
  ])('nothing is said about %s, and nothing is kept of it', async (_, toSubject) => {
    const subject = toSubject()
    expect(await listThread(acme, { userId: idOf('Ana'), roles: ROLES }, subject)).toBeNull()
    expect(await say('Ana', 'Hello', [], subject)).toEqual({ kind: 'missing' })
    expect(await give('Ana', 'Ben', { subject })).toEqual({ kind: 'missing' })
    expect(await endAssignment(acme, as('Ana'), subject, 'done')).toEqual({ kind: 'missing' })
    expect(await database.query('select from thread')).toEqual([])
  })

  test('nobody edits or reads what is said in another organization', async () => {
    const made = await say('Ana', 'Ours @Ben Okafor', ['Ben'])
    if (made.kind !== 'written') throw new Error(made.kind)
    const intruder = { ...as('Bea'), userId: idOf('Ana') }
    expect(await editMessage(beta, intruder, made, { text: 'X', mentions: [] })).toEqual({ kind: 'gone' })
    await markRead(beta, idOf('Ben'), line)
    expect((await listMine(acme, idOf('Ben'))).mentions).toHaveLength(1)
    expect(await listMine(beta, idOf('Ben'))).toEqual({ assignments: [], mentions: [] })
  })

  test.each([
    ['line', 'line-1', null],
    ['line', 'line-1', 'no id'],
    ['trip', '7', '00000000-0000-4000-8000-000000000000'],
    ['trip', '7', 'no id'],
    ['trip', '', null],
    ['line', 'a\0b', '00000000-0000-4000-8000-000000000000'],
    ['period', '2026-13', '00000000-0000-4000-8000-000000000000'],
    ['period', '0000-01', '00000000-0000-4000-8000-000000000000'],
    ['period', '2026-01x', '00000000-0000-4000-8000-000000000000'],
  ] as const)('no words name a %s %j of %j', (kind, key, connection) => {
    expect(parseSubject(kind, key, connection)).toBeNull()
  })
})

test('one line says how many comments there are, how many name the reader unread, and who has it', async () => {
  expect(await getTalkHead(acme, idOf('Ben'), line)).toEqual({ messageCount: 0, unreadCount: 0, holder: null })
  await say('Ana', 'For @Ben Okafor', ['Ben'])
  await say('Ana', 'Nobody')
  await give('Ana', 'Ben')
  const holder = { id: idOf('Ben'), name: 'Ben Okafor' }
  expect(await getTalkHead(acme, idOf('Ben'), line)).toEqual({ messageCount: 2, unreadCount: 1, holder })
  expect(await getTalkHead(acme, idOf('Ana'), line)).toEqual({ messageCount: 2, unreadCount: 0, holder })
  expect(await getTalkHead(beta, idOf('Ben'), line)).toEqual({ messageCount: 0, unreadCount: 0, holder: null })
})

test('the audit says who wrote and gave what, how long it was, and never what it said', async () => {
  const [before] = await database.query<{ count: number }>(
    `select count(*)::int as count from audit_entry where action like 'comment.%' or action like 'review.%'`,
  )
  const made = await say('Ana', 'A secret for @Ben Okafor', ['Ben'])
  if (made.kind !== 'written') throw new Error(made.kind)
  await editMessage(acme, as('Ana'), made, { text: 'Another secret', mentions: [] })
  await editMessage(acme, as('Ana'), { ...made, version: 2 }, { text: 'Another secret', mentions: [] })
  await give('Ana', 'Ben', { dueOn: '2026-04-30' })
  await give('Ana', 'Ben', { dueOn: '2026-04-30' })
  await endAssignment(acme, as('Ben'), line, 'done')
  await endAssignment(acme, as('Ben'), line, 'done')
  const written = (await entries()).slice(before?.count)
  expect(JSON.stringify(written)).not.toContain('secret')
  expect(
    written.map(([action, actor, kind, id, was, is]) => [
      action,
      actor,
      kind,
      id,
      was && JSON.parse(was),
      JSON.parse(is ?? ''),
    ]),
  ).toEqual([
    [
      'comment.added',
      'ana@example.com',
      'line',
      'line-1',
      null,
      { message: made.id, characters: 24, mentions: 1, connection: account },
    ],
    [
      'comment.edited',
      'ana@example.com',
      'line',
      'line-1',
      { characters: 24 },
      { message: made.id, characters: 14, mentions: 0, connection: account },
    ],
    [
      'review.assigned',
      'ana@example.com',
      'line',
      'line-1',
      null,
      { person: 'ben@example.com', due: '2026-04-30', connection: account },
    ],
    [
      'review.unassigned',
      'ben@example.com',
      'line',
      'line-1',
      { person: 'Ben Okafor', due: '2026-04-30' },
      { ending: 'done', connection: account },
    ],
  ])
})

test('initials are the first letters of the first and the last word', () => {
  expect(['Katharina Vogt', 'Ana María Ruiz', 'cher', '(Bot) 7', '李 小龙', '—'].map(toInitials)).toEqual([
    'KV',
    'AR',
    'C',
    'B7',
    '李小',
    '?',
  ])
})
