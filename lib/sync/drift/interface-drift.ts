import { isJsonObject, type JsonObject, type JsonValue, NumberText } from '#lib/reconcile/json/value.ts'
import { type DriftKind, SYNC_LISTS, type SyncList } from '../model.ts'
import { INTERFACE_BASELINE, UNREAD_PATHS, type ValueKind } from './interface-drift-baseline.ts'
import { maskValue, toPathStep } from './interface-drift-mask.ts'

/** A deviation from the known interface and how many records show it. `example` is masked. */
export type DriftSighting = { path: string; kind: DriftKind; detail: string; example: string; records: number }

/** Sightings by key: one entry per path and deviation, however many records show it. */
export type DriftSightings = Map<string, DriftSighting>

/** The most deviations told apart: an object keyed by ids must not fill the memory. */
export const MOST_SIGHTINGS = 500

/** The known interface as a tree, so walking a known record builds no paths. */
type Shape = {
  kinds: ReadonlySet<string> | null
  values: ReadonlySet<string> | null
  members: Map<string, Shape>
  element: Shape | null
  isUnread: boolean
}

const SHAPES: Record<SyncList, Shape> = Object.fromEntries(SYNC_LISTS.map((list) => [list, toShape(list)])) as never

/**
 * Compares a parsed record with the known interface and adds deviations to `sightings`: unknown
 * members, known members of another type, new enumeration values (reliability F24). A deviation is
 * not an error: the record is kept as received. Costs one look-up per member.
 */
export function observeRecord(list: SyncList, record: JsonValue, sightings: DriftSightings): void {
  if (!isJsonObject(record)) return
  const met = new Set<string>()
  walkMembers(SHAPES[list], record, '', { sightings, met })
}

/** Adds the sightings of other records of the same list. */
export function addSightings(sightings: DriftSightings, others: DriftSightings): void {
  for (const [key, other] of others) {
    const known = sightings.get(key)
    if (known !== undefined) known.records += other.records
    else if (sightings.size < MOST_SIGHTINGS) sightings.set(key, { ...other })
  }
}

type Walk = { sightings: DriftSightings; met: Set<string> }

function walkMembers(shape: Shape, record: JsonObject, path: string, walk: Walk): void {
  for (const key in record) {
    const member = record[key] as JsonValue
    const known = shape.members.get(key)
    if (known !== undefined) walkValue(known, member, path, key, walk)
    else note(walk, `${path}${toPathStep(key)}`, 'key', kindOf(member), member)
  }
}

function walkValue(shape: Shape, value: JsonValue, parent: string, key: string, walk: Walk): void {
  const kind = kindOf(value)
  if (shape.kinds !== null && !shape.kinds.has(kind)) note(walk, parent + key, 'type', kind, value)
  if (shape.isUnread) return
  if (kind === 'object') walkMembers(shape, value as JsonObject, `${parent}${key}.`, walk)
  else if (kind === 'list' && shape.element !== null)
    for (const element of value as JsonValue[]) walkValue(shape.element, element, parent, `${key}[]`, walk)
  else if (kind === 'text' && shape.values !== null && value !== '' && !shape.values.has(value as string))
    note(walk, parent + key, 'value', showCode(value as string), value)
}

/** A record counts once per deviation, however often its lists repeat it. */
function note({ sightings, met }: Walk, path: string, kind: DriftKind, detail: string, value: JsonValue): void {
  const key = `${kind} ${path} ${detail}`
  if (met.has(key)) return
  met.add(key)
  const known = sightings.get(key)
  if (known !== undefined) known.records += 1
  else if (sightings.size < MOST_SIGHTINGS) {
    const example = kind === 'value' ? detail : maskValue(value)
    sightings.set(key, { path: path.slice(0, 500), kind, detail, example, records: 1 })
  }
}

/** An integer too large for a JavaScript number: other readers of the data may lose its digits. */
export const LARGE_INTEGER = 'integer beyond 2^53'

function kindOf(value: JsonValue): ValueKind | typeof LARGE_INTEGER {
  if (typeof value === 'string') return 'text'
  if (value === null) return 'null'
  if (typeof value === 'boolean') return 'boolean'
  if (Array.isArray(value)) return 'list'
  if (!(value instanceof NumberText)) return 'object'
  const { numberText } = value
  const isLarge = numberText.length >= 16 && /^-?\d+$/.test(numberText) && !Number.isSafeInteger(Number(numberText))
  return isLarge ? LARGE_INTEGER : 'number'
}

/** Shows an enumeration value as it is, or masked if it does not look like one. */
function showCode(value: string): string {
  return /^[\w.+/-]{1,64}$/.test(value) ? value : maskValue(value)
}

function toShape(list: SyncList): Shape {
  const root = emptyShape()
  for (const { path, kinds, values } of INTERFACE_BASELINE[list]) {
    let shape = root
    for (const step of path.split('.')) {
      const key = step.replace('[]', '')
      const member = shape.members.get(key) ?? emptyShape()
      shape.members.set(key, member)
      if (step.endsWith('[]')) member.element ??= emptyShape()
      shape = step.endsWith('[]') ? (member.element as Shape) : member
    }
    shape.kinds = new Set(kinds)
    shape.values = values === null ? null : new Set(values)
    shape.isUnread = UNREAD_PATHS[list].includes(path)
  }
  return root
}

function emptyShape(): Shape {
  return { kinds: null, values: null, members: new Map(), element: null, isUnread: false }
}
