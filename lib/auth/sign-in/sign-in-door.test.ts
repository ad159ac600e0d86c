import http from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { settings } from '#lib/env.ts'
import { hashPassword, isBusy, verifyPassword } from '../passwords/password.ts'
import { rememberBrowser } from './known-browser.ts'
import { type DoorRequest, forgiveAtDoor, guardDoor } from './sign-in-door.ts'

vi.hoisted(() => {
  Object.assign(process.env, { APP_URL: 'http://localhost:3000', SESSION_SECRET: 'only-for-tests-'.repeat(3) })
})

const holder = globalThis as {
  tieoutDoor?: { addressHeader: string; restMs: number; refuse?: (request: DoorRequest) => unknown }
  tieoutDoorBuckets?: Map<string, { at: number }>
}

let server: http.Server
/** The requests that came through the door. */
const heard: string[] = []

beforeAll(async () => {
  // as the web process starts
  await import(new URL('../../cli/run/request-door.mjs', import.meta.url).href)
  server = http.createServer((request, response) => {
    heard.push(`${request.method} ${request.url}`)
    request.resume()
    response.writeHead(303).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  guardDoor()
})
afterAll(() => new Promise((resolve) => server.close(resolve)))
beforeEach(() => {
  holder.tieoutDoorBuckets?.clear()
  heard.length = 0
})

type Reply = { status: number; headers: http.IncomingHttpHeaders; body: string }

function send(localAddress: string, headers: Record<string, string> = {}, path = '/api/sign-in', method = 'POST') {
  const { port } = server.address() as AddressInfo
  return new Promise<Reply>((resolve, reject) => {
    const request = http.request({ host: '127.0.0.1', port, localAddress, headers, path, method }, (response) => {
      let body = ''
      response.setEncoding('utf8').on('data', (chunk) => {
        body += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }))
    })
    request.once('error', reject)
    request.end(method === 'POST' ? 'email=a&password=b' : undefined)
  })
}

async function sendMany(count: number, ...rest: Parameters<typeof send>): Promise<number[]> {
  const statuses: number[] = []
  for (let i = 0; i < count; i++) statuses.push((await send(...rest)).status)
  return statuses
}

/** From now on no time passes for what was counted so far. */
function stopTime() {
  for (const bucket of holder.tieoutDoorBuckets?.values() ?? []) bucket.at = Date.now() + 3_600_000
}

const TEN = Array.from({ length: 10 }, () => 303)
const cookieOf = (account: string) => ({ cookie: rememberBrowser(account, null, new Date()).split(';')[0] ?? '' })

test('A18: a flood of forms from one network is turned away before it reaches the server, with a page for people', async () => {
  expect(await sendMany(10, '127.0.0.11')).toEqual(TEN)
  stopTime()
  const spoofed = { 'x-forwarded-for': '198.51.100.1', 'x-real-ip': '198.51.100.2' }
  const { status, headers, body } = await send('127.0.0.11', spoofed, '/api/sign-in?again')
  expect([status, headers['retry-after'], headers['cache-control']]).toEqual([429, '1', 'private, no-store'])
  expect([headers['cross-origin-opener-policy'], headers['cross-origin-resource-policy']]).toEqual([
    'same-origin',
    'same-origin',
  ])
  expect(body).toContain('Please wait one second and try again.')
  expect(heard).toHaveLength(10)
})

test('A18: the flood of one network blocks no other network, and only the form', async () => {
  await sendMany(10, '127.0.0.12')
  stopTime()
  expect(await sendMany(2, '127.0.0.12')).toEqual([429, 429])
  expect((await send('127.0.0.13')).status).toBe(303)
  expect((await send('127.0.0.12', {}, '/sign-in', 'GET')).status).toBe(303)
  expect((await send('127.0.0.12', {}, '/api/sign-out')).status).toBe(303)
})

test('A18: a known browser is counted by itself, and may flood no more than another', async () => {
  await sendMany(10, '127.0.0.14')
  stopTime()
  expect(await sendMany(10, '127.0.0.14', cookieOf('an account'))).toEqual(TEN)
  const forged = { cookie: 'tieout.browser.x=an account.id.9999999999999.seal' }
  expect((await send('127.0.0.14', forged)).status).toBe(429)
  const known = cookieOf('another account')
  await sendMany(10, '127.0.0.14', known)
  stopTime()
  expect((await send('127.0.0.15', known)).status).toBe(429)
})

test('A18: a successful sign-in is not counted, and earlier counts are forgiven', async () => {
  const { addressHeader = '' } = holder.tieoutDoor ?? {}
  const network = new Headers({ [addressHeader]: '127.0.0.16' })
  for (let i = 0; i < 20; i++) {
    expect((await send('127.0.0.16')).status).toBe(303)
    forgiveAtDoor(network, new Date())
  }
  await sendMany(10, '127.0.0.16')
  for (const bucket of holder.tieoutDoorBuckets?.values() ?? []) bucket.at = Date.now() - 100_000
  expect(await sendMany(10, '127.0.0.16')).toEqual(TEN)
})

test('A18: while the queue for passwords is full, strangers are turned away and known browsers are not', async () => {
  const hash = await hashPassword('x')
  const clients = Array.from({ length: 21 }, () => new AbortController())
  const waiting = clients.map(({ signal }) => verifyPassword('y', hash, { signal }))
  expect(isBusy()).toBe(true)
  expect((await send('127.0.0.17')).headers['retry-after']).toBe('10')
  expect((await send('127.0.0.17', cookieOf('an account'))).status).toBe(303)
  for (const client of clients) client.abort()
  await Promise.all(waiting)
  expect((await send('127.0.0.17')).status).toBe(303)
})

test('A18: ten thousand networks are remembered, and the one quiet for longest makes room', () => {
  settings().clientAddress = { header: 'x-real-ip', hops: 1 }
  const refuse = (address: string) =>
    holder.tieoutDoor?.refuse?.({ method: 'POST', url: '/api/sign-in', headers: { 'x-real-ip': address } })
  const toAddress = (i: number) => `10.1.${i >> 8}.${i & 255}`
  for (let i = 0; i < 10_500; i++) {
    refuse(toAddress(i))
    if (i < 10) refuse('10.0.0.1')
    if (i === 10) stopTime()
    // a network that keeps asking is not forgotten
    if (i >= 10 && i % 100 === 0) expect(refuse('10.0.0.1')).toBeDefined()
  }
  settings().clientAddress = null
  expect(holder.tieoutDoorBuckets?.size).toBe(10_000)
})

test('A18: who drips on after the answer, refused or not, loses the connection', async () => {
  Object.assign(holder.tieoutDoor ?? {}, { restMs: 50 })
  const { port } = server.address() as AddressInfo
  const drip = (localAddress: string) =>
    new Promise<string>((resolve) => {
      const socket = connect({ host: '127.0.0.1', port, localAddress })
      let answer = ''
      socket.on('data', (data) => {
        answer += data
      })
      socket.on('error', () => undefined)
      socket.write('POST /api/sign-in HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1000\r\n\r\n')
      let sent = 0
      const timer = setInterval(() => {
        sent += 1
        // before the last byte: it did not end by itself
        if (sent > 500) resolve('still open')
        else socket.write('a')
      }, 5)
      socket.on('close', () => {
        clearInterval(timer)
        resolve(answer)
      })
    })
  expect(await drip('127.0.0.17')).toMatch(/^HTTP\/1\.1 303 /)
  await sendMany(10, '127.0.0.18')
  stopTime()
  expect(await drip('127.0.0.18')).toMatch(/^HTTP\/1\.1 429 /)
})
