'use client'

import type { CSSProperties } from 'react'
import { VerdictMark } from '#components/verdict/verdict-text.tsx'
import { formatCount } from '#lib/reconcile/format.ts'
import { CalendarKeys } from './calendar-keys.client.tsx'
import { CELL_LOOKS } from './coverage-looks.ts'
import { STATE_LABELS, toMonthDays, toMonthInitial, toMonthName } from './coverage-words.ts'
import type { PackedCalendar, PackedCell } from './pack-calendar.ts'

const MONTHS = Array.from({ length: 12 }, (_, index) => `2000-${String(index + 1).padStart(2, '0')}`)

/** The calendars of an account's profiles. Arrow keys move from one to the next. */
export function CoverageCalendars({ calendars }: { calendars: PackedCalendar[] }) {
  return (
    <CalendarKeys>
      {calendars.map((calendar) => (
        <CoverageCalendar key={calendar.profileId} calendar={calendar} />
      ))}
    </CalendarKeys>
  )
}

/**
 * One profile's months, a row per year, latest first: a real table, drawn as shapes. Its cells'
 * looks go by their place (app/lists.css).
 */
function CoverageCalendar({ calendar }: { calendar: PackedCalendar }) {
  const { name, currency, counts, years, address } = calendar
  // Tab stops at the latest month with invoices
  const stop = years.map(({ cells }) => cells.findLast(Array.isArray)).find((cell) => cell)
  return (
    <section aria-label={name} className="profile-months" style={{ '--years': years.length } as CSSProperties}>
      <h2 className="flex items-baseline gap-2 text-[13px]">
        <bdi className="truncate font-medium">{name}</bdi>
        {currency && <span className="text-[12px] text-ink3">{currency}</span>}
        <span className="ml-auto shrink-0 text-[12px] text-ink3 tabular-nums">{counts}</span>
      </h2>
      <table className="calendar">
        <caption className="sr-only">Months of {name}, by the day of issue</caption>
        <thead>
          <tr>
            <th scope="col">
              <span className="sr-only">Year</span>
            </th>
            {MONTHS.map((month) => (
              <th key={month} scope="col" abbr={toMonthName(month).split(' ')[0]}>
                {toMonthInitial(month)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {years.map(({ year, cells }) => (
            <tr key={year}>
              <th scope="row">{year}</th>
              {cells.map((cell, column) => (
                <Cell
                  key={MONTHS[column]}
                  cell={cell}
                  isStop={cell === stop}
                  href={address.join(toMonthDays(`${year}${MONTHS[column]?.slice(4)}`))}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Cell({ cell, isStop, href }: { cell: PackedCell; isStop: boolean; href: string }) {
  if (cell === null) return <td />
  if (!Array.isArray(cell)) return <td className={CELL_LOOKS[cell]}>{STATE_LABELS[cell].toLowerCase()}</td>
  const [state, verdict, lineCount, text] = cell
  return (
    <td className={CELL_LOOKS[state]}>
      <a href={href} tabIndex={isStop ? 0 : -1}>
        <b aria-hidden data-state={verdict}>
          <VerdictMark state={verdict} />
          {formatCount(lineCount)}
        </b>
        <span>{text}</span>
      </a>
    </td>
  )
}
