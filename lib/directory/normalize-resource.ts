/**
 * Users and groups as directories write them, in the one spelling that the strict library takes.
 * Pure. Each quirk is a recorded case in docs/golden/scim.
 */
import { isObject, type Json, readMember, toBoolean, toList, unwrap } from './spellings.ts'

export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group'

/** The attributes of a user that we keep. All others of the standard are taken and not kept. */
export const KEPT_OF_USER = ['userName', 'externalId', 'active', 'displayName', 'name', 'emails'] as const
export const KEPT_OF_GROUP = ['displayName', 'externalId', 'members'] as const

const NAME_PARTS = ['formatted', 'familyName', 'givenName', 'middleName', 'honorificPrefix', 'honorificSuffix']
const EMAIL_TYPES = ['work', 'home', 'other']

/** A whole user (POST, PUT). `schemas` may be missing: the address says what it is. */
export function normalizeUser(body: Json): Json {
  return keep(body, USER_SCHEMA, KEPT_OF_USER, normalizeUserValue)
}

/** A whole group (POST, PUT). Members that are left out are none: leaving out must not keep one. */
export function normalizeGroup(body: Json): Json {
  return { members: [], ...keep(body, GROUP_SCHEMA, KEPT_OF_GROUP, normalizeGroupValue) }
}

function keep(
  body: Json,
  schema: string,
  names: readonly string[],
  normalize: (name: string, value: unknown) => unknown,
): Json {
  const kept: Json = { schemas: [schema] }
  for (const name of names) {
    const written = readMember(body, name) ?? readMember(body, `${schema}:${name}`)
    const value = written === undefined || written === null ? undefined : normalize(name, written)
    if (value !== undefined) kept[name] = value
  }
  return kept
}

/** The value of one attribute of a user. */
export function normalizeUserValue(name: string, value: unknown): unknown {
  switch (name) {
    case 'active':
      return toBoolean(value)
    case 'name':
      return typeof value === 'string' ? { formatted: value } : normalizeName(value)
    case 'emails':
      return normalizeEmails(value)
    default:
      return toText(value)
  }
}

/** The value of one attribute of a group. */
export function normalizeGroupValue(name: string, value: unknown): unknown {
  return name === 'members' ? normalizeMembers(value) : toText(value)
}

/** Some directories send an external id as a number. An empty text is none. */
function toText(value: unknown): unknown {
  const single = unwrap(value)
  const text = typeof single === 'number' ? String(single) : typeof single === 'string' ? single.trim() : single
  return text === '' ? undefined : text
}

function normalizeName(value: unknown): unknown {
  const single = Array.isArray(value) && value.length === 1 ? value[0] : value
  if (!isObject(single)) return single
  const parts = NAME_PARTS.map((part) => [part, toText(readMember(single, part) ?? undefined)] as const)
  return Object.fromEntries(parts.filter(([, part]) => part !== undefined))
}

/**
 * Text or objects, with at most one primary: the first that says so. A type that the standard does
 * not know becomes `other`. Without a value there is no email.
 */
function normalizeEmails(value: unknown): unknown {
  let hasPrimary = false
  return toList(value).flatMap((each) => {
    if (!isObject(each)) return typeof each === 'string' ? [{ value: each.trim() }] : [each]
    const address = toText(readMember(each, 'value'))
    if (address === undefined || address === null) return []
    const type = String(readMember(each, 'type') ?? 'work').toLowerCase()
    const primary = !hasPrimary && toBoolean(readMember(each, 'primary')) === true
    hasPrimary ||= primary
    return [{ value: address, type: EMAIL_TYPES.includes(type) ? type : 'other', ...(primary ? { primary } : {}) }]
  })
}

/**
 * Ids, each once: from text, from `value`, or from the end of `$ref`. A member that is itself a
 * group stays one, to be refused.
 */
export function normalizeMembers(value: unknown): { value: unknown; type?: string }[] {
  const members = toList(value).map((each) => {
    if (!isObject(each)) return { value: typeof each === 'number' ? String(each) : each }
    const reference = readMember(each, '$ref')
    const id = readMember(each, 'value') ?? (typeof reference === 'string' ? reference.split('/').at(-1) : undefined)
    const isGroup = String(readMember(each, 'type')).toLowerCase() === 'group'
    return isGroup ? { value: id, type: 'Group' } : { value: id }
  })
  return [...new Map(members.map((member) => [member.value, member])).values()]
}
