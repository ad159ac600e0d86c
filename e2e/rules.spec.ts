import { expect, test } from './fixtures.ts'
import { expectAccessible, expectContrast } from './look.ts'

test.describe.configure({ timeout: 240_000 })

test('a rule is made, tried on the past and turned on without a mouse, and says what it did', async ({
  page,
  app,
  readAccount,
}) => {
  await readAccount(page)
  await page.goto('/close')
  await page.getByRole('link', { name: 'Rules', exact: true }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Make a rule' })).toBeVisible()
  const made = page.getByRole('region', { name: 'Make a rule' })
  await made.getByLabel('Name').focus()
  await page.keyboard.type('What adds up')
  // of a first reading every vendor and regime is new
  for (const name of ['The vendor is not new', 'The tax regime is not new']) {
    await made.getByLabel(name).focus()
    await page.keyboard.press('Space')
  }
  await made.getByLabel('For invoices issued from').fill('2020-01-01')
  await made.getByRole('button', { name: 'Make the rule' }).focus()
  await page.keyboard.press('Enter')

  const rule = page.getByRole('region', { name: 'What adds up' })
  await expect(rule.getByText('off, version 1')).toBeVisible()
  await expect(rule.getByRole('button', { name: 'Turn on' })).toHaveCount(0)
  await rule.getByRole('button', { name: 'Try on the past' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('The rule is being tried on the past.')).toBeVisible()
  await expect(async () => {
    await page.reload()
    await expect(rule.getByText(/^Would have accepted/)).toBeVisible({ timeout: 1000 })
  }).toPass({ timeout: 60_000 })
  const [trial] = await app.query(`select (figures ->> 'lineCount')::int as lines from rule_trial`)
  const lineCount = Number(trial?.lines)
  expect(lineCount).toBeGreaterThan(0)
  await expect(rule.getByText(/^Would have accepted/)).toContainText(
    `${lineCount.toLocaleString('en')} lines; 0 of them changed or were disputed later`,
  )
  await expect(rule.getByText(/because it does not add up/)).toBeVisible()

  await rule.getByRole('button', { name: 'Turn on version 1' }).focus()
  await page.keyboard.press('Enter')
  await expect(rule.getByText('on, version 1')).toBeVisible()
  const countAccepted = async () =>
    Number(
      (
        await app.query(`select coalesce(sum(changed_lines), 0)::int as lines from decision where rule_id is not null`)
      )[0]?.lines,
    )
  await expect.poll(countAccepted, { timeout: 60_000 }).toBe(lineCount)
  await page.reload()
  await expect(rule).toContainText(`It has accepted ${lineCount.toLocaleString('en')} lines`)
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme: 'light' })
    await expectAccessible(page, `rules at ${width}`)
    await page.emulateMedia({ colorScheme: 'dark' })
    await expectContrast(page, `rules in the dark at ${width}`)
  }
  await page.goto('/decisions')
  await expect(page.getByText('rule What adds up').first()).toBeVisible()

  // two people change it: the second is told
  const other = await page.context().newPage()
  for (const each of [page, other]) await each.goto('/close/rules')
  for (const each of [page, other]) {
    const shown = each.getByRole('region', { name: 'What adds up' })
    await shown.getByText('Change it').focus()
    await each.keyboard.press('Enter')
    await shown.getByLabel('Left for people at random').fill('7')
    await shown.getByRole('button', { name: 'Keep as another version' }).focus()
    await each.keyboard.press('Enter')
    await expect(shown.getByText('on in version 1; version 2 is off')).toBeVisible()
  }
  await expect(other.getByText('Somebody changed this rule after you opened the page.')).toBeVisible()
  await expect(page.getByText('Kept, and off.')).toBeVisible()
})
