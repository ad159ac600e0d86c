import type { ReactNode } from 'react'
import { RelativeTime } from '#components/text/relative-time.client.tsx'
import {
  type ConnectionSummary,
  LOOK_BACK_INTERVALS,
  SYNC_INTERVALS,
  type SyncSchedule,
  VERIFY_INTERVALS,
} from '#lib/connections/model.ts'
import { LOOK_BACK_DAYS, WHOLE_READ_RECORDS } from '#lib/reconcile/sync-run.ts'
import { ScheduleForm } from './schedule-form.client.tsx'
import { describeInterval } from './schedule-words.ts'

type ReadingScheduleProps = { connection: ConnectionSummary; now: number; canSchedule: boolean }

const MINUTES = { minutes: 1, lookBackHours: 60, verifyDays: 1440 }

/** What is read how often, when last and when next, and which change shows with which reading. */
export function ReadingSchedule({ connection, now, canSchedule }: ReadingScheduleProps) {
  const { id, lineCount, lastGoodSyncAt, lookedBackAt, verifiedAt } = connection
  const draw = (name: keyof SyncSchedule, label: string, value: number, choices: readonly number[], note: ReactNode) =>
    canSchedule ? (
      <ScheduleForm
        connectionId={id}
        name={name}
        label={label}
        value={value}
        choices={choices}
        unit={MINUTES[name]}
        note={note}
      />
    ) : (
      <>
        <span>{describeInterval(value * MINUTES[name])}</span>
        <div className="text-[12px] text-ink3 leading-4">{note}</div>
      </>
    )
  const times = (last: string | null, next: string | null) => <Times last={last} next={next} now={now} />
  return (
    <section aria-labelledby="schedule-title" className="shrink-0 border-t px-5 py-3 max-md:px-4">
      <h2 id="schedule-title" className="font-semibold text-[14px]">
        Schedule
      </h2>
      <dl className="mt-1 grid grid-cols-3 gap-x-8 gap-y-2 text-[13px] max-md:grid-cols-1">
        <Reading name="New and changed invoices, with their lines">
          {draw(
            'minutes',
            'Sync automatically',
            connection.syncEveryMinutes,
            SYNC_INTERVALS,
            times(lastGoodSyncAt, connection.nextSyncAt),
          )}
        </Reading>
        <Reading name={`All lines of the last ${LOOK_BACK_DAYS} days, and of older unpaid invoices`}>
          {draw(
            'lookBackHours',
            'Read recent lines again',
            connection.lookBackEveryHours,
            LOOK_BACK_INTERVALS,
            times(lookedBackAt, toNext(connection, connection.nextLookBackAt)),
          )}
        </Reading>
        <Reading name="All invoices and lines">
          {draw(
            'verifyDays',
            'Read everything again',
            connection.verifyEveryDays,
            VERIFY_INTERVALS,
            times(verifiedAt, toNext(connection, connection.nextVerificationAt)),
          )}
        </Reading>
      </dl>
      <p className="mt-2 text-[13px] text-ink2">
        {lineCount <= WHOLE_READ_RECORDS
          ? 'This account is short: every sync reads all of it, and each change shows with the next one.'
          : `A change that leaves its invoice as it is, such as another cost center of a trip, shows once recent lines are read again,
             and on an older, paid invoice once everything is. Sync now reads recent lines at once.`}
      </p>
    </section>
  )
}

/** A reading waits for a sync, and takes place with the next one if it is due by then. */
function toNext({ nextSyncAt, syncEveryMinutes }: ConnectionSummary, due: string | null): string | null {
  if (due === null || nextSyncAt === null) return null
  const isWithNext = Date.parse(due) <= Date.parse(nextSyncAt) + (syncEveryMinutes * 60_000) / 2
  return isWithNext ? nextSyncAt : due
}

function Times({ last, next, now }: { last: string | null; next: string | null; now: number }) {
  return (
    <>
      {last === null ? (
        'not yet'
      ) : (
        <>
          last <RelativeTime at={last} now={now} />
        </>
      )}
      {next !== null && (
        <>
          {' · next '}
          {Date.parse(next) <= now ? 'soon' : <RelativeTime at={next} now={now} />}
        </>
      )}
    </>
  )
}

function Reading({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-[12px] text-ink3 leading-4">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  )
}
