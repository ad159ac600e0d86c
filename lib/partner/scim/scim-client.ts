/**
 * Asks the three SCIM discovery endpoints (contract, endpoint 7). Never follows anything in an
 * answer (reliability A15).
 */
import { describeErrorBody } from '../http/error-body.ts'
import { assertPartnerUrl, type PartnerResponse, type PartnerTransport, partnerRequest } from '../http/http.ts'
import { PartnerError, type PartnerErrorKind } from '../partner-error.ts'
import { parseScimJson, readScimErrorStatus } from './scim-list.ts'
import type { ScimEndpoint, ScimProblem, ScimProblemCode } from './scim-model.ts'
import { parseResourceTypes } from './scim-resource-types.ts'
import { parseSchemas } from './scim-schemas.ts'
import { parseServiceConfig } from './scim-service-config.ts'

/** What one endpoint answered. `text` is the body as received, with an echoed key struck out. */
export type ScimReading =
  | { kind: 'answer'; httpStatus: number; contentType: string | null; text: string; receivedAt: Date }
  | { kind: 'problem'; problem: ScimProblem; receivedAt: Date }

export type ScimClientOptions = {
  /** The configured address, ending in /api/v2/scim: the only host that is ever asked. */
  scimBaseUrl: string
  apiKey: string
  /** For one endpoint, from name lookup to the last byte. */
  deadlineMs?: number
  maxBytes?: number
  request?: PartnerTransport
}

const PARSERS = { ServiceProviderConfig: parseServiceConfig, ResourceTypes: parseResourceTypes, Schemas: parseSchemas }

const PROBLEM_OF_KIND: Partial<Record<PartnerErrorKind, ScimProblemCode>> = {
  timeout: 'timeout',
  redirect: 'redirect',
  too_large: 'too_large',
  bad_encoding: 'not_json',
  tls: 'insecure',
}

/**
 * Asks one endpoint with `Authorization: apikey <key>`, no parameters and no body. Only an answer
 * that parses counts as one; everything else is a problem. Throws nothing but programming errors.
 */
export async function readScimEndpoint(endpoint: ScimEndpoint, options: ScimClientOptions): Promise<ScimReading> {
  const { scimBaseUrl, apiKey, deadlineMs = 15_000, maxBytes = 2_000_000, request = partnerRequest } = options
  const url = `${scimBaseUrl.replace(/\/+$/, '')}/${endpoint}`
  try {
    const response = await request({
      method: 'GET',
      url: assertPartnerUrl(url, scimBaseUrl).toString(),
      headers: { authorization: `apikey ${apiKey}`, accept: 'application/scim+json, application/json' },
      deadlineMs,
      maxBytes,
      freshConnection: true,
    })
    return toReading(endpoint, response, apiKey)
  } catch (thrown) {
    if (!(thrown instanceof PartnerError)) throw thrown
    const code = PROBLEM_OF_KIND[thrown.kind] ?? 'unreachable'
    const problem = { code, httpStatus: thrown.status ?? null, detail: strikeOut(thrown.message, apiKey) }
    return { kind: 'problem', problem, receivedAt: new Date() }
  }
}

function toReading(endpoint: ScimEndpoint, response: PartnerResponse, apiKey: string): ScimReading {
  const { receivedAt, headers } = response
  const toProblem = (code: ScimProblemCode, status: number, detail: string | null): ScimReading => ({
    kind: 'problem',
    problem: { code, httpStatus: status, detail },
    receivedAt,
  })
  const text = decode(response.body)
  const shown = text === null ? null : strikeOut(text, apiKey)
  if (response.status < 200 || response.status > 299)
    return toProblem(toProblemCode(response.status), response.status, toDetail(shown))
  if (shown === null) return toProblem('not_json', response.status, 'The answer is not UTF-8 text')
  const json = parseScimJson(shown)
  if (!json.ok) return toProblem('not_json', response.status, json.reason)
  const errorStatus = readScimErrorStatus(json.value)
  // an error sent with status 200: its own status counts
  if (errorStatus !== null)
    return toProblem(toProblemCode(errorStatus), errorStatus === 0 ? response.status : errorStatus, toDetail(shown))
  const parsed = PARSERS[endpoint](shown)
  if (!parsed.ok) return toProblem('not_scim', response.status, parsed.reason)
  const contentType = strikeOut(headers['content-type'] ?? '', apiKey).slice(0, 200) || null
  return { kind: 'answer', httpStatus: response.status, contentType, text: shown, receivedAt }
}

function toProblemCode(status: number): ScimProblemCode {
  if (status === 401) return 'wrong_key'
  if (status === 403) return 'forbidden'
  if (status === 404 || status === 410) return 'not_found'
  if (status === 429 || status === 503) return 'throttled'
  if (status >= 500) return 'unavailable'
  return status >= 400 ? 'refused_request' : 'not_scim'
}

function toDetail(text: string | null): string | null {
  return text === null ? null : describeErrorBody(text)
}

function decode(body: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch (thrown) {
    if (thrown instanceof TypeError) return null
    throw thrown
  }
}

/** Strikes out a key that the platform repeats, however escaped: it must not reach a page. */
function strikeOut(text: string, apiKey: string): string {
  const spellings = [apiKey, JSON.stringify(apiKey).slice(1, -1), encodeURIComponent(apiKey), toBase64(apiKey)]
  return spellings
    .filter((spelling) => spelling.length >= 4)
    .reduce((rest, spelling) => rest.replaceAll(spelling, '[key removed]'), text)
}

function toBase64(text: string): string {
  return Buffer.from(text).toString('base64')
}
