import { Fragment, type ReactNode } from 'react'
import { buttonClass } from '#components/primitives/button.ts'
import { Mark, type MarkKind } from '#components/primitives/mark.tsx'
import { Link } from '#components/query/link.client.tsx'
import { plural } from '#components/text/plural.ts'
import { VerdictMark } from '#components/verdict/verdict-text.tsx'
import type { State } from '#lib/reconcile/verdict.ts'

/** What a need is the cause of, and where that is. */
export type Explained = { title: string; href: string; action: string }

/** About records, in a state; or about something that is none, with a mark of its own. */
export type Need = ({ state: State; mark?: never } | { mark: MarkKind; state?: never }) & {
  key: string
  title: string
  detail: ReactNode
  href: string
  /** A verb. */
  action: string
  /** Its effects: they are counted here and nowhere else. */
  explains?: Explained[]
}

type NeedsYouProps = {
  needs: Need[]
  lineCount: number
  /** What needs a person outside the scope, and the way there; null when everything is within. */
  outside: { name: string; parts: string[]; href: string } | null
}

/** What needs a person, most urgent first; each links to exactly what it counts. */
export function NeedsYou({ needs, lineCount, outside }: NeedsYouProps) {
  if (needs.length === 0 && lineCount > 0)
    return (
      <section aria-labelledby="needs-you">
        <h2 id="needs-you" className="font-semibold text-[14px]">
          Everything adds up
        </h2>
        <p className="mt-1 text-[13px] text-ink2">
          {plural(lineCount, 'line')} proved to the last digit; every record could be read, every connection is healthy.
        </p>
        {outside && <Outside {...outside} />}
      </section>
    )
  return (
    <section aria-labelledby="needs-you">
      <div className="flex items-baseline justify-between">
        <h2 id="needs-you" className="font-semibold text-[14px]">
          Needs attention
        </h2>
        <Link href="/checks" className="text-[12px] text-ink2 hover:text-ink hover:underline">
          Checks that count
        </Link>
      </div>
      {needs.length === 0 ? (
        <p className="mt-1 text-[13px] text-ink2">Nothing yet: no lines have been read.</p>
      ) : (
        <ul className="mt-1">
          {needs.map(({ key, mark, state, title, detail, href, action, explains = [] }) => (
            <Fragment key={key}>
              <li className="need">
                {state === undefined ? <Mark kind={mark} /> : <VerdictMark state={state} />}
                <div>
                  <p>{title}</p>
                  <p>{detail}</p>
                </div>
                <Link href={href} aria-label={`${action}: ${title}`} className={buttonClass()}>
                  {action}
                </Link>
              </li>
              {explains.map((each) => (
                <li key={each.title} className="need is-effect">
                  <div>
                    <p>{each.title}</p>
                  </div>
                  <Link
                    href={each.href}
                    aria-label={`${each.action}: ${each.title}`}
                    className="text-accent hover:underline"
                  >
                    {each.action}
                  </Link>
                </li>
              ))}
            </Fragment>
          ))}
        </ul>
      )}
      {outside && <Outside {...outside} />}
    </section>
  )
}

function Outside({ name, parts, href }: NonNullable<NeedsYouProps['outside']>) {
  return (
    <p className="mt-2 text-[12.5px] text-ink2" data-outside>
      {parts.length === 0 ? `Nothing else needs attention outside ${name}.` : `Outside ${name}: ${parts.join('; ')}.`}{' '}
      <Link href={href} className="text-accent underline underline-offset-2">
        Show
      </Link>
    </p>
  )
}
