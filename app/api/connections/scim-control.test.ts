import { afterAll, beforeAll, expect, test } from 'vitest'
import { APP_URL, startWorld, type World } from '#lib/auth/test-support/test-world.ts'

type Route = { POST: (request: Request, context: { params: Promise<{ id: string }> }) => Promise<Response> }

let world: World
let cookie: string
const routes = new Map<string, Route>()

beforeAll(async () => {
  world = await startWorld()
  for (const name of ['key', 'check']) routes.set(name, (await import(`./[id]/scim/${name}/route.ts`)) as Route)
  await world.addUser('admin@example.com', 'admin')
  const browser = world.browser()
  await browser.signIn('admin@example.com')
  cookie = [...browser.cookies].map(([key, { value }]) => `${key}=${value}`).join('; ')
})
afterAll(() => world.close())

async function seedConnection(state: string): Promise<string> {
  const [made] = await world.database.query<{ id: string }>(
    `insert into connection (organization_id, state, scopes_asked, created_by)
     select organization_id, $1, 'expenses:read', id from app_user where email = 'admin@example.com' returning id`,
    [state],
  )
  return made?.id as string
}

async function post(id: string, name: string, kind: 'form' | 'script') {
  const body = kind === 'form' ? 'apiKey=a-key' : JSON.stringify({ apiKey: 'a-key' })
  const type = kind === 'form' ? 'application/x-www-form-urlencoded' : 'application/json'
  const headers = { cookie, origin: APP_URL, 'sec-fetch-site': 'same-origin', 'content-type': type }
  const request = new Request(`${APP_URL}/api/connections/${id}/scim/${name}`, { method: 'POST', headers, body })
  return (routes.get(name) as Route).POST(request, { params: Promise.resolve({ id }) })
}

test.each(['disconnecting', 'disconnected'])(
  'F16: refuses the key and the check of a %s account, with words and a code',
  async (state) => {
    const id = await seedConnection(state)
    for (const name of ['key', 'check']) {
      const reply = await post(id, name, 'script')
      expect(reply.status).toBe(409)
      expect((await reply.json()).error).toMatchObject({
        code: 'connection-disconnected',
        text: expect.stringContaining('account is disconnected'),
      })
    }
    const form = await post(id, 'key', 'form')
    expect([form.status, form.headers.get('location')]).toEqual([303, `/connections/${id}/scim?key=disconnected`])
    const of = [id]
    expect(await world.database.query('select 1 from scim_credential where connection_id = $1', of)).toEqual([])
    expect(await world.database.query('select 1 from scim_check where connection_id = $1', of)).toEqual([])
  },
)

test('takes a key for a connected account, and checks it', async () => {
  const id = await seedConnection('active')
  const form = await post(id, 'key', 'form')
  expect([form.status, form.headers.get('location')]).toEqual([303, `/connections/${id}/scim?key=stored`])
  expect(await (await post(id, 'check', 'script')).json()).toMatchObject({ joined: true })
})
