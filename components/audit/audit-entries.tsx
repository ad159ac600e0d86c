import { LocalMoment } from '#components/text/local-moment.tsx'
import { UpstreamText } from '#components/text/upstream-text.tsx'
import type { AuditEntry } from '#lib/audit/model.ts'
import { toChanges } from './audit-changes.ts'
import { describeEntry } from './entry-words.ts'

/** Entries, newest first: when, who, what to what, from where; opened, before and after. */
export function AuditEntries({ entries }: { entries: AuditEntry[] }) {
  return (
    <ol aria-label="Entries" className="text-[13px]">
      {entries.map((entry) => (
        <li key={entry.number} className="border-b">
          <details>
            <summary className="grid cursor-pointer list-none grid-cols-[240px_minmax(120px,1fr)_minmax(0,2fr)_130px] items-baseline gap-x-4 px-5 py-1.5 hover:bg-hover max-md:grid-cols-[minmax(0,1fr)_auto] max-md:px-4">
              <span className="whitespace-nowrap text-ink2 tabular-nums max-md:col-start-1 max-md:row-start-1 max-md:text-[12px]">
                <LocalMoment at={entry.at} />
              </span>
              <span className="min-w-0 max-md:col-span-2 max-md:row-start-2">
                <UpstreamText text={toName(entry)} className="font-medium" />
              </span>
              <span className="min-w-0 max-md:col-span-2">
                <EntryWords entry={entry} />
              </span>
              <span className="min-w-0 text-right text-[12px] text-ink3 max-md:col-start-2 max-md:row-start-1">
                {entry.network === null ? 'on the server' : <bdi className="block truncate">{entry.network}</bdi>}
              </span>
            </summary>
            <EntryDetails entry={entry} />
          </details>
        </li>
      ))}
    </ol>
  )
}

function EntryWords({ entry }: { entry: AuditEntry }) {
  const { words, subject } = describeEntry(entry)
  return (
    <>
      <bdi className="[overflow-wrap:anywhere]">{words}</bdi>
      {subject !== null && (
        <>
          {': '}
          <bdi className="text-ink2 [overflow-wrap:anywhere]">{subject}</bdi>
        </>
      )}
    </>
  )
}

/** A person by the address, a process by its name. */
function toName({ actorKind, actorName }: AuditEntry): string {
  if (actorKind === 'program') return `Tieout (${actorName})`
  return actorKind === 'operator' ? `Operator (${actorName})` : actorName
}

function EntryDetails({ entry }: { entry: AuditEntry }) {
  const changes = toChanges(entry)
  const { number, action, subjectKind, subjectId, hash } = entry
  return (
    <div className="bg-panel px-5 pt-1 pb-3 text-[12.5px] max-md:px-4">
      {changes.length > 0 && (
        <table className="mb-2 w-full max-w-[900px] table-fixed text-left">
          <thead className="text-[12px] text-ink3">
            <tr>
              <th scope="col" className="w-[160px] font-normal max-md:w-[100px]">
                What
              </th>
              <th scope="col" className="font-normal">
                Before
              </th>
              <th scope="col" className="font-normal">
                After
              </th>
            </tr>
          </thead>
          <tbody>
            {changes.map(({ name, before, after }) => (
              <tr key={name} className="align-top">
                <th scope="row" className="pr-3 font-normal text-ink2 [overflow-wrap:anywhere]">
                  <bdi>{name}</bdi>
                </th>
                <Value text={before} />
                <Value text={after} />
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p className="text-ink2 [overflow-wrap:anywhere]">
        Entry {number} · <code className="font-mono text-[12px]">{action}</code>
        {subjectKind !== null && (
          <>
            {' · '}
            <bdi>{subjectKind}</bdi> {subjectId !== null && <bdi className="font-mono text-[12px]">{subjectId}</bdi>}
          </>
        )}
        <span className="block text-ink3">
          SHA-256 <span className="font-mono text-[12px]">{hash}</span>
        </span>
      </p>
    </div>
  )
}

function Value({ text }: { text: string | null }) {
  return (
    <td className="pr-3 [overflow-wrap:anywhere]">
      {text === null ? <span className="sr-only">nothing</span> : <bdi>{text}</bdi>}
    </td>
  )
}
