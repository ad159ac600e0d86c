/** What the browser asks and tells the server when somebody decides. Loads with the first verb. */
import { type Answer, readAnswer } from '#components/query/read-answer.ts'
import type { DecisionPreview } from '#lib/ledger/model.ts'
import type { ReviewVerb } from '#lib/reconcile/review/review-state.ts'

/** Rows of a list by its address, all or all but these, or single ones; or of a decision. */
export type AskedOf =
  | { kind: ReviewVerb; of?: 'invoice'; search: string; only?: string[]; except?: string[] }
  | { kind: 'undo'; decision: string }

export type Made = { kind: 'decided'; number: string; lineCount: number; changedLines: number; isApplied: boolean }

/** The set is another one than was seen: what happened to it, and how it is now. */
export type Changed = {
  kind: 'changed'
  preview: DecisionPreview
  changes: { came: number; changed: number; others: { name: string; number: string; lineCount: number }[] }
}

/** The reason is no longer offered: the dialog asks for those that are. */
export type Retired = { kind: 'retired'; text: string }

export type Choice = { reason: string | null; note: string | null; expectedBack: string | null }

const post = (body: unknown): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

export function askPreview(asked: AskedOf, signal?: AbortSignal): Promise<Answer<DecisionPreview>> {
  return readAnswer('/api/review/preview', signal, post({ asked }))
}

/**
 * A set that has changed is no failure: it comes with its fresh preview. Nor is a retired reason.
 */
export async function makeDecision(
  asked: AskedOf,
  { hash, at, lastDecision }: DecisionPreview,
  choice: Choice,
): Promise<Answer<Made | Changed | Retired>> {
  const body = { asked, hash, at, lastDecision, ...choice }
  let changed: Changed | Retired | null = null
  const answer = await readAnswer<Made>('/api/review/decide', undefined, post(body), undefined, (status, refused) => {
    if (status !== 409) return
    const { kind, error } = refused as Partial<Changed> & { error?: { code: string; text: string } }
    if (kind === 'changed') changed = refused as Changed
    if (error?.code === 'retired-reason') changed = { kind: 'retired', text: error.text }
  })
  return changed === null ? answer : { status: 'ready', value: changed }
}
