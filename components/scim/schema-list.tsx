import { ScrollBox } from '#components/primitives/scroll-box.tsx'
import { plural } from '#components/text/plural.ts'
import { Unknown } from '#components/text/upstream-text.tsx'
import { formatCount } from '#lib/reconcile/format.ts'
import type { AttributeRow, ShownSchema } from './filter-schemas.ts'
import { Urn } from './resource-type-list.tsx'

/** Fixed widths align the columns of all schemas; the first takes the rest. */
const COLUMNS: [name: string, width: string][] = [
  ['Attribute', 'w-auto'],
  ['Type', 'w-[88px]'],
  ['Multi-valued', 'w-[100px]'],
  ['Required', 'w-[80px]'],
  ['Mutability', 'w-[100px]'],
  ['Returned', 'w-[88px]'],
  ['Uniqueness', 'w-[96px]'],
  ['Canonical values', 'w-[22%]'],
]

type SchemaListProps = { title: string; schemas: ShownSchema[]; isNarrowed: boolean }

/** Schemas under one heading, each as a table of attributes with sub-attributes indented. */
export function SchemaList({ title, schemas, isNarrowed }: SchemaListProps) {
  if (schemas.length === 0) return null
  return (
    <section className="mt-4">
      <h3 className="px-5 font-medium text-[12px] text-ink3 max-md:px-4">
        {title} · {formatCount(schemas.length)}
      </h3>
      {schemas.map((shown) => (
        <SchemaTable key={shown.schema.id} shown={shown} isNarrowed={isNarrowed} />
      ))}
    </section>
  )
}

function SchemaTable({ shown: { schema, rows, rowCount }, isNarrowed }: { shown: ShownSchema; isNarrowed: boolean }) {
  const name = schema.name ?? schema.id
  return (
    <details open className="mt-2">
      <summary className="px-5 text-[13px] [overflow-wrap:anywhere] max-md:px-4">
        <bdi className="font-semibold">{name}</bdi>{' '}
        <span className="text-ink2 tabular-nums">
          {rows.length < rowCount
            ? `${formatCount(rows.length)} of ${plural(rowCount, 'attribute')}`
            : plural(rowCount, 'attribute')}
        </span>{' '}
        {schema.name !== null && <Urn id={schema.id} />}
        {schema.description !== null && schema.description !== name && (
          <bdi className="block pl-4 text-ink2">{schema.description}</bdi>
        )}
      </summary>
      {rows.length > 0 && (
        <ScrollBox label={`Attributes of ${name}`} className="mt-1 overflow-x-auto -outline-offset-2">
          <table className="w-full min-w-[1000px] table-fixed border-separate border-spacing-0 text-[13px]">
            <thead>
              <tr>
                {COLUMNS.map(([column, width]) => (
                  <th key={column} scope="col" className={`cell-head ${width}`}>
                    {column}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <AttributeCells key={row.position} row={row} />
              ))}
            </tbody>
          </table>
        </ScrollBox>
      )}
      {!isNarrowed && rows.length < rowCount && (
        <p className="px-5 py-1.5 text-[13px] text-ink2 max-md:px-4">
          There are too many attributes to show at once; search to see the others.
        </p>
      )}
    </details>
  )
}

function AttributeCells({ row: { attribute, path, depth } }: { row: AttributeRow }) {
  const outer = path.slice(0, path.length - attribute.name.length)
  const values = attribute.canonicalValues.length > 0 ? attribute.canonicalValues : attribute.referenceTypes
  return (
    <tr className="align-top hover:bg-hover">
      <th scope="row" className={`${CELL} whitespace-normal text-left font-normal`}>
        <span style={{ paddingInlineStart: depth * 16 }} className="block">
          <bdi className={depth === 0 ? 'font-medium' : undefined}>
            <span className="text-ink3">{outer}</span>
            {attribute.name}
          </bdi>
          {attribute.description !== null && (
            <bdi className="block text-[12px] text-ink3 leading-4">{attribute.description.slice(0, 400)}</bdi>
          )}
        </span>
      </th>
      <Fact text={attribute.type} />
      <Flag isOn={attribute.isMultiValued} />
      <Flag isOn={attribute.isRequired} />
      <Fact text={attribute.mutability} usual="readWrite" />
      <Fact text={attribute.returned} usual="default" />
      <Fact text={attribute.uniqueness} usual="none" />
      <td className={`${CELL} whitespace-normal text-ink2`}>
        <bdi>{values.slice(0, 50).join(', ')}</bdi>
        {values.length > 50 && ` and ${formatCount(values.length - 50)} more`}
      </td>
    </tr>
  )
}

const CELL = 'cell h-auto py-1.5 [overflow-wrap:anywhere]'

/** Mutes the usual value to let the others stand out. */
function Fact({ text, usual }: { text: string | null; usual?: string }) {
  return (
    <td className={`${CELL} ${text === usual ? 'text-ink3' : ''}`}>
      {text === null ? <Unknown label="not stated" /> : <bdi>{text.slice(0, 60)}</bdi>}
    </td>
  )
}

function Flag({ isOn }: { isOn: boolean | null }) {
  return (
    <td className={`${CELL} ${isOn ? '' : 'text-ink3'}`}>
      {isOn === null ? <Unknown label="not stated" /> : isOn ? 'yes' : 'no'}
    </td>
  )
}
