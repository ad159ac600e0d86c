import { Link } from '#components/query/link.client.tsx'
import type { DigestSection, Piece } from '#lib/digest/model.ts'
import { formatCount } from '#lib/reconcile/format.ts'

/** What waits for the reader, each row a link to the page with the same figure. */
export function DigestSections({ sections }: { sections: readonly DigestSection[] }) {
  return sections.map(({ key, title, rows, more }) => (
    <section key={key} aria-labelledby={`digest-${key}`} className="border-b px-5 py-4 last:border-b-0 max-md:px-4">
      <h2 id={`digest-${key}`} className="font-semibold text-[14px] leading-5">
        {title}
      </h2>
      <ul className="mt-1 max-w-[880px]">
        {rows.map((row) => (
          <li key={row.key} className="border-t py-1.5 first:border-t-0">
            <Link
              href={row.href}
              className="group flex min-w-0 items-baseline gap-x-4 text-[13px] leading-5 max-md:flex-col"
            >
              <span className="w-[300px] min-w-0 shrink-0 break-words font-medium group-hover:underline max-md:w-full">
                <Pieces of={row.label} />
              </span>
              <span className={`min-w-0 break-words tabular-nums ${row.isUrgent ? 'text-bad' : 'text-ink2'}`}>
                <Pieces of={row.detail} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {more > 0 && <p className="mt-1 text-[13px] text-ink3">and {formatCount(more)} more</p>}
    </section>
  ))
}

/** What others wrote stands apart: it turns nothing around. */
function Pieces({ of }: { of: readonly Piece[] }) {
  return of.map((piece, at) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: a sentence, whose pieces keep their places
    typeof piece === 'string' ? <span key={at}>{piece}</span> : <bdi key={at}>{piece.name}</bdi>,
  )
}
