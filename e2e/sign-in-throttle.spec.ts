import { readFileSync } from 'node:fs'
import http from 'node:http'
import { expect, test } from './fixtures.ts'
import type { App } from './start-app.ts'

const GUESSES = 200
/** Anything below this is not slow, however quick it was before. */
const QUICK_MS = 2_000

type Reply = { status: number; cookie: string; retryAfter: string | undefined }

/** One request on a new socket, from a loopback address. */
function send(
  app: App,
  options: http.RequestOptions,
  body?: string,
): { sent: http.ClientRequest; reply: Promise<Reply> } {
  const sent = http.request({ host: '127.0.0.1', port: new URL(app.appUrl).port, agent: false, ...options })
  const reply = new Promise<Reply>((resolve, reject) => {
    sent.once('error', reject)
    sent.once('response', (response) => {
      const cookie = (response.headers['set-cookie'] ?? []).map((line) => line.split(';')[0]).join('; ')
      response.resume()
      response.once('end', () =>
        resolve({ status: response.statusCode ?? 0, cookie, retryAfter: response.headers['retry-after'] }),
      )
    })
  })
  sent.end(body)
  return { sent, reply }
}

function signIn(app: App, email: string, password: string, localAddress: string, headers: Record<string, string> = {}) {
  const form = { 'content-type': 'application/x-www-form-urlencoded', origin: app.appUrl, ...headers }
  const options = { method: 'POST', path: '/api/sign-in', localAddress, headers: form }
  return send(app, options, new URLSearchParams({ email, password }).toString())
}

/** Counts the refusals in the web server's log, by reason. */
function countRefusals(app: App): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const text of readFileSync(app.logFiles.web, 'utf8').split('\n')) {
    if (!text.includes('sign-in refused')) continue
    const line = JSON.parse(text) as { why: string; turnedAway?: number }
    counts[line.why] = (counts[line.why] ?? 0) + (line.turnedAway ?? 1)
  }
  return counts
}

/** Times one read after another, in milliseconds, until `isOver`. */
async function readLines(app: App, cookie: string, isOver: (reads: number) => boolean): Promise<number[]> {
  const times: number[] = []
  while (!isOver(times.length)) {
    const begin = performance.now()
    const { status } = await send(app, { path: '/api/lines', headers: { cookie } }).reply
    expect(status).toBe(200)
    times.push(performance.now() - begin)
  }
  return times.sort((a, b) => a - b)
}

const p95 = (sorted: number[]) => sorted[Math.floor(sorted.length * 0.95)] ?? 0

test('A18: of 200 guesses at once only a handful is checked, the others get 429, and signed-in users keep working', async ({
  app,
}) => {
  const user = await signIn(app, app.adminEmail, app.adminPassword, '127.0.0.2').reply
  expect([user.status, user.cookie]).toEqual([303, expect.stringContaining('tieout.session=')])
  await readLines(app, user.cookie, (reads) => reads === 10)
  const quiet = await readLines(app, user.cookie, (reads) => reads === 40)
  let answered = 0
  const guesses = Array.from({ length: GUESSES }, async (_, i) => {
    // a header that anybody can send does not make it another network
    const spoofed = { 'x-forwarded-for': `198.51.100.${i}`, 'x-real-ip': `198.51.100.${i}` }
    const { status, retryAfter } = await signIn(app, 'nobody@example.com', `guess ${i}`, '127.0.0.3', spoofed).reply
    answered += 1
    return { status, seconds: Number(retryAfter ?? 0) }
  })
  const busy = await readLines(app, user.cookie, (reads) => answered === GUESSES && reads >= 20)
  const replies = await Promise.all(guesses)
  const throttled = replies.filter(({ status }) => status === 429)
  // a slow machine may let another through when its second has passed
  expect(throttled.length).toBeGreaterThanOrEqual(GUESSES - 8)
  expect(throttled.every(({ seconds }) => seconds >= 1 && seconds <= 900)).toBe(true)
  expect(replies.filter(({ status }) => status !== 429 && status !== 303)).toEqual([])
  const { wrong = 0, throttled: refused = 0, flood = 0, ...others } = countRefusals(app)
  expect(wrong).toBeGreaterThan(0)
  expect(wrong).toBeLessThanOrEqual(8)
  // most do not reach the counts in the database
  expect(wrong + refused).toBeLessThanOrEqual(20)
  expect(flood).toBeGreaterThan(0)
  expect(others).toEqual({})
  expect(p95(busy)).toBeLessThan(Math.max(2 * p95(quiet), QUICK_MS))
})

test('A18: guesses whose client is gone are not checked, and the right person signs in beside them', async ({
  app,
}) => {
  const known = await signIn(app, app.adminEmail, app.adminPassword, '127.0.0.2').reply
  const before = countRefusals(app)
  const since = (why: string) => (countRefusals(app)[why] ?? 0) - (before[why] ?? 0)
  const guesses = Array.from({ length: 60 }, (_, i) => signIn(app, `${i}@example.com`, 'a guess', `127.0.4.${i + 1}`))
  let refused = 0
  for (const { reply } of guesses)
    reply.then(
      ({ status }) => {
        if (status === 429) refused += 1
      },
      () => undefined,
    )
  // one is checked and twenty wait; the others are refused at the door or behind it
  await expect.poll(() => refused, { timeout: 60_000 }).toBeGreaterThanOrEqual(30)
  const headers = { cookie: known.cookie }
  const person = await signIn(app, app.adminEmail, app.adminPassword, '127.0.0.2', headers).reply
  expect([person.status, person.cookie]).toEqual([303, expect.stringContaining('tieout.session=')])
  for (const { sent } of guesses) sent.destroy()
  await expect.poll(() => since('gone'), { timeout: 60_000 }).toBeGreaterThan(0)
  await expect.poll(() => since('gone') + since('wrong'), { timeout: 60_000 }).toBeGreaterThanOrEqual(60 - refused)
  expect(since('gone') + since('wrong')).toBeLessThanOrEqual(30)
})

test('a person who has tried too often reads on the form how long to wait', async ({ page, app }) => {
  const tryIn = async (password: string) => {
    await page.getByLabel('Email').fill(app.adminEmail)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
  }
  await page.goto('/sign-in?next=%2Fgroups')
  await tryIn('not the password')
  await expect(page.getByText('do not match')).toBeVisible()
  await app.query(`update throttle set level = 100, counted_at = now() + interval '1 hour'`)
  await tryIn(app.adminPassword)
  await expect(page.getByText('Please wait 15 minutes and try again.')).toBeVisible()
  await expect(page).toHaveURL(/\/sign-in\?error=wait/)
  await app.query('delete from throttle')
  await tryIn(app.adminPassword)
  await expect(page).toHaveURL(new RegExp(`^${app.appUrl}/groups\\?period=`))
})
