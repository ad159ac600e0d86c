import dns, { type LookupAddress, type LookupOptions } from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'
import { isIP } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { parseSettings } from '#lib/env.ts'
import { serveHttp } from '../test-support/test-loopback.ts'
import { createDataClient } from '../wire/data-client.ts'
import { FORBIDDEN_ADDRESS, guardedLookup, isForbiddenAddress } from './address-guard.ts'
import { partnerRequest } from './http.ts'

const METADATA = [
  'http://169.254.169.254/latest/meta-data',
  'https://169.254.169.254/latest/meta-data',
  'https://0xa9fea9fe/',
  'https://2852039166/',
  'https://[fe80::1]/',
  'https://[fd00:ec2::254]/',
  'https://[::ffff:169.254.169.254]/',
  'https://metadata.google.internal/',
  'https://METADATA.google.internal./',
  'https://100.100.100.200/',
  'https://0.0.0.0/',
  'https://[::]/',
]
const settingsWith = (url: string) => () =>
  parseSettings({
    NODE_ENV: 'production',
    PARTNER_BASE_URL: url,
    PARTNER_AUTH_URL: 'https://auth.example',
    PARTNER_CLIENT_ID: 'c',
    PARTNER_CLIENT_SECRET: 's',
  })

test.each([
  ...METADATA,
  'http://partner.example',
  'http://10.0.0.7',
  'ftp://partner.example',
  'https://user:pass@partner.example',
])('A15: production mode refuses a partner at %s at the start', (url) => {
  expect(settingsWith(url)).toThrow('PARTNER_BASE_URL')
})

test.each(['https://partner.example/api', 'http://localhost:4010', 'http://127.0.0.1:4010', 'https://10.0.0.7'])(
  'A15: accepts a partner at %s: https, or this machine by its name',
  (url) => {
    expect(settingsWith(url)().partner?.baseUrl).toBe(url)
  },
)

test.each(METADATA.filter((url) => !/google/i.test(url)))('A15: nothing is ever sent to %s', async (url) => {
  const request = partnerRequest({ method: 'GET', url, headers: {}, deadlineMs: 2000, maxBytes: 1000 })
  await expect(request).rejects.toMatchObject({ kind: 'foreign_origin', neverSent: true })
})

test('A15: recognizes forbidden addresses in every spelling', () => {
  for (const address of ['169.254.0.1', '::ffff:169.254.169.254', 'fe80::abcd', '0.0.0.0', '::'])
    expect(isForbiddenAddress(address), address).toBe(true)
  for (const address of ['203.0.113.7', '10.1.2.3', '127.0.0.1', '::1', '2001:db8::1', 'partner.example'])
    expect(isForbiddenAddress(address), address).toBe(false)
})

test('A15: localhost resolves, to all of its addresses or to one', async () => {
  const all = await new Promise((resolve, reject) =>
    guardedLookup('localhost', { all: true }, (error, addresses) => (error ? reject(error) : resolve(addresses))),
  )
  expect((all as LookupAddress[]).length).toBeGreaterThan(0)
  const one = await new Promise((resolve, reject) =>
    guardedLookup('localhost', { family: 4 }, (error, address) => (error ? reject(error) : resolve(address))),
  )
  expect(one).toBe('127.0.0.1')
})

test('A15: refuses a name that resolves to this machine or to metadata', async () => {
  // addresses resolve to themselves: what a name would resolve to, without a name server
  for (const address of ['127.0.0.1', '::1', '169.254.169.254', 'fe80::1']) {
    const code = await new Promise((resolve) =>
      guardedLookup(address, { all: true }, (error) => resolve((error as NodeJS.ErrnoException | null)?.code)),
    )
    expect(code, address).toBe(FORBIDDEN_ADDRESS)
  }
})

/** Makes names resolve as given, for this whole process, until the test ends. */
function resolveNames(addressesOf: Record<string, string[]>): void {
  const { lookup } = dns
  onTestFinished(() => {
    dns.lookup = lookup
    syncBuiltinESMExports()
  })
  const own = (name: string, options: LookupOptions, answer: (...result: unknown[]) => void) => {
    const found = (addressesOf[name] ?? []).map((address) => ({ address, family: isIP(address) }))
    const [first] = found
    if (first === undefined) return answer(Object.assign(new Error(`no ${name}`), { code: 'ENOTFOUND' }))
    return options.all ? answer(null, found) : answer(null, first.address, first.family)
  }
  dns.lookup = own as unknown as typeof dns.lookup
  syncBuiltinESMExports()
}

test.each([
  ['this machine', ['127.0.0.1']],
  ['this machine, beside an address that is not', ['203.0.113.7', '127.0.0.1']],
  ['metadata', ['169.254.169.254']],
])('A15: refuses a request to a name that resolves to %s before it connects', async (_, addresses) => {
  const inside = await serveHttp((_request, response) => response.end('secret'))
  const { port } = new URL(inside.url)
  resolveNames({ 'partner.example': addresses, localhost: ['127.0.0.1'] })
  const get = (host: string) =>
    partnerRequest({ method: 'GET', url: `http://${host}:${port}/`, headers: {}, deadlineMs: 2000, maxBytes: 1000 })
  await expect(get('partner.example')).rejects.toMatchObject({ kind: 'foreign_origin', neverSent: true })
  expect(inside.connections()).toBe(0)
  // the same resolver, for a name that says what it is
  expect((await get('localhost')).body.toString()).toBe('secret')
})

test('A15: does not follow an evil `next` link, and sends the bearer nowhere else', async () => {
  const evil = await serveHttp((_request, response) => response.end('{}'))
  const seen: (string | undefined)[] = []
  const partner = await serveHttp((request, response) => {
    seen.push(request.headers.authorization)
    response.setHeader('content-type', 'application/json')
    response.setHeader('link', `<${evil.url}/profiles?offset=1>; rel="next"`)
    response.end(
      JSON.stringify({ total: 2, next: `${evil.url}/profiles?offset=1`, profiles: [{ id: 'p1', next: evil.url }] }),
    )
  })
  const client = createDataClient({
    baseUrl: partner.url,
    apiVersion: '1',
    pageSize: 50,
    getAccessToken: async () => 'bearer-of-the-test',
  })
  await client.listProfilesPage(0)
  await client.listProfilesPage(1)
  expect(seen).toEqual(['Bearer bearer-of-the-test', 'Bearer bearer-of-the-test'])
  expect(evil.connections()).toBe(0)
})
