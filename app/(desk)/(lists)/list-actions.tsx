import { DownloadLink } from '#components/frame/download-link.tsx'
import { PeriodPicker, toPeriodChoice } from '#components/period/period-picker.tsx'
import type { ListQuery } from '#components/query/list-address.ts'
import type { AppSession } from '#lib/auth/model.ts'
import { dayOf } from '#lib/reconcile/day.ts'

/** What every list has beside its title: the period, and the file of what it shows. */
export function ListActions({ target, session }: { target: ListQuery; session: AppSession }) {
  return (
    <>
      <PeriodPicker {...toPeriodChoice(target)} today={dayOf(Date.now())} fiscalMonth={session.fiscalMonth} />
      <DownloadLink target={target} />
    </>
  )
}
