import type { Page } from '@playwright/test'
import { type CsvRow, downloadCsv, sumByCurrency, toUnits } from './csv.ts'
import { expect, test } from './fixtures.ts'
import { readEquations, readGroups, readTotalsStrip } from './screen.ts'
import type { App } from './start-app.ts'
import { readAgain } from './sync-screen.ts'

const toCount = (text: string) => Number(/[\d,]+/.exec(text)?.[0].replaceAll(',', ''))
const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0)

/** Columns of the file of invoices, and what they are in the platform's own tie-out. */
const FILE_COLUMNS = [
  ['lines_total', 'lines'],
  ['not_imported', 'notImported'],
  ['credit_used', 'creditUsed'],
  ['total', 'invoices'],
  ['unexplained', 'unexplained'],
] as const

type Planted = ReturnType<App['sandbox']['tieOuts']>[number]

const toFigures = ({ currency, ...sums }: Planted) => ({
  currency,
  figures: [sums.lines, sums.notImported, sums.creditUsed, sums.invoices, sums.explained, sums.unexplained].map(
    toUnits,
  ),
})

const sidebar = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: new RegExp(`^${name}`) })

/** The counts in a column's notes, such as `229 lines`. */
const sumNotes = (rows: { notes: string[] }[], column: number) =>
  sum(rows.map(({ notes }) => (notes[column] === '' ? 0 : toCount(notes[column] ?? ''))))

/** The stories that read every page and compare what they count: all of it is the server's. */
export function tellOneCount(): void {
  test.describe.configure({ mode: 'serial' })
  test.use({ javaScriptEnabled: false })

  test('every page says the same number of lines and of invoices, and where one more line is stored, that it is gone; overview, each invoice and the file of invoices tie out at what the platform planted', async ({
    page,
    app,
    readAccount,
  }) => {
    test.setTimeout(300_000)
    await readAccount(page)
    const [gone] = await app.query(
      `select connection_id as connection, id from line
       where currency = 'EUR' and finding_count = 0 and id not like 'sha256:%' order by id limit 1`,
    )
    const state = app.sandbox.state()
    state.mutations.removeLine(state.requireAccount('nordlicht'), String(gone?.id))
    await readAgain(page, app, gone?.connection)

    const { lineCount } = await app.sandbox.controlTotals('nordlicht')
    const [{ invoiceCount } = {}] = await app.query(
      'select count(*)::int as "invoiceCount" from invoice where missing_since is null',
    )
    const planted = app.sandbox.tieOuts('nordlicht')
    await page.goto('/')
    expect(toCount((await sidebar(page, 'Lines').textContent()) ?? '')).toBe(lineCount)
    expect(toCount((await sidebar(page, 'Invoices').textContent()) ?? '')).toBe(invoiceCount)
    await expect(page.getByRole('main')).toContainText(`${lineCount} lines`)
    await expect(page.getByRole('main')).toContainText(`${invoiceCount} invoices`)
    await expect(page.getByText(`${invoiceCount} new invoices`)).toBeVisible()
    const tieOut = await readEquations(page, 'Tie-out')
    expect([sumNotes(tieOut, 0), sumNotes(tieOut, 4)]).toEqual([lineCount, invoiceCount])
    // all but what the lines come to, which the others give
    expect(
      tieOut.map(({ currency, figures }) => ({
        currency,
        figures: figures.filter((_, at) => at !== 3).map((figure) => figure ?? 0n),
      })),
    ).toEqual(planted.map(toFigures))
    // the last sync says why the account has stored one more
    await expect(page.getByRole('listitem').filter({ hasText: 'Nordlicht' }).last()).toContainText(
      `${lineCount} lines, 1 removed`,
    )

    await page.goto('/lines')
    await expect(page.getByRole('main')).toContainText(new RegExp(`${lineCount} lines`))
    await expect(
      page
        .getByRole('contentinfo')
        .or(page.getByText(/^1–\d+ of/))
        .first(),
    ).toContainText(`of ${lineCount} lines`)
    expect(await downloadCsv(page)).toHaveLength(lineCount)
    await page.goto('/lines?gone=1')
    await expect(page.locator('tr[data-row]')).toHaveCount(1)

    const groups = await readGroups(page, '/groups?by=trip&size=50')
    expect(sum(groups.map(({ lines }) => lines))).toBe(lineCount)
    await expect(page.getByRole('main')).toContainText(`, ${lineCount} lines`)
    const files = await downloadCsv(page)
    expect(sum(files.map((row) => Number(row.line_count)))).toBe(lineCount)

    await page.goto('/connections')
    await expect(page.getByRole('row', { name: /Nordlicht/ })).toContainText(new RegExp(`${lineCount}\\s*1 removed`))
    await page.goto(`/connections/${gone?.connection}`)
    await expect(page.getByRole('main')).toContainText(new RegExp(`${lineCount} lines.*1 line removed by the platform`))
    await page.goto('/changes')
    const bridge = await readEquations(page, 'Bridge')
    const [stood = 0, arrived = 0, , removed = 0, now] = [0, 1, 2, 3, 4].map((column) => sumNotes(bridge, column))
    expect([now, stood + arrived - removed, removed]).toEqual([lineCount, lineCount, 1])

    await page.goto('/invoices')
    await expect(page.getByText(/^1–\d+ of/)).toContainText(`of ${invoiceCount} invoices`)
    // an invoice that does not say has an empty credit
    const rows = (await downloadCsv(page)).map((row) => ({ ...row, credit_used: row.credit_used || '0' }) as CsvRow)
    expect(rows).toHaveLength(Number(invoiceCount))
    expect(sum(rows.map((row) => Number(row.line_count)))).toBe(lineCount)
    for (const [column, name] of FILE_COLUMNS)
      expect([column, sumByCurrency(rows, column)]).toEqual([
        column,
        Object.fromEntries(planted.map((each) => [each.currency, toUnits(each[name])])),
      ])
    const open = rows.filter(({ unexplained }) => /[1-9]/.test(String(unexplained)))
    expect(open.map(({ serial_number }) => serial_number)).toEqual(
      app.sandbox
        .groundTruth('nordlicht')
        .invoices.flatMap(({ reason, invoiceSerialNumber }) => (reason === null ? invoiceSerialNumber : [])),
    )
    for (const { connection_id, serial_number, unexplained } of open) {
      await page.goto(`/invoices/${connection_id}/${serial_number}`)
      const grid = page.getByRole('region', { name: 'Tie-out', exact: true })
      await expect(grid).toContainText('unexplained')
      await expect(grid).toContainText(Number(unexplained).toLocaleString('en-US'))
    }
  })

  test('findings are counted alike on every page, and each need leads to as many records as it names', async ({
    page,
    app,
    signIn,
  }) => {
    await signIn(page)
    const truth = app.sandbox.groundTruth('nordlicht').findings
    const findings = sum(truth.map(({ codes }) => codes.length))
    await page.goto('/')
    const needs = await page
      .getByRole('region', { name: 'Needs attention' })
      .getByRole('listitem')
      .evaluateAll((all) =>
        all.map((need) => ({
          text: need.textContent ?? '',
          hrefs: [...need.querySelectorAll('a')].map((link) => link.getAttribute('href') ?? ''),
        })),
      )
    const countOf = (need: RegExp) => toCount(needs.find(({ text }) => need.test(text))?.text ?? '')
    const open = countOf(/lines? with unexplained differences/)
    const known = countOf(/lines? with explained differences/)
    const [noted] = await app.query(
      `select count(*)::int as lines from line where missing_since is null
         and line_state(finding_codes, explained_codes, reason_codes, difference, tax_difference, currency) = 'note'`,
    )
    // lines here; below, a line with a wrong total and a wrong tax has two findings. A note needs
    // nobody
    expect(open + known + Number(noted?.lines)).toBe(truth.length)
    for (const { text, hrefs } of needs) {
      expect(hrefs, text).toHaveLength(1)
      await page.goto(String(hrefs[0]))
      // a need of one invoice alone opens it
      if (/^\/invoices\/[^/]+\/[^/]+$/.test(new URL(page.url()).pathname))
        expect(text).toContain((await page.getByRole('heading', { level: 1 }).textContent()) ?? '?')
      else {
        const records = page.url().includes('/rejected') ? page.locator('main article') : page.locator('tr[data-row]')
        await expect(records, text).toHaveCount(toCount(text))
      }
    }
    await page.goto('/lines?findings=1')
    await expect(page.locator('tr[data-row]')).toHaveCount(truth.length)
    const strip = Object.values(await readTotalsStrip(page))
    expect(sum(strip.map(({ text }) => Number(/(\d+)\s*findings? on/.exec(text)?.[1])))).toBe(findings)
    const rows = await downloadCsv(page)
    expect(sum(rows.map((row) => (row.finding_codes as string).split(' ').length))).toBe(findings)
    const groups = await readGroups(page, '/groups?by=cost_center&size=50')
    expect(sum(groups.map((group) => group.findings))).toBe(findings)
    await page.goto('/invoices?size=200')
    const counts = await page.locator('tr[data-row] td:last-child').allTextContents()
    expect(sum(counts.map((count) => (count === '' ? 0 : toCount(count))))).toBe(findings)
  })
}
