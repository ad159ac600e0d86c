import { plural } from '#components/text/plural.ts'
import { RelativeTime } from '#components/text/relative-time.client.tsx'
import type { ScimChange, ScimEndpoint } from '#lib/partner/scim/scim-model.ts'
import { formatCount } from '#lib/reconcile/format.ts'

/** An answer that differs from the one before. */
export type AnswerChanges = { endpoint: ScimEndpoint; number: number; receivedAt: string; changes: ScimChange[] }

const MAX_SHOWN = 200

/** What changed, newest first; only the latest is expanded. */
export function ChangeList({ answers, now }: { answers: AnswerChanges[]; now: number }) {
  if (answers.length === 0)
    return <p className="text-[13px] text-ink2">Nothing has changed since the first answers were kept.</p>
  return (
    <div className="flex flex-col gap-1.5 text-[13px]">
      {answers.map((answer, index) => (
        <details key={`${answer.endpoint} ${answer.number}`} open={index === 0}>
          <summary className="w-fit rounded-sm hover:text-accent">
            <span className="font-medium">{answer.endpoint}</span>{' '}
            <span className="text-ink2">
              {answer.changes.length === 0 ? 'no relevant change' : plural(answer.changes.length, 'change')}
              {', '}
              <RelativeTime at={answer.receivedAt} now={now} />
            </span>
          </summary>
          <ul className="mt-1 mb-2 flex flex-col gap-0.5 pl-4">
            {answer.changes.length === 0 && (
              <li className="text-ink2">Only the order, dates or addresses of its entries differ.</li>
            )}
            {answer.changes.slice(0, MAX_SHOWN).map((change) => (
              <Change key={[change.what, ...change.path, change.member, change.kind].join('\n')} change={change} />
            ))}
            {answer.changes.length > MAX_SHOWN && (
              <li className="text-ink2">and {formatCount(answer.changes.length - MAX_SHOWN)} more</li>
            )}
          </ul>
        </details>
      ))}
    </div>
  )
}

const SIGNS = { added: '+', removed: '−', changed: '~' }
const TONES = { added: 'text-good', removed: 'text-bad', changed: 'text-warn' }

function Change({ change }: { change: ScimChange }) {
  const name = change.path.at(-1) ?? ''
  const around = change.path.slice(0, -1)
  return (
    <li className="flex gap-2 [overflow-wrap:anywhere]">
      <span aria-hidden className={`w-3 shrink-0 text-center font-mono ${TONES[change.kind]}`}>
        {SIGNS[change.kind]}
      </span>
      <span className="min-w-0">
        <span className="text-ink2">
          {change.kind} {change.what}
        </span>{' '}
        <bdi className="font-medium">{name}</bdi>
        {around.length > 0 && (
          <span className="text-ink3">
            {' '}
            in <bdi>{around.join(' › ')}</bdi>
          </span>
        )}
        {change.member !== null && (
          <>
            {': '}
            <bdi>{change.member}</bdi> <Value text={change.before} /> → <Value text={change.after} />
          </>
        )}
      </span>
    </li>
  )
}

function Value({ text }: { text: string | null }) {
  if (text === null) return <span className="text-ink3">not stated</span>
  return (
    <bdi className="rounded-sm bg-panel px-1 font-mono text-[12px]">{text === '' ? '(empty)' : text.slice(0, 300)}</bdi>
  )
}
