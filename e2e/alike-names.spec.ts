import { expect, test } from './fixtures.ts'
import { expectAccessible } from './look.ts'

test('an admin has names that look alike counted as one: groups, links and files say the same, raw names stay', async ({
  page,
  app,
  readAccount,
}) => {
  await readAccount(page)
  await app.query(
    `update line set cost_center = case when right(id, 1) < '4' then '4100 Sales DACH ' when right(id, 1) < '8' then U&'4100\\00a0Sales DACH' else cost_center end
     where cost_center = '4100 Sales DACH' returning 1 as one`,
  )
  const [all] = await app.query(
    `select count(*)::int as count from line where missing_since is null and cost_center like '4100_Sales DACH%'`,
  )
  const rows = page.getByRole('row', { name: /4100.Sales DACH/ })
  await page.goto('/groups?by=cost_center')
  await expect(rows).toHaveCount(3)

  await page.goto('/settings')
  await expectAccessible(page, 'settings')
  await page.getByRole('checkbox', { name: /Count them as one/ }).check()
  await page.locator('#names').getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Groups, filters and choices read names like this from now on.')).toBeVisible()

  await page.goto('/groups?by=cost_center')
  await expect(rows).toHaveCount(1)
  await expect(rows).toContainText(`${all?.count} lines`)
  await rows.getByRole('link').first().click()
  await expect(page.getByRole('main').locator('header')).toContainText(`${all?.count} of`)
  const file = await (await page.request.get('/api/export/lines?cost_center=4100+Sales+DACH&format=csv')).text()
  expect(file.trim().split('\r\n')).toHaveLength(Number(all?.count) + 1)
  expect(file).toContain('4100\u00a0Sales DACH')
  const groups = await (await page.request.get('/api/export/groups?by=cost_center&format=csv')).text()
  expect(groups).not.toContain('4100\u00a0Sales DACH')
})
