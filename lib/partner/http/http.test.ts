import type http from 'node:http'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { PartnerError } from '../partner-error.ts'
import { findClosedPort, serveHttp, serveSocket } from '../test-support/test-loopback.ts'
import { assertPartnerUrl, type PartnerRequest, partnerRequest } from './http.ts'

const LIMITS = { deadlineMs: 5_000, maxBytes: 100_000 }

function get(url: string, change: Partial<PartnerRequest> = {}) {
  return partnerRequest({ method: 'GET', url, headers: {}, ...LIMITS, ...change })
}

async function failureOf(call: Promise<unknown>): Promise<PartnerError> {
  const outcome = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(outcome instanceof PartnerError)) throw new Error(`Expected a PartnerError, got ${outcome}`)
  return outcome
}

test('sends method, headers and body, and returns status, headers, body and time', async () => {
  let seen: { method?: string; headers?: http.IncomingHttpHeaders; body?: string } = {}
  const server = await serveHttp(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    seen = { method: request.method, headers: request.headers, body }
    response.writeHead(418, { 'X-Kind': 'pot' }).end('tea')
  })
  const before = Date.now()
  const response = await get(server.url, { method: 'POST', body: 'ä=1', headers: { authorization: 'Bearer t' } })
  expect(seen).toMatchObject({
    method: 'POST',
    body: 'ä=1',
    headers: { authorization: 'Bearer t', 'content-length': '4' },
  })
  expect(response).toMatchObject({ status: 418, headers: { 'x-kind': 'pot' } })
  expect(response.body.toString()).toBe('tea')
  expect(response.receivedAt.getTime()).toBeGreaterThanOrEqual(before)
})

test('reuses a connection for data, and opens a new one where a call must not meet a stale socket', async () => {
  const server = await serveHttp((_request, response) => response.end('x'))
  await get(server.url)
  await get(server.url)
  expect(server.connections()).toBe(1)
  await get(server.url, { freshConnection: true })
  await get(server.url, { freshConnection: true })
  expect(server.connections()).toBe(3)
})

// 4.5 s of real time: how long a connection is idle is told by the system's clock
test('an idle connection is closed by us, before the partner does; an answer may take longer than that', {
  timeout: 30_000,
}, async () => {
  async function answerAfter(ms: number, header = '') {
    let noteClosed = () => {}
    const closedByUs = new Promise<void>((resolve) => {
      noteClosed = resolve
    })
    const { url } = await serveSocket((socket) => {
      const answer = () => socket.write(`HTTP/1.1 200 OK\r\n${header}Content-Length: 1\r\n\r\nx`)
      socket.once('data', () => setTimeout(answer, ms)).once('end', noteClosed)
    })
    return { url, closedByUs }
  }
  const [quick, announced, slow] = await Promise.all([
    answerAfter(0),
    answerAfter(0, 'Keep-Alive: timeout=2\r\n'),
    answerAfter(4500),
  ])
  const answers = await Promise.all([quick, announced, slow].map(({ url }) => get(url, { deadlineMs: 30_000 })))
  expect(answers.map(({ body }) => body.toString())).toEqual(['x', 'x', 'x'])
  await Promise.all([quick.closedByUs, announced.closedByUs])
})

test('reads a gzipped answer', async () => {
  const server = await serveHttp((request, response) => {
    expect(request.headers['accept-encoding']).toBe('gzip')
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{"a":1}'))
  })
  expect((await get(server.url)).body.toString()).toBe('{"a":1}')
})

test('does not open a known body, and asks only for that of a success', async () => {
  const known = gzipSync('{"a":1}')
  let status = 200
  const server = await serveHttp((_request, response) => {
    response.writeHead(status, { 'content-encoding': 'gzip' }).end(known)
  })
  const isKnown = (wireBody: Buffer) => wireBody.equals(known)
  expect(await get(server.url, { isKnown })).toMatchObject({ isKnown: true, body: Buffer.alloc(0) })
  const opened = await get(server.url, { isKnown: () => false })
  expect([opened.isKnown, opened.body.toString()]).toEqual([false, '{"a":1}'])
  status = 503
  const failed = await get(server.url, { isKnown })
  expect([failed.isKnown, failed.body.toString()]).toEqual([false, '{"a":1}'])
})

test('a request that cannot be written is an ordinary failure, and was never sent', async () => {
  const failure = await failureOf(get('http://127.0.0.1:9/', { headers: { authorization: 'Bearer two\nlines' } }))
  expect(failure.neverSent).toBe(true)
})

test('A15: follows no redirect and sends nothing to its target', async () => {
  const target = await serveHttp((_request, response) => response.end('no'))
  for (const status of [301, 302, 303, 307, 308]) {
    const server = await serveHttp((_request, response) => response.writeHead(status, { location: target.url }).end())
    expect(await failureOf(get(server.url))).toMatchObject({ kind: 'redirect', status, retryable: false })
  }
  expect(target.connections()).toBe(0)
})

describe('F10: classifies a failing network, within the deadline', () => {
  test('a name that does not exist', async () => {
    const failure = await failureOf(get('http://nowhere.invalid/secret?code=abc'))
    expect(failure).toMatchObject({ kind: 'dns', retryable: true, neverSent: true })
    expect(failure.message).toBe('The name of nowhere.invalid could not be resolved')
  })

  test('nobody listening', async () => {
    const failure = await failureOf(get(`http://127.0.0.1:${await findClosedPort()}`))
    expect(failure).toMatchObject({ kind: 'refused', retryable: true, neverSent: true })
  })

  test('a reset before the answer, in its headers and in its body', async () => {
    const beginnings = ['', 'HTTP/1.1 200 OK\r\nContent-', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"a":']
    for (const beginning of beginnings) {
      const server = await serveSocket((socket) => {
        socket.once('data', () => socket.write(beginning, () => socket.resetAndDestroy()))
      })
      expect(await failureOf(get(server.url)), beginning).toMatchObject({
        kind: 'reset',
        retryable: true,
        neverSent: false,
      })
    }
  })

  test('a connection closed before the announced length or the last chunk', async () => {
    const beginnings = ['Content-Length: 100\r\n\r\n{"a":1}', 'Transfer-Encoding: chunked\r\n\r\n7\r\n{"a":1}\r\n']
    for (const beginning of beginnings) {
      const server = await serveSocket((socket) => {
        socket.once('data', () => socket.end(`HTTP/1.1 200 OK\r\n${beginning}`))
      })
      expect(await failureOf(get(server.url)), beginning).toMatchObject({ kind: 'reset' })
    }
  })

  test('half-open TCP: connected, and silence', async () => {
    const server = await serveSocket(() => {})
    const failure = await failureOf(get(server.url, { deadlineMs: 100 }))
    expect(failure).toMatchObject({ kind: 'timeout', retryable: true, neverSent: false })
  })

  test('a server that does not speak TLS', async () => {
    const server = await serveSocket((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
    const failure = await failureOf(get(server.url.replace('http:', 'https:')))
    expect(failure).toMatchObject({ kind: 'tls', retryable: true, neverSent: true })
  })

  test('an answer that is not HTTP', async () => {
    const server = await serveSocket((socket) => socket.once('data', () => socket.end('SSH-2.0-OpenSSH\r\n')))
    expect(await failureOf(get(server.url))).toMatchObject({ kind: 'reset', neverSent: false })
  })
})

describe('F22: bounds a hostile answer in memory and time', () => {
  test('slow-loris headers and a body that drips', async () => {
    const beginnings = ['HTTP/1.1 200 OK\r\n', 'HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n']
    for (const beginning of beginnings) {
      const server = await serveSocket((socket) => {
        socket.write(beginning)
        const drip = setInterval(() => socket.write('x'), 10)
        socket.on('close', () => clearInterval(drip))
      })
      const startedAt = performance.now()
      expect(await failureOf(get(server.url, { deadlineMs: 150 }))).toMatchObject({ kind: 'timeout' })
      expect(performance.now() - startedAt).toBeLessThan(2_000)
    }
  })

  test('a body announced as too large is not read', async () => {
    const server = await serveHttp((_request, response) => {
      response.writeHead(200, { 'content-length': '104857600' })
      response.write('x')
    })
    expect(await failureOf(get(server.url))).toMatchObject({ kind: 'too_large' })
  })

  test('an endless body is cut off at the limit', async () => {
    let sent = 0
    const server = await serveHttp((_request, response) => {
      const block = Buffer.alloc(64 * 1024, 'x')
      const more = () => {
        for (let hasRoom = true; hasRoom && !response.destroyed; sent += block.length) hasRoom = response.write(block)
      }
      response.on('drain', more)
      more()
    })
    expect(await failureOf(get(server.url))).toMatchObject({ kind: 'too_large' })
    expect(sent).toBeLessThan(20_000_000)
  })

  test('a gzip bomb is cut off once inflated to the limit', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000))
    expect(bomb.length).toBeLessThan(LIMITS.maxBytes)
    const server = await serveHttp((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb)
    })
    expect(await failureOf(get(server.url))).toMatchObject({ kind: 'too_large' })
  })

  test('gzip that goes on without inflating to anything', async () => {
    const server = await serveHttp((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' })
      response.write(gzipSync('').subarray(0, 10))
      // Stored blocks of length zero: bytes on the wire, nothing in memory.
      response.end(Buffer.from('000000ffff'.repeat(100_000), 'hex'))
    })
    expect(await failureOf(get(server.url))).toMatchObject({ kind: 'too_large' })
  })

  test('gzip that is cut off, is not gzip, or comes in another encoding', async () => {
    const bodies = [
      { encoding: 'gzip', body: gzipSync('{"a":1}'.repeat(100)).subarray(0, 20) },
      { encoding: 'gzip', body: Buffer.from('{"a":1}') },
      { encoding: 'br', body: Buffer.from('x') },
    ]
    for (const { encoding, body } of bodies) {
      const server = await serveHttp((_request, response) => {
        response.writeHead(200, { 'content-encoding': encoding }).end(body)
      })
      expect(await failureOf(get(server.url))).toMatchObject({ kind: 'bad_encoding', retryable: true })
    }
  })

  test('a socket that dies within a gzipped body', async () => {
    const server = await serveSocket((socket) => {
      const half = gzipSync('{"a":1}'.repeat(100)).subarray(0, 20)
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 1000\r\n\r\n')
        socket.write(half, () => socket.resetAndDestroy())
      })
    })
    expect(await failureOf(get(server.url))).toMatchObject({ kind: 'reset' })
  })
})

test('A15: accepts addresses of the configured origin only', () => {
  const origin = 'https://api.partner.example/v1'
  expect(assertPartnerUrl('https://api.partner.example/invoices?x=1', origin).pathname).toBe('/invoices')
  const foreign = [
    'http://api.partner.example/',
    'https://api.partner.example:8443/',
    'https://api.partner.example.evil.example/',
    'https://api.partner.example@evil.example/',
    'https://user:pass@api.partner.example/',
    '//evil.example/',
    '/invoices',
    'javascript:alert(1)',
    '',
  ]
  for (const url of foreign) expect(() => assertPartnerUrl(url, origin), url).toThrow(PartnerError)
})
