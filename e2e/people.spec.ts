import type { Page } from '@playwright/test'
import { expect, KEPT_ALIVE, test } from './fixtures.ts'
import { expectGoodLooks, openConnection } from './sync-screen.ts'

test.describe.configure({ mode: 'serial' })

const ADA = 'ada@example.com'
const PASSWORD = 'analytical engine 1843'

const row = (page: Page, email: string) => page.getByRole('row').filter({ hasText: email })

async function signInAsAda(page: Page): Promise<void> {
  await page.goto('/sign-in')
  await page.getByLabel('Email').fill(ADA)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

test('an admin invites, the person joins, is made finance, is deactivated and cannot sign in', async ({
  page,
  app,
  browser,
  signIn,
}) => {
  await signIn(page)
  await page.goto('/')
  await page.getByRole('link', { name: 'People' }).click()
  // by keyboard alone
  await page.getByLabel('Email').focus()
  await page.keyboard.type(ADA)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('combobox', { name: 'Role' })).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  const link = await page.getByLabel('Invitation link').inputValue()
  expect(link.startsWith(`${app.appUrl}/invite#`)).toBe(true)
  expect(page.url()).not.toContain(link.slice(-43))
  await expect(page.getByRole('region', { name: 'Invitations' })).toContainText(`${ADA}Viewer`)
  await expectGoodLooks(page)

  const context = await browser.newContext({ baseURL: app.appUrl })
  const other = await context.newPage()
  const requested: string[] = []
  other.on('request', (request) => requested.push(request.url()))
  await other.goto(link)
  await expect(other).toHaveURL(/\/invite$/)
  await expectGoodLooks(other)
  await other.getByLabel('Your name').fill('Ada Lovelace')
  await other.getByLabel('Password').fill(PASSWORD)
  await other.getByRole('button', { name: 'Join' }).click()
  await expect(other.getByRole('status').first()).toContainText('You have joined')
  // the secret travelled in no address
  expect(requested.filter((url) => url.includes(link.slice(-43)))).toEqual([])
  await signInAsAda(other)
  await expect(other.getByRole('link', { name: 'Overview' })).toBeVisible()
  await other.goto('/people')
  await expect(other.getByRole('row').filter({ hasText: '(you)' })).toContainText('Viewer')
  await expect(other.getByRole('button', { name: 'Make link' })).toHaveCount(0)
  await expect(other.getByRole('row', { name: /invite, change and remove people/ })).toContainText('nonoyes')

  await page.goto('/people')
  await row(page, ADA).getByRole('link', { name: 'Change Ada Lovelace' }).click()
  const person = page.getByRole('region', { name: 'Change Ada Lovelace' })
  await expect(person).toBeVisible()
  await expectGoodLooks(page)
  await person.getByRole('combobox', { name: 'Role' }).selectOption('Finance')
  await person.getByRole('button', { name: 'Change role' }).click()
  await expect(row(page, ADA)).toContainText('Finance')
  await other.reload()
  await expect(other.getByRole('row').filter({ hasText: '(you)' })).toContainText('Finance')

  await row(page, ADA).getByRole('link', { name: 'Change Ada Lovelace' }).click()
  await person.getByRole('button', { name: 'Deactivate' }).click()
  await expect(row(page, ADA)).toContainText('deactivated')
  await other.goto('/people')
  await expect(other).toHaveURL(/\/sign-in/)
  await signInAsAda(other)
  await expect(other.getByRole('alert').first()).toContainText('do not match')
  await context.close()

  await row(page, ADA).getByRole('link', { name: 'Change Ada Lovelace' }).click()
  await person.getByText('Remove for good…').click()
  await person.getByRole('checkbox').check()
  await person.getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByRole('status').first()).toContainText('The person is removed')
  await expect(row(page, ADA)).toHaveCount(0)
})

test('the only admin is told to make another one first, and names themselves and the organization', async ({
  page,
  app,
  signIn,
}) => {
  await signIn(page)
  await page.goto('/people')
  await row(page, app.adminEmail)
    .getByRole('link', { name: /^Change/ })
    .click()
  await page
    .getByRole('region', { name: /^Change/ })
    .getByLabel('Role')
    .selectOption('Viewer')
  await page.getByRole('button', { name: 'Change role' }).click()
  await expect(page.getByRole('alert').first()).toContainText('the last admin who can sign in')
  await expect(row(page, app.adminEmail)).toContainText('Admin')

  await page.goto('/account')
  await page.getByLabel('Your name').fill('Grace Hopper')
  await page.getByRole('button', { name: 'Save' }).first().click()
  await expect(page.getByRole('link', { name: /^Grace Hopper/ })).toBeVisible()
  await expectGoodLooks(page)
  await page.goto('/settings')
  await page.getByLabel('Organization’s name').fill('Hopper & Sons')
  await page.getByRole('button', { name: 'Save' }).first().click()
  await expect(page.getByRole('status').first()).toContainText('name is changed')
  await page.goto('/people')
  await expect(page.locator('body')).toContainText('Hopper & Sons')
})

test('an account’s own name stands on pages, in filters and in files; the platform’s stays visible', async ({
  page,
  readAccount,
}) => {
  await readAccount(page)
  await openConnection(page)
  const section = page.getByRole('region', { name: 'Name', exact: true })
  const platformName = (await section.locator('bdi').first().textContent()) ?? ''
  await section.getByLabel('Own name').fill('Northern branch')
  await section.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Northern branch')
  await expect(section).toContainText(platformName)
  const file = await (await page.request.get('/api/export/invoices?format=csv', KEPT_ALIVE)).text()
  expect(file).toContain('Northern branch')
  await page.goto('/connections')
  await expect(page.getByRole('table')).toContainText('Northern branch')

  await openConnection(page)
  await section.getByLabel('Own name').fill('')
  await section.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(platformName)
})
