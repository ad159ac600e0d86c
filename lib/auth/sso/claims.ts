/** What an identity provider says of a person, read with care. Pure. */
import { isSeenAddress } from '../one-line.ts'
import { ROLES, type Role } from '../permissions.ts'
import type { Claims, RoleMapping } from './model.ts'

/** What this program makes of the claims. `email` is in lower case, null when there is none. */
export type Person = {
  issuer: string
  subject: string
  email: string | null
  isEmailVerified: boolean
  name: string
  role: Role | null
}

const MAX_EMAIL = 254
const MAX_NAME = 100
const MAX_SUBJECT = 255
const EMAIL = /^[^\s@<>"(),:;\\[\]\p{Cc}]+@[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/u

/**
 * The value at a path, such as `resource_access.tieout.roles`. A claim may have dots in its own
 * name (`https://example.com/roles`): the longest name that is there counts.
 */
export function readClaim(claims: unknown, path: string): unknown {
  if (typeof claims !== 'object' || claims === null) return undefined
  if (Object.hasOwn(claims, path)) return (claims as Claims)[path]
  for (let dot = path.lastIndexOf('.'); dot > 0; dot = path.lastIndexOf('.', dot - 1)) {
    const head = path.slice(0, dot)
    if (Object.hasOwn(claims, head)) return readClaim((claims as Claims)[head], path.slice(dot + 1))
  }
  return undefined
}

/** The last role of the table that a value of the claim means; null when none does: no access. */
function readRole(claims: Claims, { roleClaim, values }: RoleMapping): Role | null {
  const found = [readClaim(claims, roleClaim)].flat().filter((value) => typeof value === 'string')
  return ROLES.findLast((role) => found.some((value) => values[role].includes(value))) ?? null
}

/**
 * True when the provider holds the role's claim back because it is too long (`_claim_names`,
 * OpenID Connect Core, 5.6.2; Entra does so beyond 200 groups).
 */
export function isOverage(claims: Claims, roleClaim: string): boolean {
  const names = claims._claim_names
  if (readClaim(claims, roleClaim) !== undefined || typeof names !== 'object' || names === null) return false
  return Object.hasOwn(names, roleClaim) || Object.hasOwn(names, roleClaim.split('.')[0] ?? '')
}

/** The person of these claims; null without a subject that can name one. */
export function toPerson(issuer: string, claims: Claims, mapping: RoleMapping): Person | null {
  const { sub, email_verified: verified } = claims
  if (typeof sub !== 'string' || sub === '' || sub.length > MAX_SUBJECT || /\p{Cc}/u.test(sub)) return null
  const email = readEmail(claims.email)
  return {
    issuer,
    subject: sub,
    email,
    isEmailVerified: verified === true,
    name: readName(claims, email),
    role: readRole(claims, mapping),
  }
}

function readEmail(value: unknown): string | null {
  const email = typeof value === 'string' ? value.trim().toLowerCase() : ''
  return email.length <= MAX_EMAIL && EMAIL.test(email) && isSeenAddress(email) ? email : null
}

function readName({ name, given_name, family_name }: Claims, email: string | null): string {
  const parts = [given_name, family_name].filter((part) => typeof part === 'string')
  const [first] = [name, parts.join(' '), email?.split('@')[0]].map(toLine).filter((text) => text !== '')
  return first ?? 'Unnamed'
}

function toLine(value: unknown): string {
  const text = typeof value === 'string' ? value : ''
  const line = text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Surrogate}]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return [...line].slice(0, MAX_NAME).join('')
}

/** The domain of an email address, or of a domain itself, as it is claimed; null for neither. */
export function toDomain(text: string): string | null {
  const domain = text.trim().toLowerCase().split('@').at(-1) ?? ''
  return isDomain(domain) ? domain : null
}

/** Whether a text can be claimed as a domain: lower case, at least two labels. */
export function isDomain(text: string): boolean {
  return text.length <= 253 && /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/.test(text)
}
