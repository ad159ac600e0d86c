import { expect, signInByForm, test } from './fixtures.ts'

test('signs in with the right password and out again', async ({ page, app }) => {
  await signInByForm(page, app)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/sign-in/)
  await page.goto('/lines')
  await expect(page).toHaveURL(/\/sign-in/)
})

test('says so when the password is wrong, and signs nobody in', async ({ page, app }) => {
  await page.goto('/sign-in')
  await page.getByLabel('Email').fill(app.adminEmail)
  await page.getByLabel('Password').fill('not the password')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByText(/password .*(wrong|right|not)|wrong .*password|do not match/i)).toBeVisible()
  await page.goto('/')
  await expect(page).toHaveURL(/\/sign-in/)
})
