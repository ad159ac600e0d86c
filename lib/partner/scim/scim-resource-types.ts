import type { JsonObject } from '#lib/reconcile/json/value.ts'
import { parseScimList } from './scim-list.ts'
import { readFlag, readMember, readObjects, readText } from './scim-members.ts'
import type { ScimParsed, ScimResourceType } from './scim-model.ts'

/**
 * Reads ResourceTypes (RFC 7643, 6). Counts an entry without endpoint, schema and extensions as
 * unreadable. Never throws.
 */
export function parseResourceTypes(text: string): ScimParsed<ScimResourceType[]> {
  const list = parseScimList(text, isResourceType)
  if (!list.ok) return list
  const readable = list.value.filter(isResourceType)
  const count = list.value.length - readable.length
  return {
    ok: true,
    value: readable.map(toResourceType),
    remarks: count > 0 ? [...list.remarks, { code: 'unreadable_entries', count }] : list.remarks,
  }
}

/** Whether an object looks like a resource type, also outside a list. */
export function isResourceType(value: JsonObject): boolean {
  return ['endpoint', 'schema', 'schemaExtensions'].some((name) => readMember(value, name) !== null)
}

function toResourceType(value: JsonObject): ScimResourceType {
  return {
    name: readText(value, 'name') ?? readText(value, 'id'),
    endpoint: readText(value, 'endpoint'),
    description: readText(value, 'description'),
    schema: readText(value, 'schema'),
    extensions: readObjects(value, 'schemaExtensions').flatMap((extension) => {
      const schema = readText(extension, 'schema')
      return schema === null ? [] : [{ schema, isRequired: readFlag(extension, 'required') }]
    }),
  }
}
