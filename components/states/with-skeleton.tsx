import { headers } from 'next/headers'
import { unstable_rethrow } from 'next/navigation'
import type { ReactNode } from 'react'
import { PageSlot } from '#components/query/navigate.client.tsx'

/**
 * How long an answer may take before a skeleton is sent in its place. In an empty window that is
 * short, though not nothing: a page that follows its skeleton is put in its place by a script,
 * behind the page's own scripts. While another page stands, a skeleton is no news for longer.
 */
const PATIENCE_MS = { document: 200, navigation: 400 }

/**
 * Shows a page, or its skeleton first when the answer takes noticeably long. A quick answer is not
 * preceded by one: it would flicker, and the answer would wait for the scripts.
 */
export function withSkeleton<Visit>(skeleton: (visit: Visit) => ReactNode) {
  return async (visit: Visit, render: () => Promise<ReactNode>): Promise<ReactNode> => {
    const ms = await patienceMs()
    const page = render()
    const isLate = !(await isThereWithin(page, ms))
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
 * Only secure addresses get the header. Without it the page counts as opened in an empty window.
 */
async function patienceMs(): Promise<number> {
  const isNavigation = (await headers()).get('sec-fetch-dest') === 'empty'
  return isNavigation ? PATIENCE_MS.navigation : PATIENCE_MS.document
}

/**
 * A failure counts as late: thrown behind a skeleton, it leaves the frame standing. A redirect and
 * a missing page do not: they decide the reply's status.
 */
async function isThereWithin(page: Promise<ReactNode>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const isLate = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms)
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
