/** Requests of a directory and their answers (RFC 7644, 3): what the routes call. */
import { recordAudit } from '#lib/audit/record-audit.ts'
import type { DirectoryCall } from '#lib/auth/doors/api-route.ts'
import { withTenantSql } from '#lib/db/tenant.ts'
import { settings } from '#lib/env.ts'
import { scimError, scimReply } from '#lib/http/scim-replies.ts'
import { isStorable } from '#lib/http/storable.ts'
import {
  createGroup,
  findGroup,
  type Group,
  type GroupKey,
  listGroups,
  patchGroup,
  removeGroup,
  replaceGroup,
  toGroupResource,
} from './groups.ts'
import {
  type Asked,
  createPerson,
  findPerson,
  listPeople,
  type PersonKey,
  patchPerson,
  removePerson,
  replacePerson,
} from './people.ts'
import { type Person, toUserResource } from './person.ts'
import { LastAdminError, Refusal } from './refusal.ts'
import { filterResources, type Query, type ResourceKind, writeList, writeResource } from './scim-schemas.ts'
import type { Json } from './spellings.ts'

type Answer = (call: DirectoryCall) => Promise<Response>

const MAX_COUNT = 200
const DEFAULT_COUNT = 100

/** Where the directory finds us; an admin copies it from the settings. */
export function toDirectoryAddress(): string {
  return `${settings().appUrl.replace(/\/$/, '')}/api/scim/v2`
}

const addressOf = (kind: ResourceKind) => `${toDirectoryAddress()}/${kind}s`
const toResource = {
  User: (person: Person) => toUserResource(person),
  Group: (group: Group) => toGroupResource(group, addressOf('User')),
}

export const listUsersForDirectory: Answer = (call) =>
  answer(call, async ({ directory }, query) => {
    const key = toKey<PersonKey['by']>(query.filter, ['userName', 'externalId', 'id'])
    const people = await listPeople(directory.organizationId, key)
    return listReply(call, 'User', people.map(toResource.User), key === null, query)
  })

export const listGroupsForDirectory: Answer = (call) =>
  answer(call, async ({ directory }, query) => {
    const key = toKey<GroupKey['by']>(query.filter, ['displayName', 'externalId', 'id'])
    const groups = await listGroups(directory.organizationId, key)
    return listReply(call, 'Group', groups.map(toResource.Group), key === null, query)
  })

export const getUserForDirectory: Answer = (call) =>
  answer(call, async ({ directory, id }, query) => {
    const person = await findPerson(directory.organizationId, id)
    if (person === null) throw new Refusal(404, 'There is no such user.')
    return resourceReply(call, 'User', toResource.User(person), query)
  })

export const getGroupForDirectory: Answer = (call) =>
  answer(call, async ({ directory, id }, query) => {
    const group = await findGroup(directory.organizationId, id)
    if (group === null) throw new Refusal(404, 'There is no such group.')
    return resourceReply(call, 'Group', toResource.Group(group), query)
  })

export const createUserForDirectory: Answer = (call) =>
  answer(call, async ({ body }, query, asked) =>
    resourceReply(call, 'User', toResource.User(await createPerson(asked, body)), query, 201),
  )

export const replaceUserForDirectory: Answer = (call) =>
  answer(call, async ({ id, body }, query, asked) =>
    resourceReply(call, 'User', toResource.User(await replacePerson(asked, id, body)), query),
  )

export const patchUserForDirectory: Answer = (call) =>
  answer(call, async ({ id, body }, query, asked) =>
    resourceReply(call, 'User', toResource.User(await patchPerson(asked, id, body)), query),
  )

export const removeUserForDirectory: Answer = (call) =>
  answer(call, async ({ id }, _, asked) => {
    await removePerson(asked, id)
    return new Response(null, { status: 204 })
  })

export const createGroupForDirectory: Answer = (call) =>
  answer(call, async ({ body }, query, asked) =>
    resourceReply(call, 'Group', toResource.Group(await createGroup(asked, body)), query, 201),
  )

export const replaceGroupForDirectory: Answer = (call) =>
  answer(call, async ({ id, body }, query, asked) =>
    resourceReply(call, 'Group', toResource.Group(await replaceGroup(asked, id, body)), query),
  )

export const patchGroupForDirectory: Answer = (call) =>
  answer(call, async ({ id, body }, query, asked) =>
    resourceReply(call, 'Group', toResource.Group(await patchGroup(asked, id, body)), query),
  )

export const removeGroupForDirectory: Answer = (call) =>
  answer(call, async ({ id }, _, asked) => {
    await removeGroup(asked, id)
    return new Response(null, { status: 204 })
  })

/** Runs the work and says in SCIM's form what was refused. */
async function answer(
  call: DirectoryCall,
  work: (call: DirectoryCall, query: Query, asked: Asked) => Promise<Response>,
): Promise<Response> {
  const { request, directory, actor, now } = call
  const asked = { organizationId: directory.organizationId, actor, now, ifMatch: request.headers.get('if-match') }
  try {
    return await work(call, readQuery(request), asked)
  } catch (thrown) {
    if (!(thrown instanceof Refusal)) throw thrown
    if (thrown instanceof LastAdminError) await noteRefusal(call, thrown)
    return scimError(thrown.status, thrown.message, thrown.scimType)
  }
}

/** The refused change was rolled back with its entries: this one has a transaction of its own. */
function noteRefusal({ directory, actor, request }: DirectoryCall, { email }: LastAdminError): Promise<void> {
  const { organizationId } = directory
  const subject = { kind: 'person', name: email }
  const after = { request: `${request.method} ${new URL(request.url).pathname.slice(0, 200)}` }
  return withTenantSql(organizationId, (sql) =>
    recordAudit(sql, organizationId, { actor, action: 'directory.refused', subject, after }),
  )
}

function readQuery(request: Request): Query {
  const { searchParams } = new URL(request.url)
  const read = (name: string) => {
    const text = searchParams.get(name)
    if (text !== null && !isStorable(text)) throw new Refusal(400, `${name} cannot be read.`, 'invalidValue')
    return text === '' ? null : text
  }
  return { filter: read('filter'), attributes: read('attributes'), excludedAttributes: read('excludedAttributes') }
}

/** `attribute eq "value"` alone, by which directories look for one resource before they write. */
function toKey<By extends string>(filter: string | null, names: readonly By[]): { by: By; value: string } | null {
  const [, attribute = '', value = ''] = /^\s*(\w+)\s+eq\s+("(?:[^"\\]|\\.)*")\s*$/i.exec(filter ?? '') ?? []
  const by = names.find((name) => name.toLowerCase() === attribute.toLowerCase())
  return by === undefined ? null : { by, value: parseText(value) }
}

/** A quoted text is JSON (RFC 7644, 3.4.2.2). */
function parseText(quoted: string): string {
  const text = parseJson(quoted)
  if (typeof text !== 'string' || !isStorable(text))
    throw new Refusal(400, 'The filter cannot be read.', 'invalidFilter')
  return text
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function listReply(
  { request }: DirectoryCall,
  kind: ResourceKind,
  resources: Json[],
  isFiltered: boolean,
  query: Query,
): Response {
  const found = query.filter !== null && isFiltered ? filterResources(resources, query.filter) : resources
  const { searchParams } = new URL(request.url)
  const startIndex = Math.max(1, readWhole(searchParams.get('startIndex')) ?? 1)
  const count = Math.min(MAX_COUNT, Math.max(0, readWhole(searchParams.get('count')) ?? DEFAULT_COUNT))
  const page = found.slice(startIndex - 1, startIndex - 1 + count)
  const written = page.map((each) => writeResource(kind, each, addressOf(kind), query))
  return scimReply(writeList(written, found.length, startIndex))
}

/** A whole number; what is none counts as left out. */
function readWhole(text: string | null): number | null {
  return text !== null && /^-?\d{1,9}$/.test(text) ? Number(text) : null
}

function resourceReply(
  { request }: DirectoryCall,
  kind: ResourceKind,
  resource: Json,
  query: Query,
  status = 200,
): Response {
  const { version } = resource.meta as { version: string }
  const isKnown = request.method === 'GET' && request.headers.get('if-none-match') === version
  if (isKnown) return new Response(null, { status: 304, headers: { etag: version } })
  const location = `${addressOf(kind)}/${resource.id}`
  const headers = { etag: version, ...(status === 201 ? { location } : {}) }
  return scimReply(writeResource(kind, resource, addressOf(kind), query), status, headers)
}
