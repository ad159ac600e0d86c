import { isJsonObject, type JsonObject, type JsonValue } from '#lib/reconcile/json/value.ts'
import { parseScimList } from './scim-list.ts'
import { describeValue, readFlag, readMember, readObjects, readText, toFlag } from './scim-members.ts'
import type { ScimAuthenticationScheme, ScimOperation, ScimParsed, ScimServiceConfig } from './scim-model.ts'

const OPERATIONS = ['patch', 'bulk', 'filter', 'changePassword', 'sort', 'etag'] as const
const KNOWN = new Set(
  [...OPERATIONS, 'schemas', 'id', 'meta', 'documentationUri', 'authenticationSchemes'].map((name) =>
    name.toLowerCase(),
  ),
)

/**
 * Reads ServiceProviderConfig (RFC 7643, 5), also as the one entry of a list. An operation that is
 * missing, or not a yes or no, is not stated (null). Never throws.
 */
export function parseServiceConfig(text: string): ScimParsed<ScimServiceConfig> {
  const list = parseScimList(text, isServiceConfig)
  if (!list.ok) return list
  const [config] = list.value
  if (config === undefined) return { ok: false, reason: 'The answer has no configuration in it' }
  if (!isServiceConfig(config)) return { ok: false, reason: 'The answer names none of the operations of SCIM' }
  const repeated = list.value.length - 1
  return {
    ok: true,
    value: {
      documentationUri: readText(config, 'documentationUri'),
      operations: OPERATIONS.map((name) => toOperation(name, readMember(config, name))),
      authenticationSchemes: readObjects(config, 'authenticationSchemes').map(toScheme),
      others: Object.entries(config)
        .filter(([name]) => !KNOWN.has(name.toLowerCase()))
        .map(([name, value]) => ({ name, value: describeValue(value) })),
    },
    remarks: repeated > 0 ? [...list.remarks, { code: 'repeated_entries', count: repeated }] : list.remarks,
  }
}

function isServiceConfig(value: JsonObject): boolean {
  return [...OPERATIONS, 'authenticationSchemes'].some((name) => readMember(value, name) !== null)
}

function toOperation(name: ScimOperation['name'], value: JsonValue): ScimOperation {
  if (!isJsonObject(value)) return { name, isSupported: toFlag(value), limits: [] }
  const limits = Object.entries(value)
    .filter(([member]) => member.toLowerCase() !== 'supported')
    .map(([member, limit]) => ({ name: member, value: describeValue(limit) }))
  return { name, isSupported: readFlag(value, 'supported'), limits }
}

function toScheme(scheme: JsonObject): ScimAuthenticationScheme {
  return {
    type: readText(scheme, 'type'),
    name: readText(scheme, 'name'),
    description: readText(scheme, 'description'),
    documentationUri: readText(scheme, 'documentationUri'),
    isPrimary: readFlag(scheme, 'primary') ?? false,
  }
}
