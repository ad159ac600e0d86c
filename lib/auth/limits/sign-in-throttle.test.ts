import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { toChildEnvironment } from '#lib/env.ts'
import type { OrganizationId, UserId } from '#lib/ids.ts'
import { useRealCost } from '../test-support/test-cheap-passwords.ts'
import { type Browser, PASSWORD, startWorld, type World } from '../test-support/test-world.ts'

const PERSON = 'right.person@example.com'
const OTHER = 'other.person@example.com'
const ATTACKER = '198.51.100.66'

let world: World

beforeAll(async () => {
  world = await startWorld()
  for (const email of [PERSON, OTHER]) await world.addUser(email, 'finance')
})
afterAll(() => world.close())
beforeEach(async () => {
  await world.database.query('truncate throttle')
  world.logLines.length = 0
})

const guess = (browser: Browser, email = PERSON) => browser.signIn(email, 'a wrong guess')
const guesses = async (count: number, browser: Browser, email = PERSON) => {
  const statuses: number[] = []
  for (let i = 0; i < count; i++) statuses.push((await guess(browser, email)).status)
  return statuses
}
const hasSignedIn = (response: Response) =>
  response.status === 303 && response.headers.getSetCookie().some((line) => line.startsWith('tieout.session='))
const pass = (seconds: number) =>
  world.database.query('update throttle set counted_at = counted_at - make_interval(secs => $1)', [seconds])
/** From now on no time passes for what was counted, however long the test takes. */
const stopTime = () => pass(-3600)
/** As after a great many guesses. */
const exhaust = () => world.database.query(`update throttle set level = 100, counted_at = now() + interval '1 hour'`)
const readLog = () =>
  world.logLines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ msg }) => msg === 'sign-in refused')
const countRefusals = (why: string) => readLog().filter((line) => line.why === why).length

test('A18: the sixth wrong password is not checked: 429, how long to wait, and the way back', async () => {
  const attacker = world.browser(ATTACKER)
  expect(await guesses(5, attacker)).toEqual([303, 303, 303, 303, 303])
  await stopTime()
  const response = await attacker.post('/api/sign-in', {
    email: PERSON,
    password: PASSWORD,
    next: '/lines?page=2&trip=7',
  })
  expect([response.status, response.headers.get('retry-after')]).toEqual([429, '1'])
  expect(response.headers.getSetCookie()).toEqual([])
  expect(response.headers.get('cache-control')).toBe('private, no-store')
  const html = await response.text()
  const path = '/sign-in?error=wait&amp;seconds=1&amp;next=%2Flines%3Fpage%3D2%26trip%3D7'
  expect(html).toContain('There were too many attempts to sign in. Please wait one second and try again.')
  expect(html).toContain(`content="0; url=${path}"`)
  expect(html).toContain(`href="${path}"`)
  // nothing here needs a policy that allows inline scripts or styles
  expect(html).not.toMatch(/<script|<style|style=|\son\w+=/i)
  expect([countRefusals('wrong'), countRefusals('throttled')]).toEqual([5, 1])
})

test('A18: each further try waits twice as long; trying meanwhile does not prolong it, and time heals it', async () => {
  const attacker = world.browser(ATTACKER)
  await guesses(5, attacker)
  for (const seconds of [1, 2, 4, 8]) {
    await stopTime()
    for (let i = 0; i < 3; i++) expect((await guess(attacker)).headers.get('retry-after')).toBe(String(seconds))
    await pass(3600 + seconds)
    expect((await guess(attacker)).status).toBe(303)
  }
  await pass(24 * 3600)
  expect(await guesses(5, attacker)).toEqual([303, 303, 303, 303, 303])
})

test('A18: an unknown address is counted and answered like one with an account', async () => {
  const replies: unknown[] = []
  for (const [email, address] of [
    [PERSON, '198.51.100.1'],
    ['nobody@example.com', '198.51.100.2'],
  ] as const) {
    const browser = world.browser(address)
    const seen: unknown[] = []
    for (let i = 0; i < 7; i++) {
      await stopTime()
      const response = await guess(browser, email)
      seen.push([response.status, [...response.headers], await response.text()])
    }
    // the form keeps what was typed: nothing else tells the two apart
    replies.push(JSON.stringify(seen).replaceAll(encodeURIComponent(email), 'typed'))
  }
  expect(replies[0]).toEqual(replies[1])
  expect(await world.database.query(`select kind, round(level) as level from throttle order by 1, 2`)).toEqual(
    ['account', 'network', 'pair'].flatMap((kind) => [5, 5].map((level) => ({ kind, level }))),
  )
})

test('A18: guesses from another network do not lock out someone who knows the password', async () => {
  await guesses(6, world.browser(ATTACKER))
  await stopTime()
  expect((await world.browser(ATTACKER).signIn(PERSON)).status).toBe(429)
  expect(hasSignedIn(await world.browser('198.51.100.7').signIn(PERSON))).toBe(true)
})

test('A18: guesses from everywhere, even the same network, do not lock out a browser that signed in before', async () => {
  const known = world.browser(ATTACKER)
  await known.signIn(PERSON)
  await guess(world.browser(ATTACKER))
  await exhaust()
  expect((await world.browser(ATTACKER).signIn(PERSON)).status).toBe(429)
  expect((await world.browser('198.51.100.250').signIn(PERSON)).status).toBe(429)
  expect(hasSignedIn(await known.signIn(PERSON))).toBe(true)
})

test('A18: a browser known to an account gets no more guesses at it, and guesses at others like a stranger', async () => {
  const known = world.browser(ATTACKER)
  await known.signIn(PERSON)
  for (const email of [PERSON, OTHER]) {
    expect(await guesses(5, known, email)).toEqual([303, 303, 303, 303, 303])
    await stopTime()
    expect(await guesses(2, known, email)).toEqual([429, 429])
  }
})

test.each([
  ['made up', (value: string) => `x${value}`],
  ['dated later', (value: string) => value.replace(/\d{13}/, (until) => String(Number(until) + 1))],
  ['without its seal', (value: string) => value.replace(/[^.]*$/, '')],
  ['of nobody', () => ''],
])('A18: a known-browser cookie that is %s is worth nothing', async (_, change) => {
  const forger = world.browser(ATTACKER)
  await forger.signIn(PERSON)
  await guess(world.browser(ATTACKER))
  await exhaust()
  const [name = '', cookie] = [...forger.cookies].find(([each]) => each.startsWith('tieout.browser.')) ?? []
  forger.cookies.set(name, { path: '/', value: change(cookie?.value ?? '') })
  expect((await forger.signIn(PERSON)).status).toBe(429)
})

test('A18: a browser stays known for half a year, and two people may share one', async () => {
  const { readKnownBrowser } = await import('../sign-in/known-browser.ts')
  const { toThrottleHash } = await import('./sign-in-throttle.ts')
  const shared = world.browser()
  await shared.signIn(PERSON)
  await shared.signIn(OTHER)
  const cookies = new Map([...shared.cookies].map(([name, { value }]) => [name, decodeURIComponent(value)]))
  const accounts = [PERSON, OTHER].map((email) => toThrottleHash('account', email))
  const now = Date.now()
  for (const account of accounts) {
    expect(readKnownBrowser(cookies, account, new Date(now + 179 * 86_400_000))).toMatch(/^[\w-]{43}$/)
    expect(readKnownBrowser(cookies, account, new Date(now + 181 * 86_400_000))).toBe(null)
  }
  // one person's cookie under the other's name
  const names = [...cookies.keys()].filter((name) => name.startsWith('tieout.browser.'))
  const swapped = new Map(names.map((name, i) => [name, cookies.get(names[1 - i] ?? '') ?? '']))
  for (const account of accounts) expect(readKnownBrowser(swapped, account, new Date(now))).toBe(null)
})

test('A18: the right password resets the account’s count for that network, and keeps guesses at other accounts', async () => {
  const office = world.browser('198.51.100.9')
  await guesses(4, office)
  await guesses(3, office, OTHER)
  expect(hasSignedIn(await office.signIn(PERSON))).toBe(true)
  const levels = await world.database.query<{ kind: string; level: number }>(
    `select kind, ceil(level) as level from throttle where ceil(level) > 0 order by 1, 2`,
  )
  // of eight tries the seven wrong ones; the pair that signed in is gone
  expect(levels).toEqual([
    { kind: 'account', level: 3 },
    { kind: 'account', level: 4 },
    { kind: 'network', level: 7 },
    { kind: 'pair', level: 3 },
  ])
})

test('A18: rows and log lines name neither person nor address, and each refusal logs one line', async () => {
  const browser = world.browser(ATTACKER)
  await guesses(5, browser)
  await stopTime()
  await guess(browser)
  await guess(world.browser(ATTACKER), 'nobody@example.com')
  await browser.signIn(OTHER)
  const stored = JSON.stringify(await world.database.query('select * from throttle'))
  const logged = world.logLines.join('\n')
  for (const secret of [PERSON, 'nobody@', ATTACKER, 'a wrong guess', PASSWORD]) {
    expect(stored).not.toContain(secret)
    expect(logged).not.toContain(secret)
  }
  expect(readLog()).toHaveLength(7)
  const [first, ...others] = readLog()
  expect(first).toMatchObject({ why: 'wrong', account: expect.stringMatching(/^[\w-]{12}$/), isKnownBrowser: false })
  expect(new Set(others.map(({ account, network }) => `${account} ${network}`)).size).toBe(2)
})

test('A18: of many strangers at once one is checked, twenty wait, the rest are told to, and those gone are skipped', async () => {
  // a queue forms only where a password takes its time
  useRealCost()
  const client = new AbortController()
  const toldToWait: number[] = []
  const attempts = Array.from({ length: 30 }, async (_, i) => {
    const browser = world.browser(`198.51.101.${i}`)
    // unknown addresses: as slow as real ones
    const response = await browser.post('/api/sign-in', { email: `${i}@example.com`, password: 'x' }, {}, client.signal)
    if (response.status === 429) toldToWait.push(Number(response.headers.get('retry-after')))
  })
  await expect.poll(() => countRefusals('busy'), { timeout: 20_000 }).toBe(9)
  // whichever came last: those that asked at once may arrive in any order
  await expect.poll(() => toldToWait.length).toBe(9)
  expect(Math.min(...toldToWait)).toBeGreaterThan(0)
  // all of them leave: those still waiting are not checked
  client.abort()
  await Promise.allSettled(attempts)
  expect(countRefusals('gone') + countRefusals('wrong')).toBe(21)
  expect(countRefusals('wrong')).toBeLessThan(10)
})

test('A18: a person in a known browser does not queue with the strangers', async () => {
  // a queue forms only where a password takes its time
  useRealCost()
  const known = world.browser()
  await known.signIn(PERSON)
  const client = new AbortController()
  const strangers = Array.from({ length: 22 }, (_, i) =>
    world
      .browser(`198.51.102.${i}`)
      .post('/api/sign-in', { email: `${i}@example.com`, password: 'x' }, {}, client.signal),
  )
  await expect
    .poll(async () => (await world.database.query(`select from throttle where kind = 'pair'`)).length, {
      timeout: 20_000,
    })
    .toBe(22)
  expect(hasSignedIn(await known.signIn(PERSON))).toBe(true)
  expect(countRefusals('wrong')).toBeLessThan(10)
  client.abort()
  await Promise.allSettled(strangers)
})

test('A18: two processes counting at once let no more through than one', async () => {
  // the next try may be made now, the one after it in a quarter of an hour
  await world.database.query(
    `insert into throttle values ('pair', 'somebody somewhere', 14, now() - interval '10 minutes')`,
  )
  const program = fileURLToPath(new URL('../test-support/test-throttle-process.ts', import.meta.url))
  const env = toChildEnvironment({ DATABASE_URL: world.database.urls.web })
  const processes = [1, 2].map(() => {
    const args = ['--import', 'tsx', program, 'somebody', 'somewhere', '25']
    const child = spawn(process.execPath, args, { env, stdio: ['pipe', 'pipe', 'inherit'] })
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    return { child, next: async () => String((await lines.next()).value) }
  })
  for (const { next } of processes) expect(await next()).toBe('ready')
  for (const { child } of processes) child.stdin.write('go\n')
  const passed = await Promise.all(processes.map(({ next }) => next()))
  expect(passed.reduce((sum, count) => sum + Number(count), 0)).toBe(1)
})

test('A18: counting and forgetting at once never deadlock', async () => {
  const { countAttempt, forgetAttempt } = await import('./sign-in-throttle.ts')
  const who = (i: number) => ({ account: `a${i % 3}`, network: `n${i % 2}`, browser: null })
  // each round begins without rows: some appear between two statements of another
  for (let round = 0; round < 40; round++) {
    await world.database.query('delete from throttle')
    await Promise.all(
      Array.from({ length: 40 }, (_, i) => (i % 4 === 0 ? forgetAttempt(who(i)) : countAttempt(who(i)))),
    )
  }
  expect(await world.database.query('select from throttle where level < 0')).toEqual([])
})

test('the next attempts delete rows that no longer count, and only those', async () => {
  await world.database.query(
    `insert into throttle select 'pair', 'old ' || n, 1, now() - interval '25 hours' from generate_series(1, 30) n
     union all select 'pair', 'young', 1, now() - interval '23 hours'`,
  )
  const { countAttempt } = await import('./sign-in-throttle.ts')
  for (const account of ['a', 'b']) await countAttempt({ account, network: 'n', browser: null })
  const left = await world.database.query<{ key: string }>(`select key from throttle where key ~ '^(old|young)'`)
  expect(left).toEqual([{ key: 'young' }])
})

test('a database that is away is not a wrong password', async () => {
  await world.database.query('alter table throttle rename to away')
  const response = await world.browser().signIn(PERSON)
  await world.database.query('alter table away rename to throttle')
  expect(response.headers.get('location')).toBe('/sign-in?error=unavailable')
  expect(world.logLines.join()).toContain('signing in failed')
})

test('A17: a password changed while the old one is being checked starts no session', async () => {
  const { startSession } = await import('../sessions.ts')
  const [user] = await world.database.query<{ organizationId: OrganizationId; userId: UserId; passwordHash: string }>(
    `select organization_id as "organizationId", id as "userId", password_hash as "passwordHash" from app_user where email = $1`,
    [PERSON],
  )
  const verified = user ?? { organizationId: '', userId: '', passwordHash: '' }
  await expect(startSession({ ...verified, passwordHash: 'the one before' }, new Date())).rejects.toThrow(
    'was changed after the password was checked',
  )
  await startSession(verified, new Date())
  await world.database.query('update app_user set disabled_at = now() where email = $1', [PERSON])
  await expect(startSession(verified, new Date())).rejects.toThrow('was changed after the password was checked')
  await world.database.query('update app_user set disabled_at = null where email = $1', [PERSON])
})

test.each([
  ['1', 'one second'],
  ['40', '40 seconds'],
  ['91', '2 minutes'],
  ['900', '15 minutes'],
  ['-1', 'a moment'],
  ['1e9', 'a moment'],
  ['<script>', 'a moment'],
  [undefined, 'a moment'],
])('the form says in words how long to wait: %s is %s', async (seconds, words) => {
  const { toWaitText } = await import('#lib/http/wait-reply.ts')
  expect(toWaitText(seconds)).toBe(`There were too many attempts to sign in. Please wait ${words} and try again.`)
})

test('who waits with a link or a new password is told of attempts, not of signing in', async () => {
  const { readMessage } = await import('../account/words.ts')
  expect(readMessage({ error: 'password-wait', seconds: '42' })?.text).toBe(
    'There were too many attempts. Please wait 42 seconds and try again.',
  )
})
