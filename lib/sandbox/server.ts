import { rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { CONTROL_PATH, handleControlRoute } from './control-routes.ts'
import type { GroundTruth } from './data/model.ts'
import { DATA_PATH, handleDataRoute } from './data-routes.ts'
import type { FaultAction } from './faults.ts'
import { type SandboxOptions, type SandboxSettings, toSettings } from './options.ts'
import { errorReply, type Reply, type SandboxRequest } from './reply.ts'
import { handleScimRoute, SCIM_PATH } from './scim-routes.ts'
import { distort, reset as resetConnection, send, toStatus } from './send.ts'
import { createState, type SandboxState } from './state.ts'
import type { ControlTieOut, IsIssued } from './tie-outs.ts'
import { handleTokenRoute } from './token-routes.ts'
import type { ControlTotals, GroupTotal, TotalKey } from './totals.ts'

export type { SandboxOptions } from './options.ts'

const MAX_BODY_BYTES = 1_000_000

/** What a reset may change: the data, and how forgiving the platform is. */
type ResetOptions = Pick<SandboxOptions, 'size' | 'seed' | 'grace'>

export type Sandbox = {
  url: string
  port: number
  baseUrl: string
  /** The host of the authorization page and of the token and revoke endpoints. */
  authUrl: string
  scimBaseUrl: string
  settings: SandboxSettings
  /** The current state. A reset replaces it, so do not keep it. */
  state(): SandboxState
  /**
   * Forgets everything (tokens, faults, clock, changes) and rebuilds the data from the seed, as it
   * was started or as `changes` says.
   */
  reset(changes?: ResetOptions): void
  /** Totals of an account (id or name; default: the first), from the sandbox's own arithmetic. */
  controlTotals(account?: string): Promise<ControlTotals>
  groupTotals(account: string | undefined, by: readonly TotalKey[]): Promise<GroupTotal[]>
  groundTruth(account?: string): GroundTruth
  tieOuts(account?: string, isIssued?: IsIssued): ControlTieOut[]
  close(): Promise<void>
}

/**
 * Starts the stand-in platform; rejects with the listen error (EADDRINUSE) when the port is taken.
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const settings = toSettings(options)
  let state = createState(settings)
  const reset = (changes: ResetOptions = {}) => {
    if (settings.stateFile) rmSync(settings.stateFile, { force: true })
    state = createState(Object.assign(settings, toSettings({ ...options, ...changes })))
  }
  const server = createServer((request, response) => {
    serve(request, response, state, reset).catch((error: unknown) => fail(response, error))
  })
  // a test that computes for seconds blocks this process's loop: keep-alive sockets must survive
  // that
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(settings.port, settings.host, resolve)
  })
  const { port } = server.address() as AddressInfo
  const url = `http://${settings.host.includes(':') ? `[${settings.host}]` : settings.host}:${port}`
  return {
    url,
    port,
    baseUrl: url + DATA_PATH,
    authUrl: url,
    scimBaseUrl: url + SCIM_PATH,
    settings,
    state: () => state,
    reset,
    controlTotals: (account) => state.controlTotals(account),
    groupTotals: (account, by) => state.groupTotals(account, by),
    groundTruth: (account) => state.groundTruth(account),
    tieOuts: (account, isIssued) => state.tieOuts(account, isIssued),
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()))
        server.closeAllConnections()
      }),
  }
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  state: SandboxState,
  reset: () => void,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://sandbox.invalid')
  const body = await readBody(request)
  if (body === null) return send(response, errorReply(413, 'Body too large.'), null, false)
  const asked: SandboxRequest = {
    method: request.method ?? 'GET',
    path: url.pathname,
    query: url.searchParams,
    headers: flatHeaders(request),
    body,
  }
  if (url.pathname.startsWith(CONTROL_PATH)) {
    return send(
      response,
      await handleControlRoute(asked, request.socket.remoteAddress ?? '', state, reset),
      null,
      false,
    )
  }
  const fault = state.faults.take({ method: asked.method, path: asked.path, url: asked.path + url.search, body })
  const action = fault?.action ?? null
  const reply = await answer(asked, state, action)
  const final = reply && action ? distort(reply, action) : reply
  state.calls.add({
    at: new Date(state.clock.nowMs()).toISOString(),
    method: asked.method,
    path: asked.path,
    query: url.search,
    headerNames: Object.keys(request.headers),
    status: final?.status ?? 0,
    fault: action?.type ?? null,
  })
  if (!final) return resetConnection(request)
  await send(response, final, action, asked.method === 'HEAD')
}

/** The reply of the path's route; null to reset the connection. */
async function answer(request: SandboxRequest, state: SandboxState, action: FaultAction | null): Promise<Reply | null> {
  if (action?.type === 'drop_before') return null
  if (action?.type === 'status' && action.when !== 'after') return toStatus(action)
  if (action?.type === 'delay' && action.when !== 'after') await pause(action.ms, undefined, { ref: false })
  if (action?.type === 'shift')
    state.issueInvoice(action.accountId, { position: action.position ?? 'front', lines: action.lines })
  const reply = route(request, state)
  if (action?.type === 'delay' && action.when === 'after') await pause(action.ms, undefined, { ref: false })
  return action?.type === 'drop_after_effect' ? null : reply
}

function route(request: SandboxRequest, state: SandboxState): Reply {
  const { settings, oauth, clock } = state
  return (
    state.authorize.handle(request) ??
    handleTokenRoute(request, settings, oauth) ??
    handleDataRoute(
      request,
      oauth,
      clock,
      (id) => state.accounts.find((account) => account.id === id),
      state.keptPages,
    ) ??
    handleScimRoute(request, settings.scimApiKey) ??
    errorReply(404, 'Not found.')
  )
}

/** The body as text; null when it is larger than the sandbox reads. */
async function readBody(request: IncomingMessage): Promise<string | null> {
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers
  // most calls have no body, and there are many
  if (length === undefined && coding === undefined) return ''
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += (chunk as Buffer).length
    if (size > MAX_BODY_BYTES) return null
    chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function flatHeaders(request: IncomingMessage): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  )
}

function fail(response: ServerResponse, error: unknown): void {
  if (response.headersSent || response.destroyed) response.destroy()
  else {
    response.writeHead(500, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ message: error instanceof Error ? error.message : 'failed' }))
  }
}
