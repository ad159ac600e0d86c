/** A company directory over real HTTP: an admin connects it, and who leaves there is out here. */
import { hashPassword } from '#lib/auth/passwords/password.ts'
import { expect, test } from './fixtures.ts'

const PASSWORD = 'correct horse battery staple'

test('an admin connects a directory; who leaves, in each spelling, is out with the next request', async ({
  app,
  page,
  signIn,
}) => {
  await signIn(page)
  await page.goto('/settings')
  const section = page.getByRole('region', { name: 'Directory' })
  await section.getByLabel('Directory', { exact: true }).fill('Entra ID')
  await section.getByRole('button', { name: 'Make a token' }).click()
  const token = (await section.getByText(/^tie_scim_\w{43}$/).textContent()) as string
  await expect(section.getByText('never used')).toBeVisible()

  const send = async (method: string, path: string, body?: unknown) => {
    const answer = await fetch(`${app.appUrl}/api/scim/v2${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    const text = await answer.text()
    return { status: answer.status, body: text === '' ? {} : JSON.parse(text) }
  }
  const group = await send('POST', '/Groups', { displayName: 'Tieout users', members: [] })
  await page.reload()
  await section.getByLabel('Role of Tieout users').selectOption('Finance')
  await section.getByRole('listitem').filter({ hasText: 'Tieout users' }).getByRole('button', { name: 'Save' }).click()
  await expect(section.getByText('Saved.')).toBeVisible()

  const provision = async (name: string) => {
    const made = await send('POST', '/Users', { userName: `${name}@example.com`, displayName: name })
    expect(made.status).toBe(201)
    const { id } = made.body as { id: string }
    const add = { op: 'Add', path: 'members', value: [{ value: id }] }
    expect((await send('PATCH', `/Groups/${group.body.id}`, { Operations: [add] })).status).toBe(200)
    // in place of the link by which they choose one
    await app.query(
      `update app_user set password_hash = '${await hashPassword(PASSWORD)}' where id = '${id}' returning id`,
    )
    const answer = await fetch(`${app.appUrl}/api/sign-in`, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: app.appUrl, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ email: `${name}@example.com`, password: PASSWORD }).toString(),
    })
    const cookie = answer.headers
      .getSetCookie()
      .map((each) => each.split(';')[0])
      .join('; ')
    const read = async () => (await fetch(`${app.appUrl}/api/connections/hosts`, { headers: { cookie } })).status
    expect(await read()).toBe(200)
    return { id, email: `${name}@example.com`, read }
  }

  const entra = await provision('entra')
  const off = await send('PATCH', `/Users/${entra.id}`, {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
    Operations: [{ op: 'Replace', path: 'active', value: 'False' }],
  })
  expect([off.status, off.body.active, await entra.read()]).toEqual([200, false, 401])

  const okta = await provision('okta')
  const without = await send('PATCH', `/Users/${okta.id}`, {
    Operations: [{ op: 'replace', value: { active: false } }],
  })
  expect([without.status, await okta.read()]).toEqual([200, 401])

  const other = await provision('other')
  const whole = await send('PUT', `/Users/${other.id}`, { userName: other.email, active: 0 })
  expect([whole.status, await other.read()]).toEqual([200, 401])

  const gone = await provision('gone')
  expect([(await send('DELETE', `/Users/${gone.id}`)).status, await gone.read()]).toEqual([204, 401])

  await page.reload()
  await expect(section.getByText('3 people managed by the directory, 3 of them without access.')).toBeVisible()
  await section.getByRole('button', { name: 'Revoke the token Entra ID' }).click()
  await expect(section.getByText('The token is revoked.')).toBeVisible()
  expect((await send('GET', '/Users')).status).toBe(401)
})
