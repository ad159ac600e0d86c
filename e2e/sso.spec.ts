/** Single sign-on in a browser, with oidc-provider as the identity provider. */
import {
  CLIENT_ID,
  CLIENT_SECRET,
  type IdentityProvider,
  startIdentityProvider,
} from '#lib/auth/test-support/test-identity-provider.ts'
import { expect, signInByForm, test } from './fixtures.ts'

let idp: IdentityProvider

test.beforeAll(async ({ app }) => {
  idp = await startIdentityProvider(`${app.appUrl}/api/auth/callback/sso`)
})
test.afterAll(() => idp.close())

const MIRA = { sub: 'mira-1', email: 'mira@example.com', email_verified: true, name: 'Mira Lang' }

test('an admin sets single sign-on up, people come in with the role of their group, and passwords end', async ({
  page: admin,
  app,
  signIn,
  browser,
  baseURL,
}) => {
  await signIn(admin)
  await admin.goto('/settings')
  await expect(admin.getByText(`${app.appUrl}/api/auth/callback/sso`)).toBeVisible()
  await admin.getByLabel('Issuer').fill(idp.issuer)
  await admin.getByLabel('Client id').fill(CLIENT_ID)
  await admin.getByLabel('Client secret').fill(CLIENT_SECRET)
  await admin.getByLabel('Email domains').fill('example.com')
  await admin.getByLabel('Values for Finance').fill('desk-finance')
  await admin.getByLabel('Values for Viewer').fill('everybody')
  await admin.getByRole('button', { name: 'Save identity provider' }).click()
  await expect(admin.getByText('The identity provider is saved.')).toBeVisible()
  await expect(admin.getByLabel('Client secret')).toHaveValue('')
  await admin.getByLabel('Optional').check()
  await admin.getByRole('button', { name: 'Save who uses it' }).click()
  await expect(admin.getByText('It holds from the next sign-in on.')).toBeVisible()

  const enter = async (groups: string[]) => {
    idp.person = { ...MIRA, groups }
    const context = await browser.newContext({ baseURL })
    const page = await context.newPage()
    await page.goto('/lines')
    await page.getByLabel('Work address').fill('mira@example.com')
    await page.getByRole('button', { name: 'Continue with single sign-on' }).click()
    await page.waitForURL((url) => url.origin === app.appUrl && !url.pathname.startsWith('/api/'))
    return page
  }
  // a viewer, without the pages of admins; then finance
  const viewer = await enter(['everybody'])
  await expect(viewer).toHaveURL(/\/lines/)
  await expect(viewer.getByText('Mira Lang').first()).toBeAttached()
  const roles = () => app.query(`select role from app_user where email = 'mira@example.com'`)
  expect(await roles()).toEqual([{ role: 'viewer' }])
  await enter(['everybody', 'desk-finance'])
  expect(await roles()).toEqual([{ role: 'finance' }])
  const stranger = await enter(['cleaners'])
  await expect(stranger.getByText('none of your groups may use Tieout')).toBeVisible()

  // somebody with a password, here and signed in
  await app.query(
    `insert into app_user (organization_id, email, name, role, password_hash)
     select organization_id, 'pay@example.com', 'Pay', 'finance', password_hash from app_user where role = 'admin'`,
  )
  const byPassword = async () => {
    const page = await (await browser.newContext({ baseURL })).newPage()
    await page.goto('/sign-in')
    await page.getByLabel('Email', { exact: true }).fill('pay@example.com')
    await page.getByLabel('Password').fill(app.adminPassword)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    return page
  }
  const pay = await byPassword()
  await expect(pay.getByRole('link', { name: 'Overview' })).toBeVisible()

  await admin.getByLabel('Enforced').check()
  await admin.getByRole('button', { name: 'Save who uses it' }).click()
  await expect(admin.getByText('no admin could sign in any more')).toBeVisible()
  await admin.getByLabel('Enforced').check()
  await admin.getByLabel(app.adminEmail).check()
  await admin.getByRole('button', { name: 'Save who uses it' }).click()
  await expect(admin.getByText('It holds from the next sign-in on.')).toBeVisible()

  await pay.goto('/lines')
  await expect(pay).toHaveURL(/\/sign-in/)
  await expect((await byPassword()).getByText('Your organization takes no passwords.')).toBeVisible()
  await viewer.reload()
  await expect(viewer).toHaveURL(/\/lines/)
  // the break-glass admin's password still works
  const again = await (await browser.newContext({ baseURL })).newPage()
  await signInByForm(again, app)
})
