'use client'

import type { MouseEvent } from 'react'
import { RouterLinks } from '#components/query/router-links.client.tsx'
import type { PackedChart } from './pack-month-chart.ts'

/** All months before those that there is room for. */
const EARLIER = 'Earlier'

const toPercent = (share: number) => `${share}%`

/**
 * A chart's bars, and the same as a table. A bar gets its link and its hint when somebody points at
 * it: seventy of them would be a tenth of the page, and for keys and without the script there is
 * the table.
 */
export function MonthFigures({ chart: { currency, zero, all, address, series, months, net } }: { chart: PackedChart }) {
  return (
    <RouterLinks>
      <div className="month-bars" aria-hidden>
        <hr style={{ bottom: toPercent(zero) }} />
        {months.map(({ label, days, units, top, mark, parts }) => (
          <div key={days}>
            {series.map((of, place) => {
              const part = parts[place]
              if (!part) return <b key={of.label} />
              const [shown, whole, bottom, height] = part
              const makeLink = ({ currentTarget: bar }: MouseEvent<HTMLAnchorElement>) => {
                bar.href = of.address + days
                bar.tabIndex = -1
                bar.title = `${label} · ${of.label} · ${currency} ${whole ?? shown}`
              }
              return (
                <a
                  key={of.label}
                  className={`tone-${of.tone}`}
                  {...{ onPointerOver: makeLink, onClick: makeLink }}
                  style={{ bottom: toPercent(bottom), height: toPercent(height) }}
                />
              )
            })}
            {mark !== null && <i style={{ bottom: toPercent(mark) }} />}
            <span style={{ bottom: toPercent(top) }}>{units}</span>
          </div>
        ))}
      </div>
      <div className="month-names" aria-hidden>
        {months.map(({ label, days }) => (
          <a key={days} href={address + days} tabIndex={-1}>
            {label === EARLIER ? label : label.slice(0, 3)}
            {label !== EARLIER && <span>{label.slice(3)}</span>}
          </a>
        ))}
      </div>
      <table className="month-table">
        <caption className="sr-only">{`Net amounts in ${currency} by month of expense and vertical`}</caption>
        <thead>
          <tr>
            <th scope="col">Month</th>
            {series.map(({ label, tone }) => (
              <th key={label} scope="col">
                <i className={`tone-${tone}`} />
                <bdi>{label}</bdi>
              </th>
            ))}
            <th scope="col">Net</th>
          </tr>
        </thead>
        <tbody>
          {months.map(({ label, days, net: ofMonth, parts }) => (
            <tr key={days}>
              <th scope="row">{label}</th>
              {series.map((of, place) => (
                <td key={of.label}>{parts[place]?.[0]}</td>
              ))}
              <td>
                <a href={address + days}>{ofMonth}</a>
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Total</th>
            {series.map((of) => (
              <td key={of.label}>{of.total}</td>
            ))}
            <td>
              <a href={all}>{net}</a>
            </td>
          </tr>
        </tfoot>
      </table>
    </RouterLinks>
  )
}
