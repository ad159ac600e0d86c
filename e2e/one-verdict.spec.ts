/** One fact, one verdict: an invoice and a line of each state, wherever they stand. */
import type { Locator, Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { openPlainly } from './screen.ts'
import { expectGoodLooks } from './sync-screen.ts'

test.describe.configure({ mode: 'serial' })

/** The state that a place shows; what ties out has a word and no mark. */
async function readState(place: Locator): Promise<string> {
  const marked = place.locator('[data-state]').first()
  if ((await marked.count()) > 0) return (await marked.getAttribute('data-state')) ?? ''
  return /ties out/i.test((await place.textContent()) ?? '') ? 'ties_out' : 'none'
}

/** The text of a figure in the head of an invoice's page. */
const figure = (page: Page, name: string) =>
  page
    .locator('dl > div')
    .filter({ has: page.getByText(name, { exact: true }) })
    .locator('dd')

const STATE = 'line_state(finding_codes, explained_codes, reason_codes, difference, tax_difference, currency)'

/** The beginning of what an invoice in each state says of itself. */
const INVOICES = {
  ties_out: /^ties out$/,
  explained: /^ties out, \+45\.00 explained$/,
  unexplained: /^\+120\.00 unexplained$/,
  not_imported: /^1 line not imported, /,
} as const

test('an invoice of each state says it in the same words and by the same mark in the list, on its page and by its filter', async ({
  page,
  app,
  readAccount,
}) => {
  test.setTimeout(240_000)
  await readAccount(page)
  const adding = await app.query(
    `select connection_id as account, serial_number as serial from invoice i
     where currency = 'EUR' and serial_number like 'INV-%' and credit_used is not distinct from 0 and total > 200 and missing_since is null
       and not exists (select from rejected_line r where r.invoice_serial_number = i.serial_number)
       and not exists (select from line l where l.invoice_serial_number = i.serial_number and l.finding_count > 0)
       and total = (select sum(total_amount) from line l where l.invoice_serial_number = i.serial_number)
     order by serial_number limit 3`,
  )
  const [tied, explained, unexplained] = adding
  const [aside] = await app.query(
    `select connection_id as account, invoice_serial_number as serial from rejected_line where stated_total is not null order by 2 limit 1`,
  )
  // the credit was used, and the total still has it
  await app.query(`update invoice set credit_used = 45 where serial_number = '${explained?.serial}'`)
  await app.query(`update invoice set total = total + 120 where serial_number = '${unexplained?.serial}'`)
  const invoices = { ties_out: tied, explained, unexplained, not_imported: aside }
  await page.goto(`/invoices/${tied?.account}/${tied?.serial}`)
  const plain = await openPlainly(page)
  for (const [state, words] of Object.entries(INVOICES)) {
    const { account, serial } = invoices[state as keyof typeof INVOICES] ?? {}
    const said: [place: string, state: string][] = []
    await plain.goto(`/invoices?q=${serial}&check=${state}`)
    const row = plain.locator('tr[data-row]')
    await expect(row, `${serial} by its filter`).toHaveCount(1)
    const cell = row.locator('td.col-tie_out')
    await expect(cell, serial as string).toHaveText(words)
    const text = await cell.textContent()
    said.push(['list', await readState(cell)])
    await plain.goto(`/invoices/${account}/${serial}`)
    await expect(figure(plain, 'Tie-out')).toContainText(text ?? '?')
    said.push(['head', await readState(figure(plain, 'Tie-out'))])
    const headline = plain.getByRole('region', { name: 'Tie-out', exact: true }).locator('p').first()
    await expect(headline).toContainText(new RegExp(`^${(text ?? '?').replaceAll(/[+.]/g, '\\$&')}`, 'i'))
    said.push(['page', await readState(headline)])
    expect(said).toEqual(said.map(([place]) => [place, state]))
  }
  await plain.context().close()
  // the looks of the other two are those of tie-out.spec.ts
  await expectGoodLooks(page)
  await page.goto(`/invoices/${explained?.account}/${explained?.serial}`)
  await expectGoodLooks(page)
})

test('a month says how many of its invoices are in which state, and needs name the unexplained one first', async ({
  page,
  app,
  signIn,
}) => {
  await signIn(page)
  await page.goto('/')
  const needs = page.getByRole('region', { name: 'Needs attention' }).getByRole('listitem')
  await expect(needs.first()).toContainText('120.00 EUR above its lines')
  await expect(needs.filter({ hasText: '1 invoice differs, reason known' })).toContainText('EUR 45.00')
  const order = await needs.locator('.mark').evaluateAll((marks) => marks.map((mark) => mark.classList[1]))
  const worst = ['mark-failed', 'mark-partial', 'mark-not-imported', 'mark-removed']
  expect(order).toEqual(order.toSorted((a, b) => worst.indexOf(a ?? '') - worst.indexOf(b ?? '')))
  const strip = page.getByRole('table', { name: 'Tie-out' }).getByRole('row', { name: /^EUR/ })
  expect(await readState(strip.locator('th'))).toBe('unexplained')
  const [invoice] = await app.query(
    `select connection_id as account, to_char(issuing_date, 'YYYY-MM') as month, profile_id as profile from invoice
     where total - (select sum(total_amount) from line l where l.invoice_serial_number = serial_number) = 120`,
  )
  await page.goto(`/connections/${invoice?.account}/coverage`)
  const cell = page
    .locator(`.calendar a[href*="profile=${invoice?.profile}"][href*="period=${invoice?.month}"]`)
    .filter({ hasText: 'invoice unexplained' })
  await expect(cell).toHaveCount(1)
  await expect(cell.locator('.mark-failed')).toHaveCount(1)
})

test('a line of each state has the same mark in Lines, in its panel, in its group and on its invoice', async ({
  page,
  app,
  signIn,
}) => {
  test.setTimeout(240_000)
  await signIn(page)
  const marks = { unexplained: 'mark-failed', explained: 'mark-partial', note: 'mark-open' } as const
  const lines = await app.query(
    `select distinct on (1) ${STATE} as state, connection_id as account, id, invoice_serial_number as serial from line
     where missing_since is null and finding_count > 0 order by 1, id`,
  )
  expect(lines.map(({ state }) => state)).toEqual(expect.arrayContaining(['explained', 'unexplained']))
  let plain: Page | null = null
  for (const { state, account, id, serial } of lines) {
    const mark = marks[state as keyof typeof marks]
    await page.goto(`/lines?outcome=${state}&invoice=${serial}`)
    const rows = page.locator('tr[data-row]')
    await expect(rows.first().locator('td').first().locator('.mark'), `${id}`).toHaveClass(new RegExp(mark))
    await rows.first().click()
    const proof = page.getByRole('region', { name: 'Proof' }).locator('h3')
    await expect.poll(() => readState(proof), `${id} in its panel`).toBe(state)
    plain ??= await openPlainly(page)
    const [parts] = await app.query(
      `select count(*)::int as lines, sum(finding_count)::int as findings, min(case ${STATE} when 'unexplained' then 0 when 'explained' then 1 else 2 end) as rank
       from line where invoice_serial_number = '${serial}' and connection_id = '${account}' and missing_since is null and finding_count > 0`,
    )
    const [findings, count] = [Number(parts?.findings), Number(parts?.lines)]
    const words = `${findings} ${findings === 1 ? 'finding' : 'findings'} on ${count} ${count === 1 ? 'line' : 'lines'}`
    const worst = ['unexplained', 'explained', 'note'][Number(parts?.rank)]
    await plain.goto(`/invoices/${account}/${serial}`)
    await expect(figure(plain, 'Lines')).toHaveText(words)
    expect(await readState(figure(plain, 'Lines'))).toBe(worst)
    await plain.goto(`/groups?by=cost_center&invoice=${serial}&outcome=${state}`)
    const group = plain.locator('table[aria-label="Groups"] tbody tr[data-row]').first()
    expect(await readState(group.locator('td').last()), `${id} in its group`).toBe(state)
  }
  await plain?.context().close()
})
