import type { Page } from '@playwright/test'
import { toTotpCode } from '#lib/auth/factors/totp.ts'
import { expect, test } from './fixtures.ts'
import type { App } from './start-app.ts'

test.describe.configure({ mode: 'serial' })

// other stories may use the same app
test.afterAll(async ({ app }) => {
  for (const table of ['authenticator', 'recovery_code', 'passkey']) await app.query(`delete from ${table}`)
  await app.query('update organization set second_step_required = false')
})

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** The key as people type it, as an app keeps it. */
function readKey(text: string): Buffer {
  const bits = [...text.replace(/\s/g, '')].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0'))
  return Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

/** What the app shows in so many steps of 30 seconds; one ahead is still taken. */
function toCode(key: Buffer, ahead: number): string {
  return toTotpCode(key, Math.floor(Date.now() / 30_000) + ahead)
}

async function givePassword(page: Page, app: App): Promise<void> {
  await page.goto('/sign-in')
  await page.getByLabel('Email').fill(app.adminEmail)
  await page.getByLabel('Password').fill(app.adminPassword)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

async function giveCode(page: Page, code: string): Promise<void> {
  await page.getByLabel('Code').fill(code)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

async function signOut(page: Page): Promise<void> {
  await page.goto('/account')
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await expect(page).toHaveURL(/\/sign-in/)
}

const section = (page: Page, name: string) => page.getByRole('region', { name })

test('sets up an authenticator app, and signs in with its codes and a recovery code', async ({ page, app, signIn }) => {
  await signIn(page)
  await page.goto('/account')
  const step = section(page, 'Second step')
  await step.getByRole('button', { name: 'Set up an app' }).click()
  await expect(step.getByRole('img', { name: 'QR code' })).toBeVisible()
  const key = readKey((await step.locator('code').textContent()) ?? '')
  expect(key).toHaveLength(20)
  await step.getByLabel('six digits').fill('000000')
  await step.getByRole('button', { name: 'Turn on' }).click()
  await expect(step.getByText('This code is not right')).toBeVisible()
  await step.getByLabel('six digits').fill(toCode(key, -1))
  await step.getByRole('button', { name: 'Turn on' }).click()
  await expect(step.getByText('Recovery codes left: 10 of 10')).toBeVisible()
  const codes = await step.getByRole('listitem').allTextContents()
  expect(codes).toHaveLength(10)
  await step.getByRole('button', { name: 'I have kept them' }).click()
  await expect(step.getByText('are not shown again')).toBeVisible()
  await expect(step.getByRole('listitem')).toHaveCount(0)

  await signOut(page)
  await givePassword(page, app)
  await expect(page).toHaveURL(/\/sign-in\/second-step$/)
  // nothing is open yet
  await page.goto('/lines')
  await expect(page).toHaveURL(/\/sign-in\?next/)
  await page.goto('/sign-in/second-step')
  await giveCode(page, '000000')
  await expect(page.getByText('This code is not right')).toBeVisible()
  await giveCode(page, toCode(key, 0))
  await expect(page.getByRole('link', { name: 'Overview' })).toBeVisible()

  await signOut(page)
  await givePassword(page, app)
  await giveCode(page, codes[0] ?? '')
  await expect(step.getByText('It does not work again')).toBeVisible()
  await expect(step.getByText('Recovery codes left: 9 of 10')).toBeVisible()
  await step.getByRole('button', { name: 'Turn off' }).click()
  await expect(step.getByText('Your second step is off.')).toBeVisible()
})

test('adds a passkey, signs in with it alone, and removes it', async ({ page, signIn }) => {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  await signIn(page)
  await page.goto('/account')
  const passkeys = section(page, 'Passkeys')
  await passkeys.getByLabel('Name of a new passkey').fill('Work laptop')
  await passkeys.getByRole('button', { name: 'Add a passkey' }).click()
  await expect(passkeys.getByText('The passkey is added')).toBeVisible()
  await expect(passkeys.getByText('not used yet')).toBeVisible()

  await signOut(page)
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await expect(page.getByRole('link', { name: 'Overview' })).toBeVisible()
  await page.goto('/account')
  await expect(passkeys.getByText('last used')).toBeVisible()

  // somebody who has the device and cannot show that it is theirs
  await signOut(page)
  await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await expect(page.getByText('The passkey did not sign you in')).toBeVisible()

  await signIn(page)
  await page.goto('/account')
  await passkeys.getByRole('button', { name: 'Remove Work laptop' }).click()
  await expect(passkeys.getByText('no longer signs you in')).toBeVisible()
  await expect(passkeys.getByText('None.')).toBeVisible()
})

test('an organization that requires a second step leads whoever has none to set one up first', async ({
  page,
  signIn,
}) => {
  await signIn(page)
  await page.goto('/settings')
  const rule = section(page, 'Second step')
  await rule.getByRole('combobox').selectOption({ label: 'required for everybody with a password' })
  await rule.getByRole('button', { name: 'Save' }).click()
  // the admin has none either
  await expect(page).toHaveURL(/\/account\?error=required/)
  await expect(page.getByText('asks everybody for a second step')).toBeVisible()
  await page.goto('/lines')
  await expect(page).toHaveURL(/\/account\?error=required/)
  await expect(page.getByRole('link', { name: 'Overview' })).toHaveCount(0)

  const step = section(page, 'Second step')
  await step.getByRole('button', { name: 'Set up an app' }).click()
  const key = readKey((await step.locator('code').textContent()) ?? '')
  await step.getByLabel('six digits').fill(toCode(key, 0))
  await step.getByRole('button', { name: 'Turn on' }).click()
  await step.getByRole('button', { name: 'I have kept them' }).click()
  await page.goto('/lines')
  await expect(page).toHaveURL(/\/lines/)
})
