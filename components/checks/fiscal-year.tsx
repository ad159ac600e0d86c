import { buttonClass } from '#components/primitives/button.ts'
import { MONTH_NAMES } from '#components/text/month-names.ts'

/** With which month the fiscal year begins; periods offer it where that is not January. */
export function FiscalYear({ month, canTune }: { month: number; canTune: boolean }) {
  return (
    <section aria-labelledby="fiscal-year" className="px-5 pt-5 max-md:px-4">
      <h2 id="fiscal-year" className="font-semibold text-[14px]">
        Fiscal year
      </h2>
      {canTune ? (
        <form method="post" action="/api/checks/fiscal-year" className="mt-1.5 flex items-center gap-2 text-[13px]">
          <label className="flex items-center gap-2">
            It begins in
            <select name="month" defaultValue={month} className="field h-7">
              {MONTH_NAMES.map((name, at) => (
                <option key={name} value={at + 1}>
                  {name}
                </option>
              ))}
            </select>
          </label>
          <button type="submit" className={buttonClass({ size: 'small' })}>
            Save
          </button>
        </form>
      ) : (
        <p className="mt-1 text-[13px] text-ink2">It begins in {MONTH_NAMES[month - 1]}.</p>
      )}
    </section>
  )
}
