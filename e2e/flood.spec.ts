/** Somebody who asks for far too much, over real HTTP against the production web server. */
import type { Response } from '@playwright/test'
import { expect, KEPT_ALIVE, takeSession, test } from './fixtures.ts'

test.use({ appOptions: { settings: { REQUEST_BUDGET_FACTOR: '1' } } })

/** More than the burst of every kind of request. */
const FLOOD = 150

test('A18: floods of pages and answers get 429 with a time, and everybody else is answered', async ({
  page,
  app,
  signIn,
  browser,
}) => {
  test.setTimeout(180_000)
  await signIn(page)
  const copied = 'organization_id, password_hash, role'
  await app.query(
    `insert into app_user (email, name, ${copied}) select 'calm@example.com', 'Calm', ${copied} from app_user`,
  )
  const calm = await browser.newPage({ baseURL: app.appUrl })
  await takeSession(calm, app, 'calm@example.com')
  await calm.goto('/')
  await expect(calm.getByRole('link', { name: 'Overview' })).toBeVisible()

  // the last two have their budget together with lists
  for (const [path, atLeast] of [
    ['/connections', 30],
    ['/api/lines', 30],
    ['/api/filter-options?filter=trips&q=x', 30],
    ['/api/groups?by=trip', 0],
    ['/api/summaries?by=month', 0],
  ] as const) {
    const replies = await Promise.all(Array.from({ length: FLOOD }, () => page.request.get(path, KEPT_ALIVE)))
    const refused = replies.filter((reply) => reply.status() === 429)
    expect(refused.length, path).toBeGreaterThan(0)
    expect(
      replies.filter((reply) => ![200, 429].includes(reply.status())),
      path,
    ).toEqual([])
    expect(replies.length - refused.length, path).toBeGreaterThanOrEqual(atLeast)
    for (const reply of refused) expect(Number(reply.headers()['retry-after']), path).toBeGreaterThan(0)
    expect((await calm.request.get(path, KEPT_ALIVE)).status(), path).toBe(200)
  }

  let told: Response | null = null
  await expect
    .poll(async () => {
      await Promise.all(Array.from({ length: FLOOD }, () => page.request.get('/connections', KEPT_ALIVE)))
      told = await page.goto('/connections')
      return told?.status()
    })
    .toBe(429)
  expect((told as Response | null)?.headers()).toMatchObject({
    'cache-control': 'private, no-store',
    'x-frame-options': 'DENY',
  })
  await expect(page.getByText('There were too many requests from your account or network.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Connections' }), 'comes back by itself').toBeVisible()
  await calm.goto('/lines')
  await expect(calm.getByRole('heading', { name: 'Lines', exact: true })).toBeVisible()
  await calm.close()
})
