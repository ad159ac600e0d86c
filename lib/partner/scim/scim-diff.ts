/**
 * What changed between two answers of one endpoint, member by member, including members no page
 * shows.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '#lib/reconcile/json/value.ts'
import { parseScimList } from './scim-list.ts'
import { describeValue, readList, readText } from './scim-members.ts'
import type { ScimChange, ScimEndpoint } from './scim-model.ts'
import { isResourceType } from './scim-resource-types.ts'
import { isSchema } from './scim-schemas.ts'

/** A named thing with its own members and the things inside it. */
type Thing = { what: string; name: string; members: Map<string, string>; inside: Thing[] }

/**
 * The differences from `before` to `after`, two raw answers of one endpoint, both readable. Matches
 * things by name, ignoring case. `meta` and the order of things do not count. Empty if an answer
 * cannot be read. Never throws.
 */
export function compareScimAnswers(endpoint: ScimEndpoint, before: string, after: string): ScimChange[] {
  const [old, fresh] = [toThings(endpoint, before), toThings(endpoint, after)]
  return old === null || fresh === null ? [] : compareThings(old, fresh, [])
}

function toThings(endpoint: ScimEndpoint, text: string): Thing[] | null {
  if (endpoint === 'ServiceProviderConfig') return toSettings(text)
  const list = parseScimList(text, endpoint === 'Schemas' ? isSchema : isResourceType)
  if (!list.ok) return null
  return list.value.map((entry) =>
    endpoint === 'Schemas'
      ? toThing('schema', entry, ['id', 'name'], { member: 'attributes', toInside: toAttribute })
      : toThing('resource type', entry, ['name', 'id', 'endpoint'], {
          member: 'schemaExtensions',
          toInside: toExtension,
        }),
  )
}

function toAttribute(value: JsonObject): Thing {
  return toThing('attribute', value, ['name'], { member: 'subAttributes', toInside: toAttribute })
}

function toExtension(value: JsonObject): Thing {
  return toThing('extension', value, ['schema'])
}

/**
 * Each member of the configuration is a thing: an operation, an authentication scheme or another
 * setting.
 */
function toSettings(text: string): Thing[] | null {
  const list = parseScimList(text, () => true)
  const [config] = list.ok ? list.value : []
  if (config === undefined) return null
  return Object.entries(config).flatMap(([name, value]): Thing[] => {
    if (isSilent(name)) return []
    if (name.toLowerCase() === 'authenticationschemes')
      return readList(config, name)
        .filter(isJsonObject)
        .map((scheme) => toThing('authentication scheme', scheme, ['name', 'type']))
    if (isJsonObject(value)) return [{ what: 'operation', name, members: toMembers(value, null), inside: [] }]
    return [{ what: 'setting', name, members: new Map([['value', describeValue(value)]]), inside: [] }]
  })
}

type Inside = { member: string; toInside: (value: JsonObject) => Thing }

function toThing(what: string, value: JsonObject, names: string[], inside?: Inside): Thing {
  const name = names.map((member) => readText(value, member)).find((text) => text !== null) ?? '(no name)'
  const things = inside === undefined ? [] : readList(value, inside.member).filter(isJsonObject).map(inside.toInside)
  return { what, name, members: toMembers(value, inside?.member ?? null), inside: things }
}

function toMembers(value: JsonObject, except: string | null): Map<string, string> {
  const members = Object.entries(value).filter(
    ([name, member]: [string, JsonValue]) =>
      !isSilent(name) && name.toLowerCase() !== except?.toLowerCase() && member !== null,
  )
  return new Map(members.map(([name, member]) => [name, describeValue(member)]))
}

/** `meta` says when and where, `schemas` what kind: neither says what the platform supports. */
function isSilent(name: string): boolean {
  return /^(meta|schemas)$/i.test(name)
}

function compareThings(before: Thing[], after: Thing[], path: string[]): ScimChange[] {
  const [old, fresh] = [byName(before), byName(after)]
  const changes: ScimChange[] = []
  for (const [key, thing] of old) {
    const counterpart = fresh.get(key)
    if (counterpart === undefined) changes.push(toChange('removed', thing, path))
    else changes.push(...compareMembers(thing, counterpart, path))
    if (counterpart !== undefined)
      changes.push(...compareThings(thing.inside, counterpart.inside, [...path, counterpart.name]))
  }
  for (const [key, thing] of fresh) if (!old.has(key)) changes.push(toChange('added', thing, path))
  return changes
}

/** Things by lower-case name; equal names are numbered. */
function byName(things: Thing[]): Map<string, Thing> {
  const named = new Map<string, Thing>()
  const counts = new Map<string, number>()
  for (const thing of things) {
    const key = `${thing.what} ${thing.name.toLowerCase()}`
    const number = (counts.get(key) ?? 0) + 1
    counts.set(key, number)
    named.set(`${key} ${number}`, thing)
  }
  return named
}

function compareMembers(before: Thing, after: Thing, path: string[]): ScimChange[] {
  const [old, fresh] = [inLowerCase(before.members), inLowerCase(after.members)]
  const keys = [...old.keys(), ...[...fresh.keys()].filter((key) => !old.has(key))]
  return keys.flatMap((key): ScimChange[] => {
    const [was, is] = [old.get(key), fresh.get(key)]
    if (was?.value === is?.value) return []
    const member = is?.name ?? was?.name ?? key
    return [{ ...toChange('changed', after, path), member, before: was?.value ?? null, after: is?.value ?? null }]
  })
}

function inLowerCase(members: Map<string, string>): Map<string, { name: string; value: string }> {
  return new Map([...members].map(([name, value]) => [name.toLowerCase(), { name, value }]))
}

function toChange(kind: ScimChange['kind'], thing: Thing, path: string[]): ScimChange {
  return { kind, what: thing.what, path: [...path, thing.name], member: null, before: null, after: null }
}
