import type { OrganizationId } from '#lib/ids.ts'
import { DEFAULT_LINE_QUERY } from '../query/line-query.ts'
import { type Decided, type Decider, decide } from './decide.ts'
import type { Asked } from './line-set.ts'
import { listAnswers } from './list-answers.ts'
import { previewDecision } from './preview-decision.ts'

/**
 * Settles a dispute by later lines that were proposed for it, on a person's word: the same
 * arithmetic is made again, and lines that are no longer proposed settle nothing.
 * @param disputeId `<connection id>~<line id>`
 */
export async function settleDispute(
  organizationId: OrganizationId,
  decider: Decider,
  { disputeId, candidateIds, note }: { disputeId: string; candidateIds: readonly string[]; note: string | null },
): Promise<Decided> {
  const found = (await listAnswers(organizationId)).find(({ dispute }) => dispute.id === disputeId)
  const answer = found?.answer ?? null
  const fits = answer === null ? [] : 'fit' in answer ? [answer.fit] : answer.alternatives
  const isChosen = (ids: readonly string[]) => [...ids].sort().join('\n') === [...candidateIds].sort().join('\n')
  const fit = fits.find(({ terms }) => isChosen(terms.map(({ candidateId }) => candidateId)))
  if (fit === undefined) return { kind: 'nothing' }
  const asked: Asked = { kind: 'settle', set: { query: DEFAULT_LINE_QUERY, only: [disputeId] } }
  const { hash, at, lastDecision } = await previewDecision(organizationId, asked)
  return decide(organizationId, decider, {
    asked,
    hash,
    at,
    lastDecision,
    reason: null,
    note,
    expectedBack: null,
    answer: fit,
  })
}
