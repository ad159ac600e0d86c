import { expect, test } from './fixtures.ts'
import {
  expectGoodLooks,
  expectPlatformTotals,
  figure,
  openConnection,
  panel,
  readFirst,
  SCREENS,
} from './sync-screen.ts'

const LINES = 6_000
const OF_ALL = LINES.toLocaleString('en')

/**
 * An account of sixty pages at a speed that a person can follow; coverage.spec.ts tells how a gap
 * in the calendar is filled.
 */
test.use({
  appOptions: { size: { kind: 'huge', lines: LINES }, settings: { PARTNER_CALLS_PER_SECOND: '10' } },
})

test('shows a backfill live, keeps its place while paused by keyboard, ends at the platform’s own totals, and asks before canceling', async ({
  page,
  app,
  signIn,
  connectAccount,
}) => {
  test.setTimeout(240_000)
  await signIn(page)
  await connectAccount(page)
  await openConnection(page)

  // counts grow without a reload, with pace and time left
  await expect(figure(page, 'Lines')).toHaveText(new RegExp(`^[\\d,]+ of ${OF_ALL}$`))
  const early = await readFirst(figure(page, 'Lines'))
  await expect.poll(() => readFirst(figure(page, 'Lines'))).toBeGreaterThan(early)
  await expect(figure(page, 'Invoices')).toHaveText('120 of 120')
  await expect(figure(page, 'Profiles')).toHaveText('4 of 4')
  await expect(figure(page, 'Speed')).toHaveText(/^[\d,]+ lines a second$/)
  await expect(figure(page, 'Time left')).toHaveText(/^(about|a few|finishing)/)
  await expect(panel(page)).toContainText(/Reading lines issued (in|since|until) [A-Z]/)

  // by keyboard alone: one button pauses and resumes, and keeps the focus
  const pause = panel(page).getByRole('button', { name: 'Pause' })
  await pause.focus()
  await page.keyboard.press('Enter')
  const resume = panel(page).getByRole('button', { name: 'Resume' })
  await expect(resume).toBeFocused()
  await expect(panel(page)).toContainText(/First import paused by Admin/)
  const atPause = (await figure(page, 'Lines').textContent()) ?? ''
  const share = Number(await panel(page).getByRole('progressbar').getAttribute('aria-valuenow'))
  expect(share).toBeGreaterThan(0)
  expect(share).toBeLessThan(100)
  await page.reload()
  await expect(panel(page)).toContainText(/First import paused by Admin/)
  await expect(figure(page, 'Lines')).toHaveText(atPause)
  await expectGoodLooks(page)

  // canceling asks first: the focus enters the dialog, and Escape returns it
  const cancel = panel(page).getByRole('button', { name: 'Cancel sync…' })
  const question = page.getByRole('alertdialog', { name: 'Cancel this sync?' })
  await cancel.focus()
  await page.keyboard.press('Enter')
  await expect(question).toContainText('What has arrived stays; the next sync reads the rest.')
  await expect(question.getByRole('button', { name: 'Keep it paused' })).toBeFocused()
  await expectGoodLooks(page)
  await page.keyboard.press('Escape')
  await expect(question).toBeHidden()
  await expect(cancel).toBeFocused()
  await expect(panel(page)).toContainText(/First import paused by Admin/)

  await resume.focus()
  await page.keyboard.press('Enter')
  await expect(panel(page)).toContainText('First import is running')
  await expect(panel(page).getByRole('button', { name: 'Pause' })).toBeFocused()
  await expectGoodLooks(page, SCREENS.slice(0, 1))
  await expect(panel(page)).toContainText('First import finished', { timeout: 60_000 })
  await expect(panel(page).getByRole('button', { name: 'Sync now' })).toBeFocused()

  const [between] = await app.query(
    `select count(*)::int as pages from sync_page where committed_at > (select happened_at from connection_event where kind = 'sync_paused')
       and committed_at < (select happened_at from connection_event where kind = 'sync_continued')`,
  )
  expect(between, 'no page was stored while the backfill was paused').toEqual({ pages: 0 })
  const [run] = await app.query('select lines_received, duplicate, rejected from sync_run')
  expect(run, 'no page was read twice').toEqual({ lines_received: LINES, duplicate: 0, rejected: 0 })
  await expectPlatformTotals(page, app, 'nordlicht')

  // cancels a verification: what had arrived stays, and the focus moves to the next action
  const verify = async () => {
    await panel(page).getByRole('button', { name: 'Run full check' }).click()
    await expect(panel(page)).toContainText('Full check is running')
    await expect(cancel).toBeEnabled()
    // moving counts show that the page is alive
    await expect(figure(page, 'Lines')).toHaveText(new RegExp(`^[1-9][\\d,]* of ${OF_ALL}$`))
  }
  await openConnection(page)
  await verify()
  await cancel.focus()
  await page.keyboard.press('Enter')
  await expect(question).toContainText('pause it instead')
  await page.keyboard.press('Tab')
  await expect(question.getByRole('button', { name: 'Cancel sync' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(question).toBeHidden()
  await expect(panel(page)).toContainText(/Full check canceled by Admin/)
  await expect(panel(page)).toContainText('What had arrived is kept.')
  await expect(panel(page).getByRole('button', { name: 'Sync now' })).toBeFocused()

  // a sync that ends closes the open dialog
  await verify()
  await cancel.click()
  await expect(question).toBeVisible()
  await app.query(
    `update sync_run set status = 'canceled', fence = fence + 1, finished_at = now() where status = 'running'`,
  )
  await expect(question).toBeHidden()
  await expect(panel(page).getByRole('button', { name: 'Sync now' })).toBeFocused()
  await expectPlatformTotals(page, app, 'nordlicht')
})
