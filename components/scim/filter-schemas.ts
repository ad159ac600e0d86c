import type { ScimAttribute, ScimSchema } from '../../lib/partner/scim-model.ts'

/** An attribute as a row of a table: its sub-attributes follow it, one level deeper. */
export type AttributeRow = { attribute: ScimAttribute; path: string; depth: number }

export type ShownSchema = { schema: ScimSchema; rows: AttributeRow[]; rowCount: number }

/**
 * The attributes that fit every word of `text` (in a path, type, description, value or characteristic), in any case, with
 * the attributes that they are inside of; a schema whose own name fits is shown whole. Schemas without any are left out.
 * At most `maxRows` rows in all; `rowCount` says how many attributes a schema has.
 */
export function filterSchemas(schemas: readonly ScimSchema[], text: string, maxRows = 1000): ShownSchema[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  let left = maxRows
  return schemas.flatMap((schema) => {
    const all = toRows(schema.attributes, '', 0)
    const isWhole = fits([schema.id, schema.name, schema.description], words)
    const found = isWhole ? all : all.filter((row) => fits(toTexts(row), words))
    if (found.length === 0 && !isWhole) return []
    const rows = (isWhole ? all : all.filter((row) => found.some((one) => isSameOrInside(one, row)))).slice(0, left)
    left -= rows.length
    return [{ schema, rows, rowCount: all.length }]
  })
}

function toRows(attributes: readonly ScimAttribute[], prefix: string, depth: number): AttributeRow[] {
  return attributes.flatMap((attribute) => {
    const path = prefix + attribute.name
    return [{ attribute, path, depth }, ...toRows(attribute.subAttributes, `${path}.`, depth + 1)]
  })
}

function isSameOrInside(row: AttributeRow, outer: AttributeRow): boolean {
  return row.path === outer.path || row.path.startsWith(`${outer.path}.`)
}

function toTexts({ attribute, path }: AttributeRow): (string | null)[] {
  return [
    path,
    attribute.type,
    attribute.description,
    attribute.mutability,
    attribute.returned,
    attribute.uniqueness,
    attribute.isRequired ? 'required' : null,
    attribute.isMultiValued ? 'multi-valued' : null,
    ...attribute.canonicalValues,
    ...attribute.referenceTypes,
  ]
}

function fits(texts: readonly (string | null)[], words: readonly string[]): boolean {
  const text = texts.join('\n').toLowerCase()
  return words.every((word) => text.includes(word))
}
