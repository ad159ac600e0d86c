import { Mark } from '#components/primitives/mark.tsx'
import { Unknown } from '#components/text/upstream-text.tsx'
import type { ScimOperation, ScimServiceConfig } from '#lib/partner/scim/scim-model.ts'

const LABELS: Record<ScimOperation['name'], [label: string, meaning: string]> = {
  patch: ['Patch', 'change parts of a resource'],
  bulk: ['Bulk', 'many operations in one request'],
  filter: ['Filter', 'query resources by condition'],
  changePassword: ['Change password', 'set a user’s password'],
  sort: ['Sort', 'list resources in order'],
  etag: ['ETag', 'detect concurrent changes'],
}

/** The operations that the platform supports, their limits, and its authentication schemes. */
export function ServiceConfig({ config }: { config: ScimServiceConfig }) {
  return (
    <>
      <dl className="grid grid-cols-[repeat(auto-fill,minmax(160px,1fr))] gap-x-6 gap-y-2.5 text-[13px]">
        {config.operations.map((operation) => (
          <div key={operation.name} className="min-w-0">
            <dt className="flex items-baseline gap-2 font-medium" title={LABELS[operation.name][1]}>
              <Mark kind={operation.isSupported === null ? 'held' : operation.isSupported ? 'good' : 'open'} />
              {LABELS[operation.name][0]}
            </dt>
            <dd className="pl-[17px] text-ink2 [overflow-wrap:anywhere]">
              {operation.isSupported === null ? 'not stated' : operation.isSupported ? 'supported' : 'not supported'}
              {operation.limits.map((limit) => (
                <span key={limit.name} className="block text-[12px] text-ink3">
                  <bdi>{limit.name}</bdi> <bdi className="tabular-nums">{limit.value}</bdi>
                </span>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <h3 className="mt-4 mb-1 font-medium text-[12px] text-ink3">Authentication schemes</h3>
      {config.authenticationSchemes.length === 0 && <p className="text-[13px] text-ink2">None stated.</p>}
      <ul className="flex flex-col gap-1 text-[13px]">
        {config.authenticationSchemes.map((scheme) => (
          <li key={`${scheme.type} ${scheme.name} ${scheme.description}`} className="[overflow-wrap:anywhere]">
            <bdi className="font-medium">{scheme.name ?? scheme.type ?? '(no name)'}</bdi>
            {scheme.type !== null && scheme.name !== null && (
              <bdi className="ml-1.5 font-mono text-[12px] text-ink3">{scheme.type}</bdi>
            )}
            {scheme.isPrimary && <span className="ml-1.5 text-ink2">primary</span>}
            {scheme.description !== null && <bdi className="block text-ink2">{scheme.description}</bdi>}
          </li>
        ))}
      </ul>
      <h3 className="mt-4 mb-1 font-medium text-[12px] text-ink3">Documentation</h3>
      <p className="text-[13px] [overflow-wrap:anywhere]">
        {config.documentationUri === null ? <Unknown label="not stated" /> : <bdi>{config.documentationUri}</bdi>}
      </p>
      {config.others.length > 0 && (
        <>
          <h3 className="mt-4 mb-1 font-medium text-[12px] text-ink3">Also stated</h3>
          <ul className="text-[13px]">
            {config.others.slice(0, 50).map((other) => (
              <li key={other.name} className="[overflow-wrap:anywhere]">
                <bdi>{other.name}</bdi>{' '}
                <bdi className="font-mono text-[12px] text-ink2">{other.value.slice(0, 300)}</bdi>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}
