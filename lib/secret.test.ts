import { format, inspect } from 'node:util'
import { serialize } from 'node:v8'
import pino from 'pino'
import { describe, expect, test } from 'vitest'
import { parseSettings } from './env.ts'
import { Secret } from './secret.ts'

const CANARY = 'canary-9f2c-of-the-secret'
const KEYS = JSON.stringify({ keys: [{ kid: '1', kty: 'EC', d: CANARY }] })

const settings = parseSettings({
  SESSION_SECRET: `${CANARY}-that-is-long-enough`,
  PARTNER_BASE_URL: 'https://data.example.com',
  PARTNER_AUTH_URL: 'https://auth.example.com',
  PARTNER_CLIENT_ID: 'client',
  PARTNER_CLIENT_SECRET: CANARY,
  TOKEN_PRIVATE_KEYS: KEYS,
  ADMIN_PASSWORD: CANARY,
  SMTP_URL: `smtp://desk:${CANARY}@mail.example.com`,
  MAIL_FROM: 'desk@example.com',
  WEBHOOK_SECRET: CANARY,
  LAKE_S3_ACCESS_KEY_ID: 'a key',
  LAKE_S3_SECRET_ACCESS_KEY: CANARY,
})

const SECRETS: Record<string, Secret<unknown> | null | undefined> = {
  SESSION_SECRET: settings.sessionSecret,
  PARTNER_CLIENT_SECRET: settings.partner?.clientSecret,
  TOKEN_PRIVATE_KEYS: settings.tokenPrivateKeys,
  ADMIN_PASSWORD: settings.adminPassword,
  SMTP_URL: settings.mail?.smtpUrl,
  WEBHOOK_SECRET: settings.webhook?.secret,
  LAKE_S3_SECRET_ACCESS_KEY: settings.lake?.secretAccessKey,
}

function logLineOf(value: unknown): string {
  let line = ''
  const write = (text: string) => {
    line = text
  }
  pino({ base: null }, { write }).info({ value, deep: { inside: [value] } }, 'a line')
  return line
}

/** Every way in which a value becomes text by accident. */
const PRINTED: Record<string, (value: unknown) => string> = {
  interpolated: (value) => `${value}`,
  'added to a text': (value) => `x${String(value)}`,
  joined: (value) => [value].join(),
  'as JSON': (value) => JSON.stringify({ value }) + JSON.stringify(value),
  inspected: (value) => inspect({ value }, { depth: 9, showHidden: true, customInspect: true }),
  'inspected without its own word': (value) =>
    inspect(value, { customInspect: false, showHidden: true, getters: true }),
  formatted: (value) => format('%s %o %O %j %d', value, value, value, value, value),
  logged: logLineOf,
  'in an error': (value) => inspect(new Error(`failed: ${value}`, { cause: value })),
  'copied by its members': (value) => inspect({ ...(value as object) }) + Object.entries(value as object).join(),
  serialized: (value) =>
    serialize({ ...(value as object) }).toString('latin1') + JSON.stringify(structuredClone({ ...(value as object) })),
  'as an address or a number': (value) => `${encodeURIComponent(value as string)}${Number(value)}`,
}

describe.each(Object.keys(SECRETS))('A16: %s', (name) => {
  const secret = SECRETS[name]

  test('is given out by reveal alone', () => {
    expect(secret).toBeInstanceOf(Secret)
    expect(JSON.stringify(secret?.reveal())).toContain(CANARY)
  })

  test.each(Object.entries(PRINTED))('is not printed when it is %s', (_, print) => {
    expect(print(secret)).not.toContain(CANARY)
  })
})

test('A16: all settings can be printed and logged without a secret', () => {
  const printed = inspect(settings, { depth: 9, showHidden: true }) + JSON.stringify(settings) + logLineOf(settings)
  expect(printed).not.toContain(CANARY)
  expect(`${settings.partner?.clientSecret}`).toBe('[secret]')
})
