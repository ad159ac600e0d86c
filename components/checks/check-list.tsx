import type { TunedCheck } from '#lib/ledger/rules/list-rules.ts'
import { type CheckCode, DEFAULT_CHECK, hasTolerance } from '#lib/reconcile/checks/checks.ts'
import { writeTolerance } from '#lib/reconcile/checks/tolerance.ts'
import { formatDayOf } from '#lib/reconcile/moment.ts'
import { type AskedCheck, CheckForm } from './check-form.client.tsx'
import { CHECK_GROUPS, describeCheck, LEVEL_WORDS } from './check-words.ts'

/** The change that the address asks about. */
export type AskedChange = AskedCheck & { code: CheckCode }

type CheckListProps = { tuned: readonly TunedCheck[]; canTune: boolean; asked: AskedChange | null }

/** Every check with what becomes of it when it fails, and who decided that. */
export function CheckList({ tuned, canTune, asked }: CheckListProps) {
  return CHECK_GROUPS.map(({ title, codes }) => (
    <section key={title} aria-label={title}>
      <div className="check-row check-head">
        <h2 className="font-semibold text-[14px] text-ink">{title}</h2>
        <span>Result</span>
        <span>Tolerance</span>
        <span>Changed by</span>
      </div>
      <ul>
        {codes.map((code) => (
          <CheckRow
            key={code}
            code={code}
            setting={tuned.find((each) => each.code === code) ?? null}
            canTune={canTune}
            asked={asked?.code === code ? asked : null}
          />
        ))}
      </ul>
    </section>
  ))
}

type CheckRowProps = { code: CheckCode; setting: TunedCheck | null; canTune: boolean; asked: AskedCheck | null }

function CheckRow({ code, setting, canTune, asked }: CheckRowProps) {
  const { label, detail } = describeCheck(code)
  const { level, tolerance } = setting ?? DEFAULT_CHECK
  const written = hasTolerance(code) ? writeTolerance(tolerance) : null
  return (
    <li id={code} className="check-row">
      <div className="min-w-0">
        <span className="font-medium">{label}</span>
        <span className="block text-[12px] text-ink3 leading-4">{detail}</span>
      </div>
      {canTune ? (
        // a saved setting is a new form: its fields begin with what was saved
        <CheckForm
          key={`${level} ${written} ${asked?.level} ${asked?.tolerance}`}
          code={code}
          label={label}
          level={level}
          tolerance={written}
          asked={asked}
        />
      ) : (
        <div className="check-form">
          <span>{LEVEL_WORDS[level]}</span>
          <span className="text-ink2">{written === null || written === '' ? '–' : written}</span>
        </div>
      )}
      <div className="pt-[5px] text-[12px] text-ink3 max-md:pt-0">
        {setting === null ? (
          'default'
        ) : (
          <>
            <bdi>{setting.changedByName}</bdi>, {formatDayOf(setting.changedAt)}
          </>
        )}
      </div>
    </li>
  )
}
