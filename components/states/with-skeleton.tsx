import { unstable_rethrow } from 'next/navigation'
import type { ReactNode } from 'react'
import { PageSlot } from '#components/query/navigate.client.tsx'

/**
 * How long an answer may take before a skeleton is sent in its place. A page that follows its
 * skeleton in a document is put in its place by a script, behind the page's own scripts and 300 ms
 * after the skeleton at the soonest: on a slow machine 600 ms later than if nothing had been sent
 * before it. Waiting for what comes within this time shows the page sooner. While another page
 * stands, a skeleton is no news for as long.
 */
const PATIENCE_MS = 500

/**
 * Shows a page, or its skeleton first when the answer takes noticeably long. A quick answer is not
 * preceded by one: it would flicker, and the answer would wait for the scripts. Without scripts, a
 * page that follows its skeleton stands beside the frame (app/globals.css).
 */
export function withSkeleton<Visit>(skeleton: (visit: Visit) => ReactNode) {
  return async (visit: Visit, render: () => Promise<ReactNode>): Promise<ReactNode> => {
    const page = render()
    const isLate = !(await isThereWithin(page))
    return (
      <PageSlot isLate={isLate} skeleton={isLate && skeleton(visit)}>
        {isLate ? <Arriving page={page} /> : await page}
      </PageSlot>
    )
  }
}

async function Arriving({ page }: { page: Promise<ReactNode> }) {
  return page
}

/**
 * A failure counts as late: thrown behind a skeleton, it leaves the frame standing. A redirect and
 * a missing page do not: they decide the reply's status.
 */
async function isThereWithin(page: Promise<ReactNode>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const isLate = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), PATIENCE_MS)
  })
  try {
    return await Promise.race([page.then(() => true), isLate])
  } catch (error) {
    unstable_rethrow(error)
    return false
  } finally {
    clearTimeout(timer)
  }
}
