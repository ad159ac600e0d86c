import dns, { type LookupAddress, type LookupOptions } from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'
import { isIP } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { parseSettings, settings } from '#lib/env.ts'
import { serveHttp, serveTls } from '../test-support/test-loopback.ts'
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
const settingsWith =
  (url: string, changes: Record<string, string> = {}) =>
  () =>
    parseSettings({
      NODE_ENV: 'production',
      PARTNER_BASE_URL: url,
      PARTNER_AUTH_URL: 'https://auth.example',
      PARTNER_CLIENT_ID: 'c',
      PARTNER_CLIENT_SECRET: 's',
      ...changes,
    })

test.each([
  ...METADATA,
  'http://partner.example',
  'http://10.0.0.7',
  'ftp://partner.example',
  'https://user:pass@partner.example',
])('A15: production mode refuses a partner at %s at the start', (url) => {
  for (const PARTNER_PRIVATE_ADDRESSES of ['allowed', 'refused'])
    expect(settingsWith(url, { PARTNER_PRIVATE_ADDRESSES })).toThrow('PARTNER_BASE_URL')
})

const PRIVATE = [
  'http://localhost:4010',
  'http://127.0.0.1:4010',
  'http://[::1]:4010',
  'http://[::ffff:127.0.0.1]:4010',
  'https://10.0.0.7',
  'https://100.64.0.1',
  'https://[fd12::7]',
]

test.each(PRIVATE)('A15: production mode refuses a partner at %s unless the operator allows it', (url) => {
  const sentence = 'PARTNER_BASE_URL: must not be of this machine or a private network in production'
  expect(settingsWith(url)).toThrow(sentence)
  expect(settingsWith(url, { PARTNER_PRIVATE_ADDRESSES: 'allowed' })().partner?.baseUrl).toBe(url)
  expect(settingsWith(url, { NODE_ENV: 'development' })().partner?.baseUrl).toBe(url)
})

test('A15: accepts a partner at a public name or address', () => {
  for (const url of ['https://partner.example/api', 'https://8.8.8.8', 'https://[2606:4700::1111]'])
    expect(settingsWith(url)().partner?.baseUrl).toBe(url)
})

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

/**
 * Makes names resolve as given, for this whole process, until the test ends. Returns the names that
 * were asked for.
 */
function resolveNames(addressesOf: Record<string, string[] | (() => string[])>): string[] {
  const asked: string[] = []
  const { lookup } = dns
  onTestFinished(() => {
    dns.lookup = lookup
    syncBuiltinESMExports()
  })
  const own = (name: string, options: LookupOptions, answer: (...result: unknown[]) => void) => {
    asked.push(name)
    const given = addressesOf[name] ?? []
    const found = (typeof given === 'function' ? given() : given).map((address) => ({ address, family: isIP(address) }))
    const [first] = found
    if (first === undefined) return answer(Object.assign(new Error(`no ${name}`), { code: 'ENOTFOUND' }))
    return options.all ? answer(null, found) : answer(null, first.address, first.family)
  }
  dns.lookup = own as unknown as typeof dns.lookup
  syncBuiltinESMExports()
  return asked
}

/** What a name server says to `name`, in turn; the last answer from then on. */
function inTurn(...answers: string[][]): () => string[] {
  return () => (answers.length > 1 ? answers.shift() : answers[0]) ?? []
}

/** As in production, where the operator has not allowed private addresses. */
function refusePrivateAddresses(): void {
  settings().mayPartnerBePrivate = false
  onTestFinished(() => {
    settings().mayPartnerBePrivate = true
  })
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

const SPECIAL = {
  'this machine': ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1', '::127.0.0.1', '64:ff9b::7f00:1'],
  'a private network': ['10.0.0.7', '172.31.255.255', '192.168.1.1', 'fc00::1', 'fd12:3456::1', '::ffff:10.0.0.7'],
  'carrier NAT': ['100.64.0.1', '100.127.255.255'],
  'another network’s inside, by 6to4, NAT64 or Teredo': [
    '2002:7f00:1::1',
    '2002:a00:7::1',
    '2002:808:808::1',
    '64:ff9b::a00:7',
    '64:ff9b:1::a00:7',
    '2001::1',
  ],
  'everybody at once': ['224.0.0.1', '239.255.255.255', '255.255.255.255', 'ff02::1', 'ff0e::1'],
  'documentation, benchmarks, reserved': [
    '192.0.2.1',
    '198.51.100.1',
    '203.0.113.7',
    '198.18.0.1',
    '192.0.0.8',
    '192.88.99.1',
    '240.0.0.1',
    '2001:db8::1',
    '3fff::1',
    '100::1',
    '5f00::1',
    'fec0::1',
    '4000::1',
  ],
}

test.each(Object.entries(SPECIAL))('A15: in production no partner is %s', (_, addresses) => {
  for (const address of addresses) expect(isForbiddenAddress(address), address).toBe(false)
  refusePrivateAddresses()
  for (const address of addresses) expect(isForbiddenAddress(address), address).toBe(true)
})

test('A15: public addresses are reached, also through NAT64', () => {
  refusePrivateAddresses()
  for (const address of ['8.8.8.8', '100.63.255.255', '100.128.0.1', '172.15.255.255', '172.32.0.1', '192.0.1.1'])
    expect(isForbiddenAddress(address), address).toBe(false)
  for (const address of ['2606:4700::1111', '2a00:1450::1', '64:ff9b::808:808', '::ffff:8.8.8.8', '2001:4860::1'])
    expect(isForbiddenAddress(address), address).toBe(false)
})

test('A15: metadata and link-local are refused even where private addresses are allowed, inside any other', () => {
  for (const address of ['169.254.169.254', '2002:a9fe:a9fe::1', '64:ff9b::a9fe:a9fe', '64:ff9b:1::a9fe:a9fe'])
    expect(isForbiddenAddress(address), address).toBe(true)
  for (const address of ['::169.254.169.254', '::ffff:0:169.254.169.254', 'fe80::1%eth0', 'fd20:ce::254'])
    expect(isForbiddenAddress(address), address).toBe(true)
})

const get = (url: string) =>
  partnerRequest({ method: 'GET', url, headers: {}, deadlineMs: 2000, maxBytes: 1000, freshConnection: true })

test('A15: in production nothing is sent to this machine, by its address or by a name', async () => {
  refusePrivateAddresses()
  const inside = await serveHttp((_request, response) => response.end('secret'))
  const { port } = new URL(inside.url)
  resolveNames({ 'partner.example': ['8.8.8.8', '10.0.0.7'], localhost: ['127.0.0.1'] })
  for (const host of ['127.0.0.1', '[::ffff:127.0.0.1]', 'localhost', 'partner.example'])
    await expect(get(`http://${host}:${port}/`), host).rejects.toMatchObject({
      kind: 'foreign_origin',
      neverSent: true,
    })
  expect(inside.connections()).toBe(0)
})

test('A15: a name that is rebound after the check changes nothing: one look-up for each connection', async () => {
  const partner = await serveHttp((_request, response) => response.end('partner'))
  const host = `rebound.localhost:${new URL(partner.url).port}`
  const asked = resolveNames({ 'rebound.localhost': inTurn(['127.0.0.1'], ['169.254.169.254']) })
  expect((await get(`http://${host}/`)).body.toString()).toBe('partner')
  expect(asked).toEqual(['rebound.localhost'])
  await expect(get(`http://${host}/`)).rejects.toMatchObject({ kind: 'foreign_origin', neverSent: true })
  expect([asked.length, partner.connections()]).toEqual([2, 1])
})

test('A15: TLS asks for the certificate of the name, not of the address that was checked', async () => {
  const names: string[] = []
  const partner = await serveTls((servername) => names.push(servername))
  resolveNames({ 'partner.localhost': ['127.0.0.1'] })
  await expect(get(`https://partner.localhost:${new URL(partner.url).port}/`)).rejects.toMatchObject({ kind: 'tls' })
  expect(names).toEqual(['partner.localhost'])
})
