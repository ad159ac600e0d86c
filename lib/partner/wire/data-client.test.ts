import type http from 'node:http'
import { describe, expect, test } from 'vitest'
import { PartnerError } from '../partner-error.ts'
import { serveHttp } from '../test-support/test-loopback.ts'
import { createDataClient, type DataClientOptions } from './data-client.ts'

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' }

async function connect(answer: http.RequestListener, change: Partial<DataClientOptions> = {}) {
  const server = await serveHttp(answer)
  return createDataClient({
    baseUrl: `${server.url}/v1/`,
    apiVersion: '1',
    pageSize: 50,
    getAccessToken: async () => 'TOPSECRET',
    ...change,
  })
}

/** The failure of one page of lines for such an answer. */
async function failureOf(status: number, body: string | Buffer, headers: http.OutgoingHttpHeaders = JSON_TYPE) {
  const client = await connect((_request, response) => response.writeHead(status, headers).end(body))
  const outcome = await client.listLinesPage({ offset: 0 }).catch((thrown: unknown) => thrown)
  if (!(outcome instanceof PartnerError)) throw new Error(`Expected a PartnerError, got ${JSON.stringify(outcome)}`)
  expect(`${outcome.message} ${outcome.evidence}`).not.toContain('TOPSECRET')
  return outcome
}

test('asks for a page as the contract wants and returns its records byte for byte', async () => {
  const seen: { url?: string; headers?: http.IncomingHttpHeaders } = {}
  const client = await connect((request, response) => {
    Object.assign(seen, { url: request.url, headers: request.headers })
    response
      .writeHead(200, JSON_TYPE)
      .end('{"total":"2","offset":"50","limit":50,"invoice_lines":[ {"id":1.0} ,{"a":"Zürich"}]}')
  })
  const page = await client.listLinesPage({
    offset: 50,
    filters: { profile_id: 'p&1', status: undefined, issuing_date_gte: '2026-01-01' },
  })
  expect(page).toEqual({
    total: 2,
    offset: 50,
    records: ['{"id":1.0}', '{"a":"Zürich"}'],
    bytes: 85,
    bodyHash: expect.stringMatching(/^[0-9a-f]{64}$/),
  })
  expect(seen.url).toBe('/v1/invoices/lines?profile_id=p%261&issuing_date_gte=2026-01-01&offset=50&limit=50')
  expect(seen.headers).toMatchObject({ authorization: 'Bearer TOPSECRET', 'api-version': '1' })
})

test('returns null for a page of lines with the known hash, and reads one that differs by a byte', async () => {
  let body = '{"total":1,"offset":0,"limit":50,"invoice_lines":[{"id":"a"}]}'
  const client = await connect((_request, response) => response.writeHead(200, JSON_TYPE).end(body))
  const knownBodyHash = (await client.listLinesPage({ offset: 0 }))?.bodyHash
  expect(await client.listLinesPage({ offset: 0, knownBodyHash })).toBeNull()
  body = body.replace('"a"', '"b"')
  expect(await client.listLinesPage({ offset: 0, knownBodyHash })).toMatchObject({ records: ['{"id":"b"}'] })
})

test('reads invoices and profiles from their own lists, and clamps the page size to what is accepted', async () => {
  const urls: string[] = []
  const client = await connect(
    (request, response) => {
      urls.push(request.url ?? '')
      response.writeHead(200, JSON_TYPE).end('{"invoices":[1],"profiles":[2,3]}')
    },
    { pageSize: 500 },
  )
  expect(await client.listInvoicesPage({ offset: 0, filters: { sort: 'issuing_date' } })).toMatchObject({
    total: null,
    offset: 0,
    records: ['1'],
  })
  expect(await client.listProfilesPage(10)).toMatchObject({ offset: 10, records: ['2', '3'] })
  expect(urls).toEqual(['/v1/invoices?sort=issuing_date&offset=0&limit=50', '/v1/profiles?offset=10&limit=50'])
})

describe('F28: statuses tell the caller what to do', () => {
  test('401 asks for a new token, 403 names what is missing', async () => {
    expect(await failureOf(401, '{"detail":"Token TOPSECRET expired"}')).toMatchObject({
      kind: 'unauthorized',
      status: 401,
      retryable: false,
    })
    expect(await failureOf(403, '{"detail":"Scope expenses:read is missing"}')).toMatchObject({
      kind: 'forbidden',
      retryable: false,
      message: '/invoices/lines answered 403: Scope expenses:read is missing',
    })
  })

  test('F11: 429 and 503 say how long to wait, in seconds or as a date', async () => {
    expect(await failureOf(429, '', { 'retry-after': '7' })).toMatchObject({
      kind: 'throttled',
      retryAfterMs: 7_000,
      retryable: true,
    })
    const later = new Date(Date.now() + 3_600_000).toUTCString()
    const failure = await failureOf(503, '', { 'retry-after': later })
    expect(failure.kind).toBe('throttled')
    expect(failure.retryAfterMs).toBeGreaterThan(3_500_000)
    expect((await failureOf(429, '')).retryAfterMs).toBeUndefined()
  })

  test('other 5xx may pass, other 4xx will not, and no other success is a page', async () => {
    expect(await failureOf(502, '<h1>Bad Gateway</h1>')).toMatchObject({
      kind: 'unavailable',
      status: 502,
      retryable: true,
    })
    expect(await failureOf(400, '{"limit":["Max 50"]}')).toMatchObject({
      kind: 'rejected',
      retryable: false,
      message: '/invoices/lines answered 400: limit: Max 50',
    })
    expect(await failureOf(204, '')).toMatchObject({ kind: 'bad_body', retryable: true })
  })
})

describe('F22: a body that breaks the interface is a bad answer with evidence, never an empty page', () => {
  test.each([
    ['HTML with 200', '<html>Please sign in</html>', { 'content-type': 'text/html' }, '<html>Please sign in</html>'],
    ['HTML that claims to be JSON', '<html>', JSON_TYPE, '<html>'],
    ['truncated JSON', '{"total":1,"invoice_lines":[{"id":"1"', JSON_TYPE, '{"total":1,"invoice_lines":[{"id":"1"'],
    ['an error with 200', '{"error":"oops"}', JSON_TYPE, '{"error":"oops"}'],
    ['an empty body', '', JSON_TYPE, ''],
    [
      'bytes that are no UTF-8',
      Buffer.from('{"invoice_lines":["\xff"]}', 'latin1'),
      JSON_TYPE,
      '{"invoice_lines":["�"]}',
    ],
    [
      'a token',
      '{"access_token":"TOPSECRET", "Bearer": "TOPSECRET"}',
      JSON_TYPE,
      '{"access_token":"[masked]", "Bearer": "[masked]"}',
    ],
  ])('%s', async (_name, body, headers, evidence) => {
    expect(await failureOf(200, body, headers)).toMatchObject({
      kind: 'bad_body',
      retryable: true,
      status: 200,
      evidence,
    })
  })

  test('a page larger than the limit', async () => {
    const client = await connect(
      (_request, response) => response.writeHead(200, JSON_TYPE).end(`[${' '.repeat(2000)}`),
      { maxBytes: 1000 },
    )
    await expect(client.listProfilesPage(0)).rejects.toMatchObject({ kind: 'too_large', retryable: true })
  })

  test('cuts out a bad record and leaves it to its own parsing', async () => {
    const client = await connect((_request, response) =>
      response
        .writeHead(200, { 'content-type': 'text/json' })
        .end('\uFEFF{"total":2,"profiles":[{"id":01},{"id":"2"}]}'),
    )
    expect((await client.listProfilesPage(0)).records).toEqual(['{"id":01}', '{"id":"2"}'])
  })
})

const PDF = Buffer.from('\n%PDF-1.7 \xff\xfe', 'latin1')

test('reads an invoice’s document byte for byte, whatever its content type says', async () => {
  const seen: (string | undefined)[] = []
  const client = await connect((request, response) => {
    seen.push(request.url)
    response.writeHead(200, { 'content-type': 'text/html' }).end(PDF)
  })
  expect(await client.readDocument('A/1 ü')).toEqual(PDF)
  expect(seen).toEqual(['/v1/invoices/A%2F1%20%C3%BC/pdf'])
})

test('an invoice without a document, or whose name is another address, has none', async () => {
  const seen: (string | undefined)[] = []
  const client = await connect((request, response) => {
    seen.push(request.url)
    response.writeHead(404, JSON_TYPE).end('{"detail":"Not found."}')
  })
  expect(await client.readDocument('A-1')).toBeNull()
  expect(await client.readDocument('..')).toBeNull()
  expect(seen).toEqual(['/v1/invoices/A-1/pdf'])
})

test('a document that is not a PDF, or too large, is not passed on', async () => {
  const client = await connect((_request, response) => response.writeHead(200).end('<html>Sign in: TOPSECRET</html>'))
  const refused = await client.readDocument('A-1').catch((thrown: unknown) => thrown)
  expect(refused).toMatchObject({ kind: 'bad_body' })
  expect(JSON.stringify(refused)).not.toContain('TOPSECRET')
  const small = await connect((_request, response) => response.writeHead(200).end(PDF), { maxBytes: 5 })
  await expect(small.readDocument('A-1')).rejects.toMatchObject({ kind: 'too_large' })
})
