import type { Account } from '#lib/sandbox/data/account.ts'
import { toUnits } from './csv.ts'
import { expect, test } from './fixtures.ts'
import { readEquations } from './screen.ts'
import { expectGoodLooks, readAgain } from './sync-screen.ts'

/** Takes a line off the platform. */
function takeAway(platform: Account, id: string): void {
  for (const { lines } of [...platform.front, ...platform.story, ...platform.back]) {
    const at = lines.findIndex(({ wire }) => String(wire.id) === id)
    if (at < 0) continue
    lines.splice(at, 1)
    platform.revision += 1
    return
  }
  throw new Error(`no line ${id}`)
}

test('from a moment to now in one click: each part of the bridge opens its lines, and other moments are typed', async ({
  page,
  app,
  readAccount,
}) => {
  test.setTimeout(240_000)
  await readAccount(page)
  const lines = (await app.query(
    `select l.id, l.total_amount::text as total, l.description, l.trip_id as trip, p.raw::json -> 'metadata' as metadata from line l
     join line_payload p on p.line_id = l.id
     where l.currency = 'EUR' and l.finding_count = 0 and l.quantity = 1 and l.total_amount > 10 and l.id not like 'sha256:%'
       and l.trip_id is not null and l.cost_center is not null
     order by l.expense_date, l.id limit 3`,
  )) as { id: string; total: string; description: string; trip: string; metadata: Record<string, unknown> }[]
  const [changed, gone, moved] = lines as [(typeof lines)[0], (typeof lines)[0], (typeof lines)[0]]
  const [signed] = await app.query(
    `select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at`,
  )
  const account = app.sandbox.state().requireAccount('nordlicht')
  const { mutations } = app.sandbox.state()
  const untaxed = { non_taxable_unit_price: '0.00', tax_percentage: '0', tax_amount: '0.00' }
  mutations.updateLine(account, changed.id, { ...untaxed, unit_price: '1.25', total_amount: '1.25' })
  mutations.updateLine(account, moved.id, { metadata: { ...moved.metadata, cost_center: '9999' } })
  takeAway(account, gone.id)
  app.sandbox.state().issueInvoice('nordlicht', { lines: 3, position: 'front' })
  const [connection] = await app.query('select id from connection')
  await readAgain(page, app, connection?.id)

  // as a sign-off links to it
  await page.goto(`/changes?from=${signed?.at}&to=now`)
  await expect(page).toHaveURL(/\/changes\/bridge\?/)
  const euro = (await readEquations(page, 'Bridge')).find(({ currency }) => currency === 'EUR')
  const [start = 0n, ...rest] = (euro?.figures ?? []).map((figure) => figure ?? 0n)
  const end = rest.pop()
  expect(start + rest.reduce((sum, part) => sum + part, 0n)).toBe(end)
  expect(rest.slice(2, 4)).toEqual([toUnits('1.25') - toUnits(changed.total), -toUnits(gone.total)])
  await expectGoodLooks(page)

  const bridge = page.getByRole('table', { name: 'Bridge' }).getByRole('row', { name: /^EUR/ })
  const rows = page.locator('table.changes tbody tr')
  await bridge.locator('[data-name="Gone"] a').press('Enter')
  await expect(page).toHaveURL(/part=gone/)
  await expect(rows).toHaveCount(1)
  await expect(rows).toContainText(gone.description)
  await expect(rows).toContainText(`−${gone.total} EUR`)
  await bridge.locator('[data-name="Changed"] a').press('Enter')
  await expect(page).toHaveURL(/part=changed/)
  await expect(rows).toHaveCount(1)
  await expect(rows).toContainText('1.25')
  await expectGoodLooks(page)

  // a cost center: what went there entered it
  await page.goto(`/changes/bridge?cost_center=9999&from=${signed?.at}&to=now&part=moved`)
  await expect(rows).toHaveCount(1)
  await expect(rows).toContainText(moved.description)
  await expect(rows).toContainText(`${moved.metadata.cost_center} → 9999`)

  // a trip's page leads to its own; other moments are typed
  await page.goto(`/trips/${encodeURIComponent(gone.trip)}`)
  await page.getByRole('link', { name: 'Bridge…' }).click()
  await expect(page).toHaveURL(new RegExp(`bridge\\?trip=${gone.trip}`))
  const typed = page.getByRole('form', { name: 'Two moments' })
  await typed.getByLabel('From').fill('2026-01-02T03:04:05')
  await typed.getByLabel('From').press('Enter')
  await expect(page).toHaveURL(/from=2026-01-02T03%3A04%3A05\.000Z&to=now/)
  await expect(page.getByRole('main')).toContainText('from Jan 2, 2026, 3:04:05 AM to now')
})
