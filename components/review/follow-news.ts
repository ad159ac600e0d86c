/** Asks what others decide, while somebody looks. Loads after the page. */
import { readAnswer } from '#components/query/read-answer.ts'
import type { ReviewNews } from '#lib/ledger/model.ts'

const ASK_EVERY_MS = 5000
/** After so long without a key or click nobody is there, and the session may end idle. */
const PRESENT_MS = 10 * 60_000

/** Says who else decided, and whether the page is out of date, until the signal. */
export function followNews(
  signal: AbortSignal,
  onNews: (others: ReviewNews['others'], isOutOfDate: boolean) => void,
): void {
  if (signal.aborted) return
  let known: ReviewNews | null = null
  let presentAt = Date.now()
  for (const sign of ['keydown', 'pointerdown'])
    document.addEventListener(
      sign,
      () => {
        presentAt = Date.now()
      },
      { signal },
    )
  const ask = async () => {
    // nobody looks, or somebody is deciding: a page that changes under a dialog helps nobody
    if (Date.now() - presentAt > PRESENT_MS) return
    if (document.visibilityState !== 'visible' || document.querySelector('dialog[open]') !== null) return
    const before = known
    const search = before === null ? '' : `?after=${before.decision}`
    const answer = await readAnswer<ReviewNews>(`/api/review/news${search}`, signal)
    if (signal.aborted || answer.status !== 'ready') return
    const { decision, fall, others } = answer.value
    known = answer.value
    if (before !== null) onNews(others, decision !== before.decision || fall !== before.fall)
  }
  void ask()
  const timer = setInterval(ask, ASK_EVERY_MS)
  signal.addEventListener('abort', () => clearInterval(timer))
}
