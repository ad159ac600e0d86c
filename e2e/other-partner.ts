/**
 * A second platform that keeps the contract, written independently of the sandbox: three hosts,
 * other paths, numeric ids, `offset` as text, consent without a page. It proves that configuration
 * alone is enough.
 */
import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type OtherPartner = {
  environment: Record<string, string>
  /** One entry per token request, by grant type. */
  tokenCalls: string[]
  lines: OtherLine[]
  close: () => Promise<void>
}

type OtherLine = Record<string, unknown> & { id: string; total_amount: string; currency: string }

const CLIENT_ID = 'other-client'
const CLIENT_SECRET = 'other-secret-of-the-second-platform'

/** Starts the three hosts on free loopback ports. */
export async function startOtherPartner(redirectUri: string): Promise<OtherPartner> {
  const codes = new Map<string, string>()
  const accessTokens = new Set<string>()
  const refreshTokens = new Set<string>()
  const tokenCalls: string[] = []
  const lines = makeLines(137)

  const issueTokens = () => {
    const tokens = {
      access_token: secret(),
      refresh_token: secret(),
      expires_in: '3600',
      token_type: 'bearer',
      scope: 'expenses:read',
    }
    accessTokens.add(tokens.access_token)
    refreshTokens.add(tokens.refresh_token)
    return tokens
  }
  const authorization = await listen(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    if (request.method === 'GET' && url.pathname === '/oauth2/authorize') {
      const isOurs =
        url.searchParams.get('client_id') === CLIENT_ID && url.searchParams.get('redirect_uri') === redirectUri
      if (!isOurs || url.searchParams.get('response_type') !== 'code')
        return reply(response, 400, { error: 'invalid_request' })
      const code = secret()
      codes.set(code, redirectUri)
      const back = new URL(redirectUri)
      back.searchParams.set('state', url.searchParams.get('state') ?? '')
      back.searchParams.set('code', code)
      response.writeHead(302, { location: back.toString() }).end()
      return
    }
    if (request.method !== 'POST' || url.search !== '') return reply(response, 400, { error: 'invalid_request' })
    const form = new URLSearchParams(await readBody(request))
    if (form.get('client_id') !== CLIENT_ID || form.get('client_secret') !== CLIENT_SECRET)
      return reply(response, 401, { error: 'invalid_client' })
    if (url.pathname !== '/accounts/oauth2/token/') return reply(response, 404, { error: 'not_found' })
    const grantType = form.get('grant_type') ?? ''
    tokenCalls.push(grantType)
    const isCode = grantType === 'authorization_code' && codes.get(form.get('code') ?? '') === form.get('redirect_uri')
    if (isCode) codes.delete(form.get('code') ?? '')
    const isRefresh = grantType === 'refresh_token' && refreshTokens.delete(form.get('refresh_token') ?? '')
    return isCode || isRefresh ? reply(response, 200, issueTokens()) : reply(response, 400, { error: 'invalid_grant' })
  })
  const data = await listen(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    const bearer = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1]
    if (!bearer || !accessTokens.has(bearer)) return reply(response, 401, { detail: 'no' })
    if (request.headers['api-version'] !== '1') return reply(response, 400, { detail: 'Api-Version' })
    const list = {
      '/data/profiles': 'profiles',
      '/data/invoices': 'invoices',
      '/data/invoices/lines': 'invoice_lines',
    }[url.pathname]
    if (!list) return reply(response, 404, {})
    const all = { profiles: PROFILES, invoices: toInvoices(lines), invoice_lines: lines }[list] as unknown[]
    const offset = Number(url.searchParams.get('offset') ?? 0)
    const limit = Number(url.searchParams.get('limit') ?? 10)
    return reply(response, 200, {
      total: all.length,
      offset: String(offset),
      limit: String(limit),
      [list]: all.slice(offset, offset + limit),
    })
  })
  const scim = await listen((_request, response) => reply(response, 401, { status: '401' }))
  return {
    environment: {
      PARTNER_NAME: 'Second platform',
      PARTNER_BASE_URL: `${data.url}/data`,
      PARTNER_AUTH_URL: authorization.url,
      PARTNER_SCIM_BASE_URL: `${scim.url}/api/v2/scim`,
      PARTNER_CLIENT_ID: CLIENT_ID,
      PARTNER_CLIENT_SECRET: CLIENT_SECRET,
      PARTNER_PRIVATE_ADDRESSES: 'allowed',
    },
    tokenCalls,
    lines,
    close: async () => {
      await Promise.all([authorization, data, scim].map(({ server }) => closeServer(server)))
    },
  }
}

const PROFILES = [
  { id: 7, name: 'Second Works Inc', currency: 'USD', payment_method_type: 'transfer', billing_period: 'monthly' },
]

/** Exact lines in cents: no planted fault, every fifth a refund. */
function makeLines(count: number): OtherLine[] {
  return Array.from({ length: count }, (_, index) => {
    const cents = BigInt(index % 5 === 4 ? -1 : 1) * BigInt(1050 + index * 37)
    const quantity = 1 + (index % 3)
    const total = toText(cents * BigInt(quantity))
    return {
      id: `${900000 + index}`,
      expense_date: `2026-0${1 + (index % 9)}-1${index % 10}`,
      description: `Seat ${index}`,
      quantity,
      unit_price: '0',
      non_taxable_unit_price: toText(cents),
      tax_percentage: '0',
      tax_amount: '0.00',
      tax_regime: 'OTHER',
      total_amount: total,
      metadata: {
        trip_id: `${index % 11}`,
        trip_name: `Trip ${index % 11}`,
        cost_center: index % 4 === 0 ? '' : `CC ${index % 4}`,
        service: 'seat',
        related_vertical: index % 2 === 0 ? 'train' : 'flight',
      },
      invoice_serial_number: `S-${Math.floor(index / 20)}`,
      profile_id: 7,
      profile_name: 'Second Works Inc',
      invoice_mode: 'gross',
      invoice_status: 'paid',
      issuing_date: '2026-10-01',
      due_date: '2026-10-31',
      currency: 'USD',
    } as unknown as OtherLine
  })
}

function toText(cents: bigint): string {
  const digits = (cents < 0n ? -cents : cents).toString().padStart(3, '0')
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

function toInvoices(lines: OtherLine[]): Record<string, unknown>[] {
  return [...new Set(lines.map((line) => line.invoice_serial_number))].map((serial) => {
    const own = lines.filter((line) => line.invoice_serial_number === serial)
    const cents = own.reduce((sum, line) => sum + BigInt(line.total_amount.replace('.', '')), 0n)
    return {
      serial_number: serial,
      profile_id: 7,
      status: 'paid',
      mode: 'gross',
      issuing_date: '2026-10-01',
      currency: 'USD',
      total: toText(cents),
      taxes_summary: [],
    }
  })
}

const secret = () => randomBytes(24).toString('base64url')

async function readBody(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const chunk of request) body += chunk
  return body
}

function reply(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

async function listen(
  handle: (request: IncomingMessage, response: ServerResponse) => unknown,
): Promise<{ server: Server; url: string }> {
  const server = createServer((request, response) => void handle(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}
