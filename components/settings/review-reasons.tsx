import type { ReactNode } from 'react'
import { buttonClass } from '#components/primitives/button.ts'
import type { ReasonList } from '#lib/ledger/review/reason-list.ts'
import {
  MOST_WORDS,
  mayRetire,
  REASON_KINDS,
  type Reason,
  type ReasonChange,
  type ReasonKind,
} from '#lib/reconcile/review/reasons.ts'
import { type SectionMessage, SettingsSection } from './settings-section.tsx'

const KIND_TITLES: Record<ReasonKind, string> = { accept: 'For accepting', dispute: 'For disputing' }

type ReviewReasonsProps = ReasonList & { message: SectionMessage }

/** The reasons that are offered when lines are accepted or disputed, in their order. */
export function ReviewReasons({ revision, reasons, message }: ReviewReasonsProps) {
  return (
    <SettingsSection
      id="reasons"
      title="Reasons of decisions"
      about="What people choose from when they accept or dispute lines. A decision keeps the words as they were when it was made."
      message={message}
    >
      <div className="reason-lists">
        {REASON_KINDS.map((kind) => (
          <ReasonsOfKind
            key={kind}
            kind={kind}
            revision={revision}
            reasons={reasons.filter((each) => each.kind === kind)}
          />
        ))}
      </div>
    </SettingsSection>
  )
}

function ReasonsOfKind({ kind, revision, reasons }: { kind: ReasonKind } & ReasonList) {
  const offered = reasons.filter(({ isRetired }) => !isRetired)
  const retired = reasons.filter(({ isRetired }) => isRetired)
  return (
    <section aria-labelledby={`reasons-${kind}`}>
      <h3 id={`reasons-${kind}`}>{KIND_TITLES[kind]}</h3>
      <ul>
        {offered.map((reason, at) => (
          <ReasonRow
            key={`${reason.code} ${revision}`}
            reason={reason}
            revision={revision}
            isFirst={at === 0}
            isLast={at === offered.length - 1}
            isOnly={kind === 'dispute' && offered.length === 1}
          />
        ))}
      </ul>
      <ChangeForm fields={{ change: 'add', kind, revision }} className="reason-words-form">
        <input
          name="words"
          required
          maxLength={MOST_WORDS}
          aria-label={`New reason ${KIND_TITLES[kind].toLowerCase()}`}
          placeholder="A new reason"
          dir="auto"
          autoComplete="off"
          className="field h-7"
        />
        <button type="submit" className={buttonClass({ size: 'small' })}>
          Add
        </button>
      </ChangeForm>
      {retired.length > 0 && (
        <ul aria-label={`Retired, ${KIND_TITLES[kind].toLowerCase()}`} className="reasons-retired">
          {retired.map(({ code, words }) => (
            <li key={code} className="reason-row">
              <span className="reason-words">
                <bdi>{words}</bdi>, retired
              </span>
              <Change change="restore" reason={{ kind, code, words }} revision={revision} name="Bring back" />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

type ReasonRowProps = { reason: Reason; revision: number; isFirst: boolean; isLast: boolean; isOnly: boolean }

function ReasonRow({ reason, revision, isFirst, isLast, isOnly }: ReasonRowProps) {
  const { kind, code, words } = reason
  return (
    <li className="reason-row">
      <details className="reason-words">
        <summary title="Rename">
          <bdi>{words}</bdi>
        </summary>
        <ChangeForm fields={{ change: 'rename', kind, code, revision }} className="reason-words-form">
          <input
            name="words"
            required
            defaultValue={words}
            maxLength={MOST_WORDS}
            aria-label={`Words of ${words}`}
            dir="auto"
            autoComplete="off"
            className="field h-7"
          />
          <button type="submit" className={buttonClass({ size: 'small' })}>
            Rename
          </button>
        </ChangeForm>
      </details>
      <Change change="up" reason={reason} revision={revision} name="↑" says="Move up" isIdle={isFirst} />
      <Change change="down" reason={reason} revision={revision} name="↓" says="Move down" isIdle={isLast} />
      {mayRetire(reason) ? (
        <Change change="retire" reason={reason} revision={revision} name="Retire" isIdle={isOnly} />
      ) : (
        <small title="Tieout itself speaks of it: it may be renamed">stays</small>
      )}
    </li>
  )
}

type ChangeProps = {
  change: 'retire' | 'restore' | 'up' | 'down'
  reason: Pick<Reason, 'kind' | 'code' | 'words'>
  revision: number
  name: string
  /** Where the name is a sign. */
  says?: string
  isIdle?: boolean
}

function Change({ change, reason: { kind, code, words }, revision, name, says = name, isIdle }: ChangeProps) {
  return (
    <ChangeForm fields={{ change, kind, code, revision }}>
      <button
        type="submit"
        disabled={isIdle}
        aria-label={`${says}: ${words}`}
        className={buttonClass({ look: 'quiet', size: 'small' })}
      >
        {name}
      </button>
    </ChangeForm>
  )
}

type ChangeFormProps = {
  fields: { change: ReasonChange['change']; kind: ReasonKind; code?: string; revision: number }
  className?: string
  children: ReactNode
}

function ChangeForm({ fields, className, children }: ChangeFormProps) {
  return (
    <form method="post" action="/api/settings/reasons" className={className}>
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
    </form>
  )
}
