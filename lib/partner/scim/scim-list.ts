import { JsonError } from '#lib/reconcile/json/json-error.ts'
import { parseLossless } from '#lib/reconcile/json/parse.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '#lib/reconcile/json/value.ts'
import { readMember, readText, readTexts } from './scim-members.ts'
import type { ScimParsed, ScimRemark } from './scim-model.ts'

const ERROR_URN = 'urn:ietf:params:scim:api:messages:2.0:error'

/** The JSON of an answer, or why there is none. Never throws. */
export function parseScimJson(text: string): { ok: true; value: JsonValue } | { ok: false; reason: string } {
  try {
    return { ok: true, value: parseLossless(text.replace(/^\uFEFF/, '')) }
  } catch (thrown) {
    if (thrown instanceof JsonError) return { ok: false, reason: thrown.message }
    throw thrown
  }
}

/**
 * The `status` of a SCIM error (RFC 7644, 3.12), sent as text or number; 0 for an error without
 * one, null for a body that is not an error.
 */
export function readScimErrorStatus(value: JsonValue): number | null {
  if (!isJsonObject(value)) return null
  if (!readTexts(value, 'schemas').some((urn) => urn.toLowerCase() === ERROR_URN)) return null
  const status = readText(value, 'status') ?? ''
  return /^[1-5]\d\d$/.test(status.trim()) ? Number(status) : 0
}

/**
 * The resources of an answer: a ListResponse with or without totals (RFC 7644, 3.4.2), a bare list,
 * or a single resource (as told by `isResource`). Remarks count entries that are not objects, and
 * note a stated total above the number sent: discovery takes no parameters, so the rest cannot be
 * requested (assumption 28). Never throws.
 */
export function parseScimList(text: string, isResource: (value: JsonObject) => boolean): ScimParsed<JsonObject[]> {
  const parsed = parseScimJson(text)
  if (!parsed.ok) return parsed
  const { value } = parsed
  if (Array.isArray(value)) return toEntries(value, null)
  if (!isJsonObject(value)) return { ok: false, reason: 'The answer is neither a list nor a resource' }
  const resources = readMember(value, 'Resources')
  const stated = readText(value, 'totalResults')
  if (Array.isArray(resources)) return toEntries(resources, stated)
  if (isJsonObject(resources)) return toEntries([resources], stated)
  if (isResource(value)) return toEntries([value], null)
  // a list without results may leave `Resources` out
  if (stated !== null && /^0+$/.test(stated)) return { ok: true, value: [], remarks: [] }
  return { ok: false, reason: 'The answer has no list of resources' }
}

function toEntries(values: JsonValue[], stated: string | null): ScimParsed<JsonObject[]> {
  const entries = values.filter(isJsonObject)
  const remarks: ScimRemark[] = []
  if (entries.length < values.length)
    remarks.push({ code: 'unreadable_entries', count: values.length - entries.length })
  if (stated !== null && /^\d{1,15}$/.test(stated) && Number(stated) > values.length)
    remarks.push({ code: 'incomplete', stated, received: values.length })
  return { ok: true, value: entries, remarks }
}
