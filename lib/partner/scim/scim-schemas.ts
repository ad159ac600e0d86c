import type { JsonObject } from '#lib/reconcile/json/value.ts'
import { parseScimList } from './scim-list.ts'
import { readFlag, readMember, readObjects, readText, readTexts } from './scim-members.ts'
import type { ScimAttribute, ScimParsed, ScimResourceType, ScimSchema } from './scim-model.ts'

/**
 * Reads Schemas (RFC 7643, 7), attributes with sub-attributes to any depth. Counts as unreadable:
 * an entry without attributes, one without id and name, and an attribute without a name. Never
 * throws.
 */
export function parseSchemas(text: string): ScimParsed<ScimSchema[]> {
  const list = parseScimList(text, isSchema)
  if (!list.ok) return list
  const unreadable = { count: 0 }
  const schemas: ScimSchema[] = []
  for (const entry of list.value) {
    const id = readText(entry, 'id') ?? readText(entry, 'name')
    if (id === null || !isSchema(entry)) unreadable.count += 1
    else
      schemas.push({
        id,
        name: readText(entry, 'name'),
        description: readText(entry, 'description'),
        attributes: toAttributes(entry, 'attributes', unreadable),
      })
  }
  const { count } = unreadable
  return {
    ok: true,
    value: schemas,
    remarks: count > 0 ? [...list.remarks, { code: 'unreadable_entries', count }] : list.remarks,
  }
}

/** Whether an object looks like a schema, also outside a list. */
export function isSchema(value: JsonObject): boolean {
  return readMember(value, 'attributes') !== null
}

/** The JSON parser bounds the nesting, and so this recursion. */
function toAttributes(owner: JsonObject, member: string, unreadable: { count: number }): ScimAttribute[] {
  return readObjects(owner, member).flatMap((value) => {
    const name = readText(value, 'name')
    if (name === null) {
      unreadable.count += 1
      return []
    }
    return [
      {
        name,
        type: readText(value, 'type'),
        isMultiValued: readFlag(value, 'multiValued'),
        isRequired: readFlag(value, 'required'),
        isCaseExact: readFlag(value, 'caseExact'),
        mutability: readText(value, 'mutability'),
        returned: readText(value, 'returned'),
        uniqueness: readText(value, 'uniqueness'),
        description: readText(value, 'description'),
        canonicalValues: readTexts(value, 'canonicalValues'),
        referenceTypes: readTexts(value, 'referenceTypes'),
        subAttributes: toAttributes(value, 'subAttributes', unreadable),
      },
    ]
  })
}

/**
 * Whether a schema extends others rather than standing alone. The resource types decide (RFC 7643,
 * 6); for a schema none of them names, the word `extension` in its URN does (RFC 7643, 10.3.1).
 */
export function isExtensionSchema(schemaId: string, resourceTypes: readonly ScimResourceType[]): boolean {
  const id = schemaId.toLowerCase()
  if (resourceTypes.some(({ extensions }) => extensions.some(({ schema }) => schema.toLowerCase() === id))) return true
  if (resourceTypes.some(({ schema }) => schema?.toLowerCase() === id)) return false
  return /(^|[:/])extensions?([:/]|$)/.test(id)
}
