import { ScrollBox } from '#components/primitives/scroll-box.tsx'
import { plural } from '#components/text/plural.ts'
import type { KnownPath } from '#lib/sync/drift/interface-drift-baseline.ts'

const SOURCES = { contract: 'contract', recorded: 'recorded payloads' }

/** What the three lists are known to contain, and the source of that knowledge. */
export function BaselineTable({ baseline }: { baseline: Record<string, readonly KnownPath[]> }) {
  return (
    <section aria-labelledby="baseline" className="px-5 first:pt-4 max-md:px-4">
      <h2 id="baseline" className="font-semibold text-[14px]">
        What is known
      </h2>
      <p className="mb-2 text-[13px] text-ink2">
        Members and types of the partner’s contract; where that is silent, what has been recorded. In optional members
        null counts as absent.
      </p>
      {Object.entries(baseline).map(([list, paths]) => (
        <details key={list} className="border-t">
          <summary className="rounded-sm py-2 font-medium text-[13px] hover:text-ink">
            {list.charAt(0).toUpperCase() + list.slice(1)}{' '}
            <span className="font-normal text-ink3">{plural(paths.length, 'member')}</span>
          </summary>
          <ScrollBox label={`Known members of ${list}`} className="overflow-x-auto pb-3">
            <table className="w-full border-separate border-spacing-0 text-[13px] md:min-w-[720px] [&_tr>*:first-child]:pl-0">
              <thead>
                <tr>
                  {['Path', 'Type', 'Also recorded', 'Known values', 'Known from'].map((name) => (
                    <th key={name} scope="col" className="cell-head static">
                      {name}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {paths.map(({ path, kinds, seen, values, source }) => (
                  <tr key={path}>
                    <th scope="row" className="cell text-left font-normal">
                      <code className="font-mono text-[12px]">{path}</code>
                    </th>
                    <td className="cell">{kinds.join(' or ')}</td>
                    <td className="cell text-ink2">{seen.join(', ')}</td>
                    <td className="cell max-w-[360px] text-ink2" title={values?.join(', ')}>
                      {values?.join(', ')}
                    </td>
                    <td className="cell text-ink2">{SOURCES[source]}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </ScrollBox>
        </details>
      ))}
    </section>
  )
}
