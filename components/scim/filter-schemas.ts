import type { ScimAttribute, ScimSchema } from '#lib/partner/scim/scim-model.ts'

/** An attribute as a table row; its sub-attributes follow it, one level deeper. */
export type AttributeRow = {
  attribute: ScimAttribute
  /** As SCIM writes attributes: `emails.value`. */
  path: string
  depth: number
  /** Its position, `2.0`; names may repeat. */
  position: string
}

export type ShownSchema = { schema: ScimSchema; rows: AttributeRow[]; rowCount: number }

/**
 * The attributes that match every word of `text` (in a path, type, description, value or
 * characteristic), in any case, with their parents. A schema whose own name matches is shown whole;
 * one without a match is left out. Returns at most `maxRows` rows; `rowCount` counts all attributes
 * of a schema.
 */
export function filterSchemas(schemas: readonly ScimSchema[], text: string, maxRows = 1000): ShownSchema[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  let left = maxRows
  return schemas.flatMap((schema) => {
    const all = toRows(schema.attributes, null)
    const isWhole = fits([schema.id, schema.name, schema.description], words)
    const found = isWhole ? all : all.filter((row) => fits(toTexts(row), words))
    if (found.length === 0 && !isWhole) return []
    const wanted = new Set(found.flatMap(({ position }) => listOuterPositions(position)))
    const rows = all.filter((row) => isWhole || wanted.has(row.position)).slice(0, left)
    left -= rows.length
    return [{ schema, rows, rowCount: all.length }]
  })
}

function toRows(attributes: readonly ScimAttribute[], outer: AttributeRow | null): AttributeRow[] {
  return attributes.flatMap((attribute, index) => {
    const row = {
      attribute,
      path: outer === null ? attribute.name : `${outer.path}.${attribute.name}`,
      depth: outer === null ? 0 : outer.depth + 1,
      position: outer === null ? `${index}` : `${outer.position}.${index}`,
    }
    return [row, ...toRows(attribute.subAttributes, row)]
  })
}

/** `2`, `2.0` and `2.0.1` for `2.0.1`: an attribute and its parents. */
function listOuterPositions(position: string): string[] {
  const parts = position.split('.')
  return parts.map((_, index) => parts.slice(0, index + 1).join('.'))
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
