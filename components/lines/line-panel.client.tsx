'use client'

import type { ReactNode } from 'react'
import { toHistoryHappenings } from '#components/history/history-happenings.tsx'
import { buttonClass } from '#components/primitives/button.ts'
import { X } from '#components/primitives/icons.tsx'
import { Skeleton } from '#components/primitives/skeleton.tsx'
import { LineReview, type PanelReview, useLineReview } from '#components/review/line-review.client.tsx'
import { toReviewHappenings } from '#components/review/review-happenings.tsx'
import { TalkSlot } from '#components/talk/talk-slot.client.tsx'
import type { LineDetail, LineRow } from '#lib/ledger/model.ts'
import { formatDay } from '#lib/reconcile/format.ts'
import { EquationCard, RowEquation } from './equation-card.tsx'
import { LineComparisons } from './line-comparisons.tsx'
import { useLineDetail } from './line-detail.client.tsx'
import { LineFacts, RowFacts } from './line-facts.tsx'
import { LineNotes } from './line-notes.tsx'
import { toLineQuote } from './line-quote.ts'
import { RawPayload } from './raw-payload.client.tsx'

/** `row` is the line's row in the list beside the panel; null when the list does not show it. */
type LinePanelContentProps = { openKey: string; row: LineRow | null; review: PanelReview; onClose: () => void }

/**
 * One line: its equation, what it is about, and the record as the platform sent it. What the row
 * says shows at once, the rest when it arrives.
 */
export function LinePanelContent({ openKey, row, review, onClose }: LinePanelContentProps) {
  const { state, retry } = useLineDetail(openKey)
  const asked = useLineReview(openKey, review.version)
  return (
    <div className="relative px-[18px] py-3.5" aria-busy={state.status === 'loading'}>
      <button
        type="button"
        onClick={onClose}
        aria-label="Close the panel"
        title="Close ( Esc )"
        className={`${buttonClass({ look: 'quiet', size: 'icon' })} absolute top-2.5 right-2.5`}
      >
        <X size={16} />
      </button>
      {state.status === 'ready' && (
        <LineBody
          line={state.value}
          review={<LineReview openKey={openKey} {...asked} {...review} />}
          activity={
            <TalkSlot
              subject={{ kind: 'line', connectionId: state.value.connectionId, key: state.value.id }}
              quote={toLineQuote(state.value)}
              happenings={[
                ...toReviewHappenings(asked.answer?.status === 'ready' ? asked.answer.value.events : []),
                ...toHistoryHappenings(state.value, Date.now()),
              ]}
            />
          }
        />
      )}
      {state.status === 'loading' && <LoadingBody row={row} />}
      {state.status === 'missing' && (
        <PanelMessage title="No such line" text="It is not in this organization, or its connection was removed." />
      )}
      {state.status === 'failed' && (
        <PanelMessage
          title="The line could not be loaded"
          text={state.text}
          reference={state.reference}
          onRetry={retry}
        />
      )}
    </div>
  )
}

type LineBodyProps = { line: LineDetail; review?: ReactNode; activity?: ReactNode }

export function LineBody({ line, review, activity }: LineBodyProps) {
  return (
    <>
      <LineHead line={line} />
      {review}
      <EquationCard line={line} />
      <LineComparisons line={line} />
      <LineNotes codes={line.noteCodes} />
      <LineFacts line={line} />
      {activity}
      <RawPayload text={line.rawText} />
    </>
  )
}

function LineHead({ line }: { line: LineRow }) {
  return (
    <>
      <h2 className="mr-8 font-semibold text-[14px] [overflow-wrap:anywhere]">
        <bdi>{line.description || 'Line without a description'}</bdi>
      </h2>
      <p className="mr-8 text-ink2">
        <bdi>{line.invoiceSerialNumber}</bdi>
        {line.profileName && (
          <>
            {' · '}
            <bdi>{line.profileName}</bdi>
          </>
        )}
        {line.issuingDate && ` · issued ${formatDay(line.issuingDate)}`}
      </p>
    </>
  )
}

type PanelMessageProps = { title: string; text: string; reference?: string | null; onRetry?: () => void }

function PanelMessage({ title, text, reference, onRetry }: PanelMessageProps) {
  return (
    <div role="alert" className="mr-8">
      <h2 className="font-semibold text-[14px]">{title}</h2>
      <p className="mt-1 text-ink2">{text}</p>
      {reference && <p className="mt-1 text-[12px] text-ink3">Reference {reference}</p>}
      {onRetry && (
        <button type="button" onClick={onRetry} className={`${buttonClass()} mt-3`}>
          Try again
        </button>
      )}
    </div>
  )
}

/** The panel's layout while its line loads. */
function LoadingBody({ row }: { row: LineRow | null }) {
  return (
    <>
      <span className="sr-only">Loading the line</span>
      {row !== null && (
        <>
          <LineHead line={row} />
          <RowEquation line={row} />
          <LineNotes codes={row.noteCodes} />
          <RowFacts line={row} />
        </>
      )}
      <div className="skeleton-page">
        {row === null && (
          <>
            <Skeleton className="mt-1 h-3.5 w-52" />
            <Skeleton className="mt-2.5 w-64" />
            <Skeleton className="mt-6 w-10" />
            <div className="mt-2 h-[142px] rounded-lg border bg-bg" />
          </>
        )}
        {['w-40', 'w-28', 'w-44', 'w-36', 'w-24'].map((width) => (
          <div key={width} className="mt-3 flex gap-2">
            <Skeleton className="w-[104px]" />
            <Skeleton className={width} />
          </div>
        ))}
      </div>
    </>
  )
}
