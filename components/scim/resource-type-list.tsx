import { Unknown } from '#components/text/upstream-text.tsx'
import type { ScimResourceType } from '#lib/partner/scim/scim-model.ts'

/** The platform's resource types: where each is, and its schemas. */
export function ResourceTypeList({ types }: { types: ScimResourceType[] }) {
  if (types.length === 0) return <p className="text-[13px] text-ink2">The platform lists none.</p>
  return (
    <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,420px),1fr))] gap-x-8 gap-y-4 text-[13px]">
      {types.map((type) => (
        <li key={`${type.name} ${type.endpoint} ${type.schema}`} className="min-w-0 [overflow-wrap:anywhere]">
          <p>
            <bdi className="font-medium">{type.name ?? '(no name)'}</bdi>
            {type.endpoint !== null && <bdi className="ml-2 font-mono text-[12px] text-ink2">{type.endpoint}</bdi>}
          </p>
          {type.description !== null && <bdi className="block text-ink2">{type.description}</bdi>}
          <dl className="mt-1 grid grid-cols-[84px_minmax(0,1fr)] gap-x-2 gap-y-0.5">
            <dt className="text-ink3">Schema</dt>
            <dd>{type.schema === null ? <Unknown label="not stated" /> : <Urn id={type.schema} />}</dd>
            <dt className="text-ink3">Extensions</dt>
            <dd>
              {type.extensions.length === 0 && 'none'}
              {type.extensions.map((extension) => (
                <span key={extension.schema} className="block">
                  <Urn id={extension.schema} />
                  {extension.isRequired && <span className="text-ink2"> required</span>}
                </span>
              ))}
            </dd>
          </dl>
        </li>
      ))}
    </ul>
  )
}

/** A schema's URN. It names the schema; nothing can be opened there. */
export function Urn({ id }: { id: string }) {
  return <bdi className="font-mono text-[12px] text-ink2">{id}</bdi>
}
