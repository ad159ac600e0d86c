'use client'

import { buttonClass } from '#components/primitives/button.ts'
import { Menu } from '#components/primitives/menu.client.tsx'
import { REVIEW_VERBS, type ReviewVerb } from '#lib/reconcile/review/review-state.ts'
import { KIND_WORDS } from './review-looks.ts'

/** What can be decided about the selected rows. */
export function DecideMenu({ decide }: { decide: (kind: ReviewVerb) => void }) {
  return (
    <Menu
      label="Decide about them"
      width={160}
      trigger={
        <button type="button" className={buttonClass({ look: 'plain', size: 'small' })}>
          Decide…
        </button>
      }
      items={REVIEW_VERBS.map((kind) => ({ label: `${KIND_WORDS[kind].verb}…`, choose: () => decide(kind) }))}
    />
  )
}
