import { randomBytes } from 'node:crypto'
import type { SandboxClock } from './clock.ts'
import type { OauthSnapshot } from './oauth-snapshot.ts'
import type { GraceMode } from './options.ts'

const CODE_SECONDS = 60
const ACCESS_TOKEN_SECONDS = 3600
const REFRESH_TOKEN_SECONDS = 30 * 24 * 3600

export type TokenPair = { accessToken: string; refreshToken: string; scope: string; expiresInSeconds: number }
type Grant = { kind: 'granted'; pair: TokenPair } | { kind: 'invalid_grant'; reason: string }
type AccessCheck = { kind: 'live'; accountId: string; scopes: string[] } | { kind: 'refused'; reason: string }

type Family = { id: string; accountId: string; scope: string; revoked: boolean; successes: Map<number, number> }
type Code = {
  accountId: string
  scope: string
  clientId: string
  redirectUri: string
  expiresAt: number
  usedBy: Family | null
}
type Access = { family: Family; expiresAt: number }
type Refresh = {
  family: Family
  generation: number
  expiresAt: number
  usedAt: number | null
  successor: TokenPair | null
}

type OauthCounters = {
  tokenCalls: Record<string, Record<string, number>>
  revokeCalls: Record<string, number>
  /** Presentations of a used refresh token or code. */
  reuseAttempts: number
  graceReplays: number
  consents: { allowed: number; declined: number }
}

/** The sandbox's codes, tokens and integrations. Every lifetime depends on the sandbox's clock. */
export type OauthStore = {
  counters: OauthCounters
  setGrace(mode: GraceMode, periodSeconds: number): void
  issueCode(accountId: string, scope: string, clientId: string, redirectUri: string): string
  exchangeCode(code: string, clientId: string, redirectUri: string): Grant
  refresh(refreshToken: string): Grant
  /** Disables the integration of a live refresh token; false for any other token. */
  revoke(refreshToken: string): boolean
  checkAccess(accessToken: string): AccessCheck
  disable(accountId: string): void
  isEnabled(accountId: string): boolean
  countTokenCall(grantType: string, outcome: string): void
  countRevokeCall(outcome: string): void
  /** Numbers only; never a token. */
  summary(): OauthSummary
  /** The tokens live now, for canary searches in tests. */
  liveTokens(): { accountId: string; accessTokens: string[]; refreshTokens: string[] }[]
  /** Every token and code issued since the last reset, for canary searches in tests. */
  everIssued(): string[]
  /** What survives a restart: consents and tokens, but not codes (60 seconds) and counters. */
  snapshot(): OauthSnapshot
  restore(snapshot: OauthSnapshot): void
}

type OauthSummary = OauthCounters & {
  live: { accessTokens: number; refreshTokens: number }
  families: {
    id: string
    accountId: string
    revoked: boolean
    /** Successful refreshes per generation of refresh token: more than 1 would break single use. */
    successesPerGeneration: Record<string, number>
  }[]
  maxSuccessesPerGeneration: number
}

export function createOauthStore(
  clock: SandboxClock,
  initial: { grace: GraceMode; gracePeriodSeconds: number },
  /** Called after each change of consents and tokens, before the answer leaves. */
  onChange: () => void = () => undefined,
): OauthStore {
  const codes = new Map<string, Code>()
  const accessTokens = new Map<string, Access>()
  const refreshTokens = new Map<string, Refresh>()
  const families: Family[] = []
  const enabled = new Set<string>()
  let { grace, gracePeriodSeconds } = initial
  const counters: OauthCounters = {
    tokenCalls: {},
    revokeCalls: {},
    reuseAttempts: 0,
    graceReplays: 0,
    consents: { allowed: 0, declined: 0 },
  }

  const after = (seconds: number) => clock.nowMs() + seconds * 1000
  const refused = (reason: string): Grant => ({ kind: 'invalid_grant', reason })

  function issuePair(family: Family, generation: number): TokenPair {
    const accessToken = `sbx-at-${randomBytes(24).toString('base64url')}`
    const refreshToken = `sbx-rt-${randomBytes(24).toString('base64url')}`
    accessTokens.set(accessToken, { family, expiresAt: after(ACCESS_TOKEN_SECONDS) })
    refreshTokens.set(refreshToken, {
      family,
      generation,
      expiresAt: after(REFRESH_TOKEN_SECONDS),
      usedAt: null,
      successor: null,
    })
    return { accessToken, refreshToken, scope: family.scope, expiresInSeconds: ACCESS_TOKEN_SECONDS }
  }

  function reuse(token: Refresh, usedAt: number): Grant {
    counters.reuseAttempts += 1
    const inGrace = clock.nowMs() - usedAt <= gracePeriodSeconds * 1000
    if (grace === 'revoke-family') {
      token.family.revoked = true
      onChange()
      return refused('refresh token was used before; all tokens of this consent are revoked')
    }
    const successor = token.successor && refreshTokens.get(token.successor.refreshToken)
    if (grace === 'same-pair' && inGrace && token.successor && successor && successor.usedAt === null) {
      counters.graceReplays += 1
      return { kind: 'granted', pair: token.successor }
    }
    return refused('refresh token was used before')
  }

  const isLive = (family: Family) => !family.revoked && enabled.has(family.accountId)

  return {
    counters,
    setGrace: (mode, periodSeconds) => {
      grace = mode
      gracePeriodSeconds = periodSeconds
    },
    issueCode: (accountId, scope, clientId, redirectUri) => {
      const code = `sbx-code-${randomBytes(18).toString('base64url')}`
      codes.set(code, { accountId, scope, clientId, redirectUri, expiresAt: after(CODE_SECONDS), usedBy: null })
      counters.consents.allowed += 1
      return code
    },
    exchangeCode: (text, clientId, redirectUri) => {
      const code = codes.get(text)
      if (!code) return refused('unknown code')
      if (code.usedBy) {
        counters.reuseAttempts += 1
        return refused('code was used before')
      }
      if (clock.nowMs() >= code.expiresAt) return refused('code has expired')
      if (code.clientId !== clientId) return refused('code was issued to another client')
      if (code.redirectUri !== redirectUri) return refused('redirect_uri differs from the one the flow began with')
      const family: Family = {
        id: `family-${families.length + 1}`,
        accountId: code.accountId,
        scope: code.scope,
        revoked: false,
        successes: new Map(),
      }
      code.usedBy = family
      families.push(family)
      enabled.add(code.accountId)
      const pair = issuePair(family, 0)
      onChange()
      return { kind: 'granted', pair }
    },
    refresh: (text) => {
      const token = refreshTokens.get(text)
      if (!token) return refused('unknown refresh token')
      if (!isLive(token.family)) return refused('the integration is disabled')
      if (token.usedAt !== null) return reuse(token, token.usedAt)
      if (clock.nowMs() >= token.expiresAt) return refused('refresh token has expired')
      token.usedAt = clock.nowMs()
      const { successes } = token.family
      successes.set(token.generation, (successes.get(token.generation) ?? 0) + 1)
      token.successor = issuePair(token.family, token.generation + 1)
      onChange()
      return { kind: 'granted', pair: token.successor }
    },
    revoke: (text) => {
      const token = refreshTokens.get(text)
      if (!token || token.usedAt !== null || clock.nowMs() >= token.expiresAt || !isLive(token.family)) return false
      disable(token.family.accountId)
      return true
    },
    checkAccess: (text) => {
      const token = accessTokens.get(text)
      if (!token) return { kind: 'refused', reason: 'Invalid access token.' }
      if (!isLive(token.family)) return { kind: 'refused', reason: 'The integration is disabled.' }
      if (clock.nowMs() >= token.expiresAt) return { kind: 'refused', reason: 'The access token has expired.' }
      return { kind: 'live', accountId: token.family.accountId, scopes: token.family.scope.split(' ') }
    },
    disable,
    isEnabled: (accountId) => enabled.has(accountId),
    countTokenCall: (grantType, outcome) => {
      const outcomes = counters.tokenCalls[grantType] ?? {}
      counters.tokenCalls[grantType] = outcomes
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
    },
    countRevokeCall: (outcome) => {
      counters.revokeCalls[outcome] = (counters.revokeCalls[outcome] ?? 0) + 1
    },
    summary: () => {
      const live = { accessTokens: liveAccess().length, refreshTokens: liveRefresh().length }
      const described = families.map((family) => ({
        id: family.id,
        accountId: family.accountId,
        revoked: !isLive(family),
        successesPerGeneration: Object.fromEntries(family.successes),
      }))
      const maxSuccessesPerGeneration = Math.max(0, ...families.flatMap((family) => [...family.successes.values()]))
      return { ...counters, live, families: described, maxSuccessesPerGeneration }
    },
    liveTokens: () =>
      [...enabled].map((accountId) => ({
        accountId,
        accessTokens: liveAccess()
          .filter(([, token]) => token.family.accountId === accountId)
          .map(([text]) => text),
        refreshTokens: liveRefresh()
          .filter(([, token]) => token.family.accountId === accountId)
          .map(([text]) => text),
      })),
    everIssued: () => [...codes.keys(), ...accessTokens.keys(), ...refreshTokens.keys()],
    snapshot: () => ({
      enabled: [...enabled],
      families: families.map(({ id, accountId, scope, revoked }) => ({ id, accountId, scope, revoked })),
      accessTokens: liveAccess().map(([text, { family, expiresAt }]) => ({ text, familyId: family.id, expiresAt })),
      refreshTokens: [...refreshTokens].map(([text, { family, expiresAt, generation, usedAt }]) => ({
        text,
        familyId: family.id,
        expiresAt,
        generation,
        usedAt,
      })),
    }),
    restore: (snapshot) => {
      for (const accountId of snapshot.enabled) enabled.add(accountId)
      for (const family of snapshot.families) families.push({ ...family, successes: new Map() })
      const familyOf = (id: string) => families.find((family) => family.id === id) as Family
      for (const { text, familyId, expiresAt } of snapshot.accessTokens)
        accessTokens.set(text, { family: familyOf(familyId), expiresAt })
      for (const { text, familyId, ...token } of snapshot.refreshTokens)
        refreshTokens.set(text, { ...token, family: familyOf(familyId), successor: null })
    },
  }

  /**
   * The customer or the partner switches the integration off: all tokens of the account die at
   * once.
   */
  function disable(accountId: string): void {
    enabled.delete(accountId)
    for (const family of families) if (family.accountId === accountId) family.revoked = true
    onChange()
  }

  function liveAccess(): [string, Access][] {
    return [...accessTokens].filter(([, token]) => isLive(token.family) && clock.nowMs() < token.expiresAt)
  }

  function liveRefresh(): [string, Refresh][] {
    return [...refreshTokens].filter(
      ([, token]) => isLive(token.family) && token.usedAt === null && clock.nowMs() < token.expiresAt,
    )
  }
}
