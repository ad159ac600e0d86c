'use client'

import { RouterLinks } from '#components/query/router-links.client.tsx'
import { VerdictMark } from '#components/verdict/verdict-text.tsx'
import { toMonthDays, toMonthName } from './coverage-words.ts'
import type { PackedGaps } from './pack-gaps.ts'

/** The months that do not add up, latest first, with links to their invoices and lines. */
export function CoverageGaps({ packed: { profiles, gaps } }: { packed: PackedGaps }) {
  return (
    <RouterLinks>
      <ul className="gaps">
        {gaps.map(([place, month, verdict, text, hasRejected]) => {
          const profile = profiles[place]
          const days = toMonthDays(month)
          return (
            <li key={`${place} ${month}`}>
              <VerdictMark state={verdict} />
              <div>
                <p>
                  <b>{toMonthName(month)}</b> · <bdi>{profile?.name}</bdi>
                </p>
                <p>{text}</p>
                <p>
                  <a href={profile?.invoices.join(days)}>Invoices</a>
                  <a href={profile?.lines.join(days)}>Lines</a>
                  {hasRejected && <a href="/rejected">Not imported</a>}
                </p>
              </div>
            </li>
          )
        })}
      </ul>
    </RouterLinks>
  )
}
