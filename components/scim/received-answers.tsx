import { CopyButton } from '#components/text/copy-button.client.tsx'
import { indentJson } from '#components/text/indent-json.ts'
import { RawText } from '#components/text/raw-text.tsx'
import { RelativeTime } from '#components/text/relative-time.client.tsx'
import type { ScimEndpointState } from '#lib/connections/scim/scim-discovery.ts'

const MAX_SHOWN = 100_000

/** The latest answer of each endpoint as the platform sent it, formatted. */
export function ReceivedAnswers({ endpoints, now }: { endpoints: ScimEndpointState[]; now: number }) {
  return (
    <div className="flex flex-col gap-1.5 text-[13px]">
      {endpoints.map(({ endpoint, answers: [latest] }) =>
        latest === undefined ? null : (
          <details key={endpoint}>
            <summary className="w-fit rounded-sm hover:text-accent">
              <span className="font-medium">{endpoint}</span>{' '}
              <span className="text-ink2">
                received <RelativeTime at={latest.receivedAt} now={now} />
                {latest.contentType !== null && (
                  <>
                    {' as '}
                    <bdi>{latest.contentType}</bdi>
                  </>
                )}
              </span>
            </summary>
            <div className="mt-1.5 mb-1.5 flex items-center gap-2">
              <CopyButton text={latest.raw.slice(0, MAX_SHOWN)} />
              {latest.raw.length > MAX_SHOWN && <span className="text-ink2">Only its beginning is shown.</span>}
            </div>
            <RawText
              text={indentJson(latest.raw.slice(0, MAX_SHOWN))}
              label={`${endpoint} as received`}
              className="mb-2 max-h-[420px] bg-bg"
            />
          </details>
        ),
      )}
    </div>
  )
}
