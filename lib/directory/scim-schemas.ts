/**
 * The strict side: the library's reading of RFC 7643 and 7644, of the attributes that we keep. The
 * only door to it. What it refuses becomes a `Refusal` with the RFC's word.
 */
import SCIMMY from 'scimmy'
import type { ScimType } from '#lib/http/scim-replies.ts'
import { KEPT_OF_GROUP, KEPT_OF_USER } from './normalize-resource.ts'
import { Refusal } from './refusal.ts'
import type { Json } from './spellings.ts'

const { Types, Schemas, Messages } = SCIMMY

export type ResourceKind = 'User' | 'Group'

/** A filter of this many comparisons is parsed in microseconds; the time grows as their power. */
const MAX_FILTER_CHARACTERS = 1000
const MAX_JOINS = 6

function toDefinition(of: typeof Schemas.User | typeof Schemas.Group, kept: readonly string[]) {
  const { name, id, description, attributes } = of.definition
  const ours = attributes.filter((each) => kept.includes(each.name) && each.name !== 'externalId')
  return new Types.SchemaDefinition(name, id, description, ours as never)
}

const DEFINITIONS = {
  User: toDefinition(Schemas.User, KEPT_OF_USER),
  Group: toDefinition(Schemas.Group, KEPT_OF_GROUP),
}

/** The library's class of a resource of this definition. */
function toClass(definition: (typeof DEFINITIONS)['User']) {
  return class extends Types.Schema {
    static override get definition() {
      return definition
    }
    constructor(resource: object, direction = 'both', basepath?: string, attributes?: unknown) {
      super(resource, direction)
      Object.assign(this, definition.coerce(resource, direction, basepath, attributes as never))
    }
  }
}

const CLASSES = { User: toClass(DEFINITIONS.User), Group: toClass(DEFINITIONS.Group) }

/** Runs the library; what it says against a request becomes a refusal. */
function strictly<T>(work: () => T): T {
  try {
    return work()
  } catch (thrown) {
    throw toRefusal(thrown, 'invalidValue')
  }
}

function toRefusal(thrown: unknown, type: ScimType): unknown {
  if (!(thrown instanceof Error) || thrown instanceof Refusal) return thrown
  const { status, scimType } = thrown as Error & { status?: number; scimType?: ScimType }
  if (status !== undefined) return new Refusal(Number(status), thrown.message, scimType)
  return thrown instanceof TypeError ? new Refusal(400, thrown.message, type) : thrown
}

/** A whole resource that a directory sent, checked and without what it may not set. */
export function readResource(kind: ResourceKind, sent: Json): Json {
  return toPlain(strictly(() => new CLASSES[kind](sent, 'in')))
}

/** The resource after a PATCH of strict operations; all of them, or a refusal. */
export async function patchResource(kind: ResourceKind, current: Json, message: Json): Promise<Json> {
  try {
    const source = new CLASSES[kind](current)
    const patched = await new Messages.PatchOp(message as never).apply(source as never)
    return toPlain(patched ?? source)
  } catch (thrown) {
    throw toRefusal(thrown, 'invalidValue')
  }
}

/** A resource as it is sent, with the attributes that the query asks for. */
export function writeResource(kind: ResourceKind, resource: Json, address: string, query: Query): Json {
  return toPlain(strictly(() => new CLASSES[kind](resource, 'out', address, toAttributes(query))))
}

function toPlain(resource: object): Json {
  return JSON.parse(JSON.stringify(resource))
}

export type Query = { filter: string | null; attributes: string | null; excludedAttributes: string | null }

/** The library reads a choice of attributes as a filter: present, or not present. */
function toAttributes({ attributes, excludedAttributes }: Query) {
  const [text, word] = attributes ? [attributes, 'pr'] : [excludedAttributes, 'np']
  if (!text) return undefined
  const names = text.split(',').map((each) => each.trim())
  if (names.length > 20 || !names.every((each) => /^[\w:.$-]{1,120}$/.test(each)))
    throw new Refusal(400, 'These attributes cannot be read.', 'invalidValue')
  return strictly(() => new Types.Filter(names.map((each) => `${each} ${word}`).join(' and ')))
}

/** Which of the resources a filter means (RFC 7644, 3.4.2.2). */
export function filterResources<T extends Json>(resources: T[], filter: string): T[] {
  const joins = filter.match(/\b(and|or|not)\b/gi)?.length ?? 0
  if (filter.length > MAX_FILTER_CHARACTERS || joins > MAX_JOINS)
    throw new Refusal(400, 'The filter is too long.', 'invalidFilter')
  try {
    return new Types.Filter(filter).match(resources as never) as T[]
  } catch (thrown) {
    // a filter that the library trips over is one that it cannot read
    throw toRefusal(thrown, 'invalidFilter')
  }
}

/** A page of a list (RFC 7644, 3.4.2.4). */
export function writeList(resources: Json[], totalResults: number, startIndex: number): Json {
  return {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    totalResults,
    startIndex,
    itemsPerPage: resources.length,
    Resources: resources,
  }
}

/** The definitions of what we keep (RFC 7643, 7). */
export function describeSchemas(address: string): Json[] {
  return Object.values(DEFINITIONS).map((definition) => toPlain(definition.describe(address)))
}
