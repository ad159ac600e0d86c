import { expect, type Locator, type Page } from '@playwright/test'
import { toUnits } from './csv.ts'
import { openWhole } from './listening.ts'

/**
 * Presses a key until the focus is where it leads. Right after a page appears a key may be too
 * early: the list listens only once its script has run.
 */
export async function pressUntilFocused(page: Page, key: string, focused: Locator): Promise<void> {
  await expect(async () => {
    await page.keyboard.press(key)
    await expect(focused).toBeFocused({ timeout: 1_000 })
  }).toPass()
}

/**
 * The totals strip under a page's title: exact total and lines per currency, read as a person
 * would.
 */
export async function readTotalsStrip(page: Page): Promise<Record<string, { total: bigint; text: string }>> {
  const links = page.getByRole('region', { name: /total/i }).getByRole('link')
  await links.first().waitFor()
  const texts = await links.evaluateAll((all) =>
    all.map((link) => {
      const [scope, amount] = link.children
      return [scope?.textContent ?? '', (amount?.querySelector('.sr-only') ?? amount)?.textContent ?? '']
    }),
  )
  return Object.fromEntries(
    texts.map(([scope = '', amount = '']) => [scope.slice(0, 3), { total: toUnits(amount), text: scope }]),
  )
}

/**
 * The rows of a table that lays out equations, figure by figure, exactly; null where there is none.
 */
export async function readEquations(page: Page, name: string) {
  const table = page.getByRole('table', { name, exact: true })
  await table.waitFor()
  // the tie-out has these columns only where the platform has removed something
  const cells = name === 'Tie-out' ? 'td:not([data-name="Received"], [data-name="Removed"])' : 'td'
  const rows = await table.locator('tbody tr').evaluateAll(
    (all, cells) =>
      all.map((row) => ({
        currency: row.querySelector('th span')?.textContent ?? '',
        notes: [...row.querySelectorAll(cells)].map((cell) => cell.querySelector('small')?.textContent ?? ''),
        figures: [...row.querySelectorAll(cells)].map((cell) =>
          cell.hasAttribute('data-none')
            ? null
            : ((cell.querySelector('.sr-only') ?? cell.querySelector(':scope > :not(small, .sign)'))?.textContent ??
              ''),
        ),
      })),
    cells,
  )
  return rows.map(({ figures, ...row }) => ({
    ...row,
    figures: figures.map((figure) => (figure === null ? null : toUnits(figure.replace('+', '')))),
  }))
}

export type ScreenGroup = {
  id: string | null
  name: string
  lines: number
  amounts: Record<string, bigint>
  findings: number
}

/** Every top row of the groups page at this address, over all its pages, read from the cells. */
export async function readGroups(page: Page, address: string): Promise<ScreenGroup[]> {
  const groups: ScreenGroup[] = []
  for (let number = 1; ; number++) {
    await page.goto(`${address}&page=${number}`)
    await page.locator('table[aria-label="Groups"] tbody tr[data-row]').first().waitFor()
    const rows = await page.locator('table[aria-label="Groups"]').evaluate((table) => {
      const texts = (cells: Iterable<Element>) => [...cells].map((cell) => cell.textContent?.trim() ?? '')
      const head = texts(table.querySelectorAll('thead th'))
      const body = [...table.querySelectorAll('tbody tr[data-row]')].map((row) => ({
        names: texts(row.querySelectorAll('td:first-child bdi')),
        cells: [...row.querySelectorAll('td')].map((cell) => {
          const copy = cell.cloneNode(true) as Element
          // an amount in short has the whole one for screen readers
          for (const amount of copy.querySelectorAll('.short-amount'))
            amount.replaceWith(amount.querySelector('.sr-only')?.textContent ?? '')
          for (const hidden of copy.querySelectorAll('small, .sr-only, [aria-hidden]')) hidden.remove()
          return copy.textContent?.trim() ?? ''
        }),
      }))
      return { head, body }
    })
    groups.push(...rows.body.map(({ names, cells }) => toGroup(rows.head, names, cells)))
    if ((await page.getByRole('link', { name: /next/i }).count()) === 0) return groups
  }
}

function toGroup(head: string[], names: string[], cells: string[]): ScreenGroup {
  const amounts: Record<string, bigint> = {}
  head.forEach((title, index) => {
    if (/^[A-Z]{3}$/.test(title) && cells[index]) amounts[title] = toUnits(cells[index] as string)
  })
  const [lines = '0', findings = ''] = [cells[1], cells.at(-1)]
  return {
    name: names[0] ?? '',
    id: names[1] ?? null,
    lines: Number(lines.replaceAll(',', '')),
    amounts,
    // `3 on 2 lines`
    findings: Number(/^[\d,]+/.exec(findings)?.[0].replaceAll(',', '') ?? 0),
  }
}

/**
 * Another page of the same person, without scripts: for figures and links that are the server's,
 * it costs less than half.
 */
export async function openPlainly(page: Page): Promise<Page> {
  const browser = page.context().browser()
  if (browser === null) throw new Error('there is no browser')
  const context = await browser.newContext({
    baseURL: new URL(page.url()).origin,
    javaScriptEnabled: false,
    locale: 'en-US',
    storageState: await page.context().storageState(),
  })
  return openWhole(await context.newPage())
}

/** Opens the choice of a period by keyboard. */
export async function openPeriods(page: Page): Promise<void> {
  await openMenu(page, page.getByRole('navigation', { name: 'Period of issue' }).getByRole('button'))
}

/**
 * Opens a button's menu by keyboard. A key that comes before the page's script does nothing, and is
 * pressed again; the menu takes keys once its first item has the focus.
 */
export async function openMenu(page: Page, button: Locator): Promise<void> {
  const first = page.getByRole('menuitem').first()
  await expect(async () => {
    if (!(await first.isVisible())) await button.press('Enter')
    await expect(first).toBeFocused({ timeout: 2_000 })
  }).toPass()
}
