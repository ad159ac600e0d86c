import type { LoggerInstance } from 'next-auth'
import { log } from '#lib/log.ts'

/**
 * next-auth's log lines, reduced to what cannot hold a secret: its code, the kind of error, an
 * answer's status. Its messages quote token answers and states, and its metadata carries whole
 * token sets (reliability A16).
 */
export const nextAuthLog: Partial<LoggerInstance> = {
  error: (code, metadata) => log.warn({ nextAuth: code, ...toFields(metadata) }, 'next-auth: error'),
  warn: (code) => log.warn({ nextAuth: code }, 'next-auth: warning'),
  debug: () => {},
}

function toFields(metadata: unknown): { kind?: string; status?: number; oauthError?: string } {
  const error = innermost(metadata)
  const { name, response, error: oauthError } = error as { name?: unknown; response?: unknown; error?: unknown }
  const status = (response as { statusCode?: unknown } | undefined)?.statusCode
  return {
    ...(typeof name === 'string' ? { kind: name.slice(0, 60) } : {}),
    ...(typeof status === 'number' ? { status } : {}),
    // RFC 6749, 5.2: error codes are words; never log anything else
    ...(typeof oauthError === 'string' && /^[a-z_]{1,40}$/.test(oauthError) ? { oauthError } : {}),
  }
}

/** next-auth passes errors, and objects that hold one as `error`. */
function innermost(metadata: unknown): object {
  if (metadata instanceof Error || typeof metadata !== 'object' || metadata === null) return Object(metadata) as object
  return 'error' in metadata && typeof metadata.error === 'object' ? innermost(metadata.error) : metadata
}
