import type { Metadata } from 'next'
import { BadAnswerRun } from '#components/answers/bad-answer-run.tsx'
import { groupByRun } from '#components/answers/group-by-run.ts'
import { toAccountName } from '#components/connections/connection-state.ts'
import { PageHeader } from '#components/frame/page-header.tsx'
import { Link } from '#components/query/link.client.tsx'
import { EmptyState } from '#components/states/empty-state.tsx'
import { plural } from '#components/text/plural.ts'
import { listBadAnswers } from '#lib/sync/pages/list-bad-answers.ts'
import { connectionPage } from '../../../desk-page.tsx'

export const metadata: Metadata = { title: 'Failed API calls' }

const MOST_SHOWN = 200

/** For admins, who can show it to the platform's support. */
export default connectionPage(
  { path: '/connections/[id]/answers', may: 'see-evidence' },
  async ({ session, connection }) => {
    const path = `/connections/${connection.id}`
    const answers = await listBadAnswers(session.organizationId, connection.id, MOST_SHOWN)
    const now = Date.now()
    return (
      <>
        <PageHeader
          parent={{ href: path, name: <bdi>{toAccountName(connection)}</bdi> }}
          title="Failed API calls"
          scope={
            answers.length === 0
              ? 'Responses of the platform that could not be used'
              : `${answers.length === MOST_SHOWN ? `The newest ${MOST_SHOWN} calls` : plural(answers.length, 'call')} without a usable response; nothing from them was stored as data`
          }
        />
        {answers.length === 0 ? (
          <EmptyState
            title="No failed API call"
            action={
              <Link href={path} className="text-accent hover:underline">
                Back to the connection
              </Link>
            }
          >
            When the platform fails, refuses or sends an unexpected response, the beginning of it is kept here, with
            personal data masked.
          </EmptyState>
        ) : (
          <div className="list-body flex min-h-0 flex-1 flex-col gap-5 overflow-y-auto border-t px-5 pt-4 pb-8 max-md:flex-none max-md:overflow-visible max-md:px-4">
            {groupByRun(answers).map(({ runId, answers: ofRun }) => (
              <BadAnswerRun key={runId} runId={runId} answers={ofRun} now={now} />
            ))}
          </div>
        )}
      </>
    )
  },
)
