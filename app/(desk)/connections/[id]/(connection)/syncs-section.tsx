import { Section } from '#components/connections/section.tsx'
import { RunList } from '#components/sync/run-list.tsx'
import { countBadAnswers } from '#lib/sync/pages/list-bad-answers.ts'
import type { ConnectionPart } from './part.ts'
import { readRuns } from './read-parts.ts'

/** The last syncs and their results; who may also sees how many answers could not be read. */
export async function SyncsSection({ organizationId, connection, now, seesEvidence }: ConnectionPart) {
  const { runs, runIds, losses } = await readRuns(organizationId, connection.id)
  const badAnswers = seesEvidence ? await countBadAnswers(organizationId, runIds) : null
  return (
    <Section title="Syncs">
      <RunList connectionId={connection.id} runs={runs} losses={losses} badAnswers={badAnswers} now={now} />
    </Section>
  )
}
