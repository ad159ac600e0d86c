import pino from 'pino'
import { settings } from './env.ts'

/**
 * One JSON line per event on standard output, for every process of the project. Removes known
 * secret members; nothing may log a token in the first place (reliability A16).
 */
export const log = pino({
  level: settings().logLevel,
  base: null,
  timestamp: pino.stdTimeFunctions.isoTime,
  redact: {
    paths: [
      ...[
        'authorization',
        'cookie',
        'access_token',
        'refresh_token',
        'accessToken',
        'refreshToken',
        'client_secret',
        'password',
        'apiKey',
      ].flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
      '*["set-cookie"]',
    ],
    censor: '[removed]',
  },
})
