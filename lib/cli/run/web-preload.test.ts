import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { toChildEnvironment } from '#lib/env.ts'
import { countSockets } from '#lib/world/count-sockets.ts'
import { type ManagedProcess, startProcess } from '../processes/managed-process.ts'

let folder: string
let logFile: string
let child: ManagedProcess | undefined

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tieout-preload-'))
  logFile = join(folder, 'web.log')
})
afterEach(async () => {
  await child?.stop(true)
  child = undefined
  rmSync(folder, { recursive: true })
})

const preload = (file: string) => ['--import', new URL(file, import.meta.url).href]
function run(preloads: string[], code: string): ManagedProcess {
  const args = [...preloads.flatMap(preload), '-e', code]
  child = startProcess({ args, env: toChildEnvironment({}), logFile, stopWithinMs: 0 })
  return child
}
const readLog = () => readFileSync(logFile, 'utf8')

/** A server that, like Next.js, takes every upgrade and then does nothing with it. */
const SERVER = `const server = require('node:http').createServer((request, response) => {
    if (request.url === '/endless') {
      while (response.write('x'.repeat(65536))) {}
      response.on('drain', () => { while (response.write('x'.repeat(65536))) {} })
      return setTimeout(() => { response.destroy(); console.log('given up') }, 500)
    }
    response.end(JSON.stringify({ method: request.method, url: request.url, timeout: server.timeout }))
  })
  server.on('upgrade', () => {})
  server.addListener('upgrade', () => {})
  server.listen(0, '127.0.0.1', () => require('node:fs').writeSync(1, server.address().port + '\\n'))`

async function startServer(query = ''): Promise<number> {
  run([`./web-preload.mjs${query}`], SERVER)
  return vi.waitFor(() => {
    const port = Number(/^(\d+)\n/.exec(readLog())?.[1])
    expect(port).toBeGreaterThan(0)
    return port
  }, 10_000)
}

/** What keeps an answer apart from other sites' windows and pages. */
const APART = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'x-permitted-cross-domain-policies': 'none',
}

type Reply = { status: number; headers: Record<string, unknown>; body: string }

function ask(
  port: number,
  path: string,
  method = 'GET',
  headers: Record<string, string | string[]> = {},
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const asked = request({ port, host: '127.0.0.1', path, method, headers }, (reply) => {
      let body = ''
      reply.setEncoding('utf8')
      reply.on('data', (text) => {
        body += text
      })
      reply.on('end', () => resolve({ status: reply.statusCode ?? 0, headers: reply.headers, body }))
    })
    asked.on('error', reject)
    asked.end()
  })
}

describe('before Next.js', () => {
  test.each(['websocket', 'h2c'])(
    'A20: answers a request to upgrade to %s like any other, and ends its socket',
    async (protocol) => {
      const port = await startServer()
      const socket = connect({ port, host: '127.0.0.1' })
      let text = ''
      const ended = new Promise<string>((resolve) => socket.once('end', () => resolve(text)))
      socket.on('data', (data) => {
        text += data.toString()
      })
      socket.write(`GET /lines HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, close\r\nUpgrade: ${protocol}\r\n\r\n`)
      expect(await ended).toMatch(/^HTTP\/1.1 200 OK[\s\S]*"url":"\/lines"/)
    },
  )

  test.each(['OPTIONS', 'POST', 'PUT'])(
    'A25: %s of a file of the build is refused, like what no file has',
    async (method) => {
      const port = await startServer()
      for (const path of ['/_next/static/chunks/a.js?x', '/icon.svg']) {
        const { status, headers } = await ask(port, path, method)
        expect([status, headers.allow], path).toEqual([405, 'GET, HEAD'])
      }
      expect((await ask(port, '/_next/static/chunks/a.js')).status).toBe(200)
      expect((await ask(port, '/lines', method)).status).toBe(200)
    },
  )

  test.each(['TRACE', 'PROPFIND', 'LINK'])('A25: %s is refused, before there is anything to log', async (method) => {
    const port = await startServer()
    const { status, headers, body } = await ask(port, '/lines', method)
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE'])
    expect(JSON.parse(body).error.code).toBe('method-not-allowed')
    expect(headers).toMatchObject({
      'cache-control': 'private, no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      ...APART,
    })
  })

  test.each([
    ['half a surrogate', '/api/connections/%ED%A0%80/sync', {}],
    ['a percent sign alone', '/%', {}],
    ['bytes that are not text', '/lines/%FF', {}],
    ['an address that names a server', 'http://evil.example/x', {}],
    ['an address that names a server without a scheme', '//evil.example/x', {}],
    ['the same with a backslash', '/\\evil.example/x', {}],
    ['router state that is not JSON', '/lines', { rsc: '1', 'next-router-state-tree': 'x' }],
    ['router state of another shape', '/lines', { rsc: '1', 'next-router-state-tree': '%5B%22%22%5D' }],
    ['router state twice', '/lines', { 'next-router-state-tree': ['%5B%22%22%2C%7B%7D%5D', '%5B%22%22%2C%7B%7D%5D'] }],
  ])('A14: %s is a bad request', async (_, path, headers) => {
    const port = await startServer()
    const reply = await ask(port, path, 'GET', headers as Record<string, string>)
    expect([reply.status, JSON.parse(reply.body).error.code]).toEqual([400, 'bad-request'])
  })

  test('everything else passes unchanged', async () => {
    const port = await startServer()
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const path = `/lines/%E2%82%AC?q=%ED%A0%80&m=${method}`
      const state = { 'next-router-state-tree': '%5B%22%22%2C%7B%7D%5D' }
      const { status, body, headers } = await ask(port, path, method, state)
      expect([status, JSON.parse(body)]).toMatchObject([200, { method, url: path }])
      expect(headers).not.toHaveProperty('strict-transport-security')
    }
  })

  test('A18: cuts an idle connection after two minutes', async () => {
    const port = await startServer()
    expect(JSON.parse((await ask(port, '/')).body).timeout).toBe(120_000)
  })

  test.skipIf(countSockets(1) === null)(
    'A18: resets a reply that is given up, so nothing waits for a stopped reader',
    async () => {
      const port = await startServer()
      const socket = connect({ port, host: '127.0.0.1' })
      socket.on('error', () => undefined)
      socket.once('data', () => socket.pause())
      socket.write('GET /endless HTTP/1.1\r\nHost: x\r\n\r\n')
      await vi.waitFor(() => expect(readLog()).toContain('given up'), 10_000)
      expect(countSockets(port)).toBe(0)
      socket.destroy()
    },
  )

  test('A12: with a public https address every reply says so for the next year', async () => {
    const port = await startServer('?https=1')
    for (const [path, method] of [
      ['/', 'GET'],
      ['/%', 'GET'],
      ['/', 'TRACE'],
    ] as const)
      expect((await ask(port, path, method)).headers['strict-transport-security']).toBe('max-age=31536000')
  })
})

/** What Next.js, Node and we ourselves print before the end. */
const TALK = `const { createRequire } = require('node:module')
  console.log('\\u001b[31mred\\u001b[0m, then\\r\\nanother line\\u2028\\u009b and more')
  console.error('failed', new Error('first\\nsecond'))
  console.warn('\\u26a0 careful')
  console.log('')
  console.log('{"level":60,\\n"msg":"forged"}')
  process.stdout.write(Buffer.from('bytes'))
  process.emitWarning('an old interface')
  require('pino')({ base: null }).info({ page: '/lines' }, 'our own event')
  setTimeout(() => { throw new Error('the end') }, 100)`

test('A25: every line that the web server prints is one JSON line, its last words too', async () => {
  expect(await run(['./console-lines.mjs'], TALK).exited).toBe('exit code 1')
  const lines = readLog()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { level: number; time: unknown; msg: string; page?: string })
  expect(lines).toMatchObject([
    { level: 30, msg: 'red, then\r\nanother line\u2028\u009b and more' },
    { level: 50, msg: expect.stringMatching(/^failed Error: first\nsecond\n {4}at/) },
    { level: 40, msg: '⚠ careful' },
    { level: 30, msg: '{"level":60,\n"msg":"forged"}' },
    { level: 30, msg: 'bytes' },
    { level: 30, msg: 'our own event', page: '/lines' },
    { level: 40, msg: expect.stringContaining('an old interface') },
    { level: 50, msg: expect.stringContaining('Error: the end') },
  ])
  for (const line of lines) expect(line.time).toBeTruthy()
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
  expect(readLog()).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029]/)
})

test('A25: an endless message does not fill the log by itself', async () => {
  await run(['./console-lines.mjs'], `console.error('x'.repeat(1_000_000))`).exited
  expect(readLog().length).toBeLessThan(10_000)
})
