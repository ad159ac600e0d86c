import { Mark } from '#components/primitives/mark.tsx'
import { RawText } from '#components/text/raw-text.tsx'
import { RelativeTime } from '#components/text/relative-time.client.tsx'
import type { RunId } from '#lib/ids.ts'
import { formatCount } from '#lib/reconcile/format.ts'
import type { BadAnswer } from '#lib/sync/model.ts'
import { sayFailure } from './failure-words.ts'
import { foldRepeats } from './group-by-run.ts'

type BadAnswerRunProps = { runId: RunId; answers: BadAnswer[]; now: number }

/** What one sync received: each answer with its reason, and the beginning of its body as text. */
export function BadAnswerRun({ runId, answers, now }: BadAnswerRunProps) {
  return (
    <section id={`run-${runId}`} aria-labelledby={`title-${runId}`}>
      <h2 id={`title-${runId}`} className="font-semibold text-[14px]">
        Sync <code className="font-mono text-[13px]">{runId.slice(0, 8)}</code>
      </h2>
      <ul className="mt-1 text-[13px]">
        {foldRepeats(answers).map(({ answer, count }) => (
          <li key={answer.id} className="border-b py-1.5">
            <Heading answer={answer} count={count} now={now} />
            {answer.beginning !== null && answer.beginning !== '' && (
              <details className="mt-1 pl-[19px]">
                <summary className="w-fit rounded-sm text-[12px] text-accent hover:underline">Show response</summary>
                <RawText
                  text={answer.beginning}
                  label={`The beginning of what it sent, ${answer.seenAt}`}
                  className="mt-1.5 mb-1 max-h-[320px] bg-panel"
                />
              </details>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

function Heading({ answer, count, now }: { answer: BadAnswer; count: number; now: number }) {
  const { kind, httpStatus, list, offset, reason, seenAt } = answer
  return (
    <div className="grid grid-cols-[9px_minmax(0,1fr)_auto] items-baseline gap-x-2.5">
      <Mark kind="partial" />
      <p className="min-w-0">
        {sayFailure({ kind, httpStatus })}
        {count > 1 && `, ${formatCount(count)} times`}
        <span className="text-ink2">
          {' · '}
          {list} from number {formatCount(offset + 1)} on
        </span>
        <bdi className="block text-[12px] text-ink2 leading-4 [overflow-wrap:anywhere]">{reason}</bdi>
      </p>
      <p className="text-right text-[12px] text-ink3">
        <RelativeTime at={seenAt} now={now} />
      </p>
    </div>
  )
}
