/**
 * Calls next-auth as a function. Our own routes make its requests: it sees only what they pass on
 * from the browser, and they pick which of its cookies to set.
 */
import { createHash } from 'node:crypto'
import type { NextApiRequest, NextApiResponse } from 'next'
import nextAuthModule, { type AuthOptions } from 'next-auth'
import { makeSecret } from '#lib/connections/secret-hash.ts'
import { provideNextAuthEnvironment, requireSetting } from '#lib/env.ts'
import { cookieNames, isSecureOrigin } from '#lib/http/cookies.ts'

// a CommonJS module: bundlers give its default export, Node gives the module
const NextAuth = ((nextAuthModule as { default?: unknown }).default ?? nextAuthModule) as typeof nextAuthModule

export type NextAuthCall = {
  method: 'GET' | 'POST'
  action: 'signin' | 'callback'
  provider: string
  query?: Record<string, string>
  body?: Record<string, string>
  cookies?: Record<string, string>
}

/** Where next-auth sends the browser, and the Set-Cookie values by cookie name. */
export type NextAuthAnswer = { location: string | null; setCookies: Map<string, string> }

/**
 * Runs one next-auth request. POST requests get a fresh csrf token: the caller has checked the
 * request's origin (`isSameOrigin`). Its public address comes from configuration, never from a Host
 * header (reliability A6).
 */
export async function driveNextAuth(call: NextAuthCall, options: AuthOptions): Promise<NextAuthAnswer> {
  provideNextAuthEnvironment()
  const csrf = toCsrfPair(requireSetting('sessionSecret').reveal())
  const request = {
    method: call.method,
    headers: {},
    query: { ...call.query, nextauth: [call.action, call.provider] },
    body: call.method === 'POST' ? { ...call.body, csrfToken: csrf.token } : undefined,
    cookies: { ...call.cookies, [csrfCookieName()]: csrf.cookie },
  }
  const answer = { location: null as string | null, setCookies: [] as string[] }
  const response = {
    status: () => response,
    getHeader: (name: string) => (name.toLowerCase() === 'set-cookie' ? answer.setCookies : undefined),
    setHeader: (name: string, value: unknown) => {
      if (name.toLowerCase() === 'set-cookie') answer.setCookies = value as string[]
      if (name.toLowerCase() === 'location') answer.location = String(value)
      return response
    },
    end: () => response,
    send: () => response,
    json: () => response,
  }
  await NextAuth(request as unknown as NextApiRequest, response as unknown as NextApiResponse, {
    ...options,
    secret: requireSetting('sessionSecret').reveal(),
    useSecureCookies: isSecureOrigin(),
    cookies: { ...options.cookies, csrfToken: { name: csrfCookieName(), options: {} } },
  })
  const byName = answer.setCookies.map((cookie): [string, string] => [cookie.slice(0, cookie.indexOf('=')), cookie])
  return { location: answer.location, setCookies: new Map(byName) }
}

/** Never leaves this module: browsers do not get this cookie. */
function csrfCookieName(): string {
  return `${cookieNames().session}.csrf`
}

/** next-auth's double-submit pair: a token, and the token with its keyed hash. */
function toCsrfPair(secret: string): { token: string; cookie: string } {
  const token = makeSecret()
  return { token, cookie: `${token}|${createHash('sha256').update(`${token}${secret}`).digest('hex')}` }
}
