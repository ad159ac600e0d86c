/**
 * PATCH requests as directories write them, as the strict operations of RFC 7644, 3.5.2. Pure.
 * What none of the known spellings explains stays as it is, to be refused and never passed over:
 * an offboarding that is taken and not done is the worst answer.
 */
import {
  GROUP_SCHEMA,
  KEPT_OF_GROUP,
  KEPT_OF_USER,
  normalizeGroupValue,
  normalizeMembers,
  normalizeUserValue,
  USER_SCHEMA,
} from './normalize-resource.ts'
import { isObject, type Json, readMember, toBoolean, toList, unwrap } from './spellings.ts'

const PATCH_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

/** Attributes of the standard that we take and do not keep (RFC 7643, 4.1). */
const NOT_KEPT_OF_USER =
  /^(nickname|profileurl|title|usertype|preferredlanguage|locale|timezone|password|phonenumbers|ims|photos|addresses|groups|entitlements|roles|x509certificates|schemas|id|meta)\b/i
const NOT_KEPT_OF_GROUP = /^(schemas|id|meta)\b/i

type Operation = { op: unknown; path?: unknown; value?: unknown }

type Kind = {
  schema: string
  kept: readonly string[]
  notKept: RegExp
  normalizeValue: (name: string, value: unknown) => unknown
}

const USER: Kind = {
  schema: USER_SCHEMA,
  kept: KEPT_OF_USER,
  notKept: NOT_KEPT_OF_USER,
  normalizeValue: normalizeUserValue,
}
const GROUP: Kind = {
  schema: GROUP_SCHEMA,
  kept: KEPT_OF_GROUP,
  notKept: NOT_KEPT_OF_GROUP,
  normalizeValue: normalizeGroupValue,
}

/**
 * A PATCH of a user; null when it changes nothing that we keep. `current` has the emails and the
 * name, into which operations on their parts are put.
 */
export function normalizeUserPatch(body: Json, current: Json): Json | null {
  const state: Json = { name: current.name ?? {}, emails: current.emails ?? [] }
  return toMessage(
    body,
    readOperations(body)
      .flatMap((operation) => expand(operation, USER))
      .map((operation) => putIntoWhole(operation, state)),
  )
}

/** A PATCH of a group; null when it changes nothing that we keep. */
export function normalizeGroupPatch(body: Json): Json | null {
  return toMessage(
    body,
    readOperations(body)
      .flatMap((operation) => expand(operation, GROUP))
      .flatMap(toSingleRemovals),
  )
}

/** Lower-case names (`operations`) and one operation that is no list occur. */
function readOperations(body: Json): Operation[] {
  return toList(readMember(body, 'Operations')).map((each) => {
    if (!isObject(each)) return each as Operation
    const op = readMember(each, 'op')
    const path = readMember(each, 'path')
    return {
      op: typeof op === 'string' ? op.trim().toLowerCase() : op,
      path: typeof path === 'string' && path.trim() !== '' ? path.trim() : undefined,
      value: readMember(each, 'value'),
    }
  })
}

/** Keeps an empty message, so the library reports what is missing. */
function toMessage(body: Json, operations: Operation[]): Json | null {
  if (operations.length === 0 && toList(readMember(body, 'Operations')).length > 0) return null
  return { schemas: [PATCH_SCHEMA], Operations: operations.map(dropUndefined) }
}

function dropUndefined(operation: Operation): Operation {
  return isObject(operation)
    ? (Object.fromEntries(Object.entries(operation).filter(([, each]) => each !== undefined)) as Operation)
    : operation
}

/**
 * One operation per attribute, by the attribute's own name. An object without a path, whose keys
 * may be dotted or urns, becomes several; what is not kept becomes none.
 */
function expand(operation: Operation, kind: Kind): Operation[] {
  if (!isObject(operation)) return [operation]
  const { op, path, value } = operation
  if (typeof path === 'string') return toKept({ op, path, value }, kind)
  if (!isObject(value)) return [operation]
  return Object.entries(value).flatMap(([key, each]) =>
    // the schema's urn may hold the attributes (Entra ID's extensions do)
    key.toLowerCase() === kind.schema.toLowerCase() && isObject(each)
      ? expand({ op, value: each }, kind)
      : toKept({ op, path: key, value: each }, kind),
  )
}

function toKept({ op, path, value }: { op: unknown; path: string; value: unknown }, kind: Kind): Operation[] {
  const own = `${kind.schema}:`
  const isOwn = path.toLowerCase().startsWith(own.toLowerCase())
  const bare = isOwn ? path.slice(own.length) : path
  // an extension, such as urn:…:enterprise:2.0:User:manager (ssoready/ssoready PR 167)
  if (!isOwn && /^urn:/i.test(bare)) return []
  if (kind.notKept.test(bare)) return []
  const [, attribute = '', rest = ''] = /^(\w+)(.*)$/s.exec(bare) ?? []
  const name = kind.kept.find((each) => each.toLowerCase() === attribute.toLowerCase())
  if (name === undefined) return [{ op, path: bare, value }]
  const whole = rest === '' && value !== undefined ? kind.normalizeValue(name, value) : value
  // an empty text replaces with nothing
  if (rest === '' && value !== undefined && whole === undefined) return [{ op: 'remove', path: name }]
  if (rest === '' && value === null && op !== 'remove') return [{ op: 'remove', path: name }]
  return [{ op, path: name + rest, value: whole }]
}

/**
 * A part of the name or of an email, put into the whole: the library finds no target in a name or a
 * list that is not there yet. `state` follows the operations.
 */
function putIntoWhole(operation: Operation, state: Json): Operation {
  if (!isObject(operation) || typeof operation.path !== 'string') return operation
  const { op, path, value } = operation
  const part = /^name\.(\w+)$/i.exec(path)?.[1]
  const email = /^emails\[\s*(type|primary)\s+eq\s+"?(\w+)"?\s*\](?:\.(\w+))?$/i.exec(path)
  if (part !== undefined && (op === 'add' || op === 'replace' || op === 'remove')) {
    state.name = { ...(state.name as Json), [part]: op === 'remove' ? undefined : unwrap(value) }
    return { op: 'replace', path: 'name', value: normalizeUserValue('name', state.name) }
  }
  if (email !== null && (op === 'add' || op === 'replace')) {
    const [, by = '', wanted = '', sub] = email
    state.emails = putEmail(state.emails as Json[], { by, wanted, sub, value })
    return { op: 'replace', path: 'emails', value: normalizeUserValue('emails', state.emails) }
  }
  if ((path === 'name' || path === 'emails') && (op === 'replace' || (op === 'add' && path === 'name'))) {
    const merged = op === 'add' && isObject(value) ? { ...(state.name as Json), ...value } : value
    state[path] = merged
    return { op: 'replace', path, value: merged }
  }
  if (path === 'emails' && op === 'add') {
    state.emails = [...(state.emails as Json[]), ...toList(value)]
    return { op: 'replace', path, value: normalizeUserValue('emails', state.emails) }
  }
  return operation
}

type EmailPart = { by: string; wanted: string; sub: string | undefined; value: unknown }

/** The emails with one changed, or added when none of this type is there yet. */
function putEmail(emails: Json[], { by, wanted, sub, value }: EmailPart): Json[] {
  const key = by.toLowerCase()
  const isMeant = (email: Json) =>
    key === 'primary' ? toBoolean(email.primary) === toBoolean(wanted) : email.type === wanted.toLowerCase()
  const change: Json = sub === undefined ? toEmail(value) : { [sub.toLowerCase()]: unwrap(value) }
  const selector = key === 'primary' ? { primary: toBoolean(wanted) } : { type: wanted.toLowerCase() }
  if (!emails.some(isMeant)) return [...emails, { ...selector, ...change }]
  return emails.map((email) => (isMeant(email) ? { ...email, ...change } : email))
}

function toEmail(value: unknown): Json {
  const [only] = toList(value)
  return isObject(only) ? only : { value: only }
}

/**
 * Entra ID removes members by a list of values, which RFC 7644 does not know. Taken by the letter
 * it would empty the group (MicrosoftDocs/azure-docs #30826). An empty list removes nobody.
 */
function toSingleRemovals(operation: Operation): Operation[] {
  if (!isObject(operation) || operation.op !== 'remove' || operation.path !== 'members') return [operation]
  if (operation.value === undefined || operation.value === null) return [{ op: 'remove', path: 'members' }]
  return normalizeMembers(operation.value).map(({ value }) => ({
    op: 'remove',
    // a member that nobody can read is refused, not passed over
    path: typeof value === 'string' && !/["\\]/.test(value) ? `members[value eq "${value}"]` : 'members.unreadable',
  }))
}
