import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { settings } from '#lib/env.ts'
import { toClientNetwork } from './client-address.ts'

vi.hoisted(() => {
  Object.assign(process.env, { APP_URL: 'http://localhost:3000' })
})

let server: http.Server

beforeAll(async () => {
  // as the web process starts
  await import(new URL('../cli/run/request-door.mjs', import.meta.url).href)
  server = http.createServer((request, response) => {
    const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)])
    response.end(toClientNetwork(new Headers(headers)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(() => new Promise((resolve) => server.close(resolve)))

/** What the server sees of a request from this loopback address with these headers. */
function ask(localAddress: string, headers: Record<string, string> = {}): Promise<string> {
  const { port } = server.address() as AddressInfo
  return new Promise((resolve, reject) => {
    const request = http.get({ host: '127.0.0.1', port, localAddress, headers, agent: false }, (response) => {
      response.setEncoding('utf8').once('data', resolve)
    })
    request.once('error', reject)
  })
}

const behind = (header: string, hops = 1) => {
  settings().clientAddress = { header, hops }
}

test('A18: a request comes from its socket’s address, whatever its headers say', async () => {
  settings().clientAddress = null
  const { addressHeader = '' } = (globalThis as { tieoutDoor?: { addressHeader: string } }).tieoutDoor ?? {}
  expect(addressHeader).toMatch(/^x-client-address-[0-9a-f]{24}$/)
  expect(await ask('127.0.0.5')).toBe('127.0.0.5')
  const spoofed = ['x-forwarded-for', 'x-real-ip', 'forwarded', addressHeader]
  for (const name of spoofed) expect(await ask('127.0.0.6', { [name]: '198.51.100.1' })).toBe('127.0.0.6')
})

test.each([
  ['198.51.100.1', 1, '198.51.100.1'],
  ['203.0.113.9, 198.51.100.1', 1, '198.51.100.1'],
  ['203.0.113.9, 198.51.100.1, 192.0.2.1', 2, '198.51.100.1'],
  ['198.51.100.1:4711', 1, '198.51.100.1'],
  ['[2001:db8:1:2:3::4]:4711', 1, '2001:db8:1:2::/64'],
  ['2001:DB8:1:2:ffff::', 1, '2001:db8:1:2::/64'],
  ['::ffff:198.51.100.1', 1, '198.51.100.1'],
  ['fe80::1%eth0', 1, 'fe80:0:0:0::/64'],
])('A18: behind a configured proxy "%s" with %i hops is %s', async (value, hops, network) => {
  behind('x-forwarded-for', hops)
  expect(await ask('127.0.0.1', { 'X-Forwarded-For': value })).toBe(network)
})

test.each([
  ['no header', {}],
  ['no address in it', { 'x-forwarded-for': 'unknown' }],
  ['fewer hops than configured', { 'x-forwarded-for': '198.51.100.1' }],
  ['another proxy’s header', { 'x-real-ip': '198.51.100.1, 198.51.100.2' }],
])('A18: without a usable word from the proxy (%s) the proxy itself is the origin', async (_, headers) => {
  behind('x-forwarded-for', 2)
  expect(await ask('127.0.0.7', headers)).toBe('127.0.0.7')
})

test('A18: addresses of one IPv6 network count as one, those of another do not', async () => {
  behind('x-real-ip')
  const [first, same, other] = await Promise.all(
    ['2001:db8::1', '2001:db8::ffff:2', '2001:db8:0:1::1'].map((value) => ask('127.0.0.1', { 'x-real-ip': value })),
  )
  expect(same).toBe(first)
  expect(other).not.toBe(first)
})

test('A18: all requests without an address count as one network', () => {
  settings().clientAddress = null
  expect(toClientNetwork(new Headers({ 'x-forwarded-for': '198.51.100.1' }))).toBe('unknown')
})
