import { type JsonTree, readJsonTree, writeJsonTree } from './json-tree.ts'
import { compareDecimals, type DecimalText, parseDecimal, subtractDecimals } from './money.ts'

/** A value of a record for people: a text without its quotes, everything else as JSON. `absent`: there is no such member. */
export type FieldValue = { kind: JsonTree['kind'] | 'absent'; text: string }

/** One field that differs. `path` is the wire's: `metadata.travelers[1].name`. */
export type FieldChange = {
  path: string
  before: FieldValue
  after: FieldValue
  /** The same figure, written differently: `20` and `20.00`. */
  isSameFigure: boolean
}

/**
 * What differs between two versions of a record, field by field, in the order of the newer version, removed fields last.
 * Order of keys and white space do not count; the digits of numbers do. An added or removed object counts as one field.
 * Throws SyntaxError when a text is not JSON.
 */
export function diffRecords(before: string, after: string): FieldChange[] {
  const changes: FieldChange[] = []
  compare('', readJsonTree(before), readJsonTree(after), changes)
  return changes
}

/** The money effect of a change: after - before, exactly. Null when the currency changed: nothing is subtracted across. */
export function toMoneyEffect(
  before: { currency: string; amount: DecimalText },
  after: { currency: string; amount: DecimalText },
): { currency: string; difference: DecimalText } | null {
  if (before.currency !== after.currency) return null
  return { currency: after.currency, difference: subtractDecimals(after.amount, before.amount) }
}

function compare(path: string, before: JsonTree, after: JsonTree, changes: FieldChange[]): void {
  if (before.kind === 'object' && after.kind === 'object') {
    for (const [key, member] of after.members) {
      const was = before.members.get(key)
      const memberPath = joinPath(path, key)
      if (was === undefined) changes.push(toChange(memberPath, null, member))
      else compare(memberPath, was, member, changes)
    }
    for (const [key, member] of before.members)
      if (!after.members.has(key)) changes.push(toChange(joinPath(path, key), member, null))
    return
  }
  if (before.kind === 'list' && after.kind === 'list') compareLists(path, before.elements, after.elements, changes)
  else if (writeJsonTree(before) !== writeJsonTree(after)) changes.push(toChange(path, before, after))
}

/** Elements that both have at the start and at the end stay; what is between is compared in its order. */
function compareLists(path: string, before: JsonTree[], after: JsonTree[], changes: FieldChange[]): void {
  const [was, is] = [before.map(writeJsonTree), after.map(writeJsonTree)]
  const shorter = Math.min(was.length, is.length)
  let start = 0
  while (start < shorter && was[start] === is[start]) start++
  let end = 0
  while (end < shorter - start && was[was.length - 1 - end] === is[is.length - 1 - end]) end++
  const middle = Math.max(was.length, is.length) - end
  for (let index = start; index < middle; index++) {
    const left = index < was.length - end ? before[index] : undefined
    const right = index < is.length - end ? after[index] : undefined
    const elementPath = `${path}[${index}]`
    if (left !== undefined && right !== undefined) compare(elementPath, left, right, changes)
    else changes.push(toChange(elementPath, left ?? null, right ?? null))
  }
}

function toChange(path: string, before: JsonTree | null, after: JsonTree | null): FieldChange {
  return { path, before: toValue(before), after: toValue(after), isSameFigure: isSameFigure(before, after) }
}

function toValue(tree: JsonTree | null): FieldValue {
  if (tree === null) return { kind: 'absent', text: '' }
  return { kind: tree.kind, text: tree.kind === 'text' ? tree.text : writeJsonTree(tree) }
}

function isSameFigure(before: JsonTree | null, after: JsonTree | null): boolean {
  const [left, right] = [toFigure(before), toFigure(after)]
  return left !== null && right !== null && compareDecimals(left, right) === 0
}

function toFigure(tree: JsonTree | null): DecimalText | null {
  return tree !== null && (tree.kind === 'text' || tree.kind === 'number') ? parseDecimal(tree.text) : null
}

/** A key that could be mistaken for a path is quoted. */
function joinPath(path: string, key: string): string {
  const step = /^[\w-]+$/.test(key) ? key : JSON.stringify(key)
  return path === '' ? step : `${path}.${step}`
}
