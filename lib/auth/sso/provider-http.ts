/**
 * HTTP to identity providers, whose addresses an admin of an organization chose: bounded in time
 * and size, without redirects, and never to an address inside our own network.
 */
import { isLoopbackHost, settings } from '#lib/env.ts'
import { isInnerAddress } from '#lib/partner/http/address-guard.ts'
import { partnerRequest } from '#lib/partner/http/http.ts'
import { PartnerError } from '#lib/partner/partner-error.ts'
import type { Claims } from './model.ts'

const DEADLINE_MS = 10_000
/** A set of keys with certificates is below 50 kB. */
const MAX_BYTES = 512 * 1024

/** The provider gave no usable answer. The message names its host and no secret. */
export class ProviderError extends Error {}

/**
 * True for an address that a provider may have: https, without credentials, not of an inner network
 * as it stands. Where this program itself is reached at this machine alone (a trial), providers of
 * this machine and of inner networks are allowed, and http for the former.
 */
export function isProviderUrl(text: unknown): text is string {
  if (typeof text !== 'string' || text.length > 2000 || !URL.canParse(text)) return false
  const { protocol, hostname, username, password } = new URL(text)
  if (username !== '' || password !== '') return false
  const isLoopback = isLoopbackHost(hostname)
  if (isTrial()) return protocol === 'https:' || (protocol === 'http:' && isLoopback)
  return protocol === 'https:' && !isLoopback && !isInnerAddress(hostname.replace(/^\[|\]$/g, ''))
}

/** Nobody reaches this program but from its own machine. */
function isTrial(): boolean {
  return isLoopbackHost(new URL(settings().appUrl).hostname)
}

type ProviderRequest = { url: string; headers?: Record<string, string>; form?: Record<string, string> }

/**
 * The JSON object with which a provider answers: to GET, or to POST of a form.
 * @throws ProviderError
 */
export async function askProvider({ url, headers = {}, form }: ProviderRequest): Promise<Claims> {
  if (!isProviderUrl(url)) throw new ProviderError('an address that no identity provider may have')
  const { host } = new URL(url)
  const body = form === undefined ? undefined : new URLSearchParams(form).toString()
  const isForm: Record<string, string> =
    body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }
  try {
    const answer = await partnerRequest({
      method: body === undefined ? 'GET' : 'POST',
      url,
      // compressed, a small answer could become a large one
      headers: { 'accept-encoding': 'identity', ...isForm, ...headers },
      body,
      deadlineMs: DEADLINE_MS,
      maxBytes: MAX_BYTES,
      freshConnection: true,
      isPublicOnly: !isTrial(),
    })
    if (answer.status !== 200) throw new ProviderError(`${host} answered with ${answer.status}`)
    return toObject(answer.body.toString('utf8'), host)
  } catch (thrown) {
    throw thrown instanceof PartnerError ? new ProviderError(thrown.message) : thrown
  }
}

function toObject(text: string, host: string): Claims {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new ProviderError(`${host} answered with something that is not JSON`)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ProviderError(`${host} answered with something that is no JSON object`)
  return value as Claims
}
