import { buttonClass } from '#components/primitives/button.ts'
import { ListLink } from '#components/query/navigate.client.tsx'
import { plural } from '#components/text/plural.ts'
import type { ScimSchema } from '#lib/partner/scim/scim-model.ts'
import { filterSchemas } from './filter-schemas.ts'
import { SchemaList } from './schema-list.tsx'
import { SchemaSearch } from './schema-search.client.tsx'

type SchemaSectionProps = {
  /** Null when they were never read. */
  core: ScimSchema[] | null
  extensions: ScimSchema[] | null
  path: string
  search: string
}

/** The schemas with their attributes, extensions after the core, narrowed by a search. */
export function SchemaSection({ core, extensions, path, search }: SchemaSectionProps) {
  const all = [...(core ?? []), ...(extensions ?? [])]
  const shown = filterSchemas(all, search)
  const total = filterSchemas(all, '', 0).reduce((sum, { rowCount }) => sum + rowCount, 0)
  const found = shown.reduce((sum, { rows }) => sum + rows.length, 0)
  const isExtension = new Set(extensions ?? [])
  return (
    <section className="border-t py-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 px-5 max-md:px-4">
        <h2 className="font-semibold text-[14px]">Schemas</h2>
        {all.length > 0 && (
          <>
            <p className="text-[13px] text-ink2 tabular-nums" role="status">
              {search === '' ? plural(total, 'attribute') : `${found} of ${plural(total, 'attribute')}`}
            </p>
            <SchemaSearch path={path} text={search} />
          </>
        )}
      </div>
      {core === null && (
        <p className="mt-2 px-5 text-[13px] text-ink2 max-md:px-4">
          Not known: the endpoint has not been read yet. See above for why.
        </p>
      )}
      {core !== null && all.length === 0 && (
        <p className="mt-2 px-5 text-[13px] text-ink2 max-md:px-4">The platform lists none.</p>
      )}
      {all.length > 0 && shown.length === 0 && (
        <div className="mt-3 flex flex-col items-start gap-3 px-5 text-[13px] text-ink2 max-md:px-4">
          <p>
            No attribute fits “<bdi>{search}</bdi>”.
          </p>
          <ListLink href={path} className={buttonClass()}>
            Show all attributes
          </ListLink>
        </div>
      )}
      <SchemaList
        title="Core schemas"
        schemas={shown.filter(({ schema }) => !isExtension.has(schema))}
        isNarrowed={search !== ''}
      />
      <SchemaList
        title="Extensions"
        schemas={shown.filter(({ schema }) => isExtension.has(schema))}
        isNarrowed={search !== ''}
      />
    </section>
  )
}
