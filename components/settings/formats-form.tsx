import { buttonClass } from '#components/primitives/button.ts'
import { DATE_FORMATS, NUMBER_FORMATS, type NumberFormat } from '#lib/reconcile/formats.ts'
import type { StoredFormats } from '#lib/reconcile/own-formats/format-choices.ts'

type FormatsFormProps = {
  /** The route that takes them. */
  action: string
  stored: StoredFormats
  /** The choices before the formats themselves: a value, and its words for each of the fields. */
  first: { value: string; say: (field: keyof StoredFormats) => string }[]
  timeZones: readonly string[]
}

const NUMBER_WORDS: Record<NumberFormat, string> = {
  'comma-point': '1,234,567.89',
  'point-comma': '1.234.567,89',
  'space-comma': '1\u202f234\u202f567,89',
  'apostrophe-point': '1\u2019234\u2019567.89',
  indian: '12,34,567.89',
}

const DATE_WORDS = {
  'month-first': 'Mar 4, 2026, 2:05:00 PM',
  'day-first': '4 Mar 2026, 14:05:00',
  points: '04.03.2026, 14:05:00',
  'year-first': '2026-03-04, 14:05:00',
} satisfies Record<(typeof DATE_FORMATS)[number], string>

/** Three choices and a button that saves them: a plain form. Each format is shown as it looks. */
export function FormatsForm({ action, stored, first, timeZones }: FormatsFormProps) {
  const numbers = Object.keys(NUMBER_FORMATS) as NumberFormat[]
  const fields = [
    {
      name: 'numberFormat',
      label: 'Numbers',
      options: numbers.map((value) => ({ value, words: NUMBER_WORDS[value] })),
    },
    { name: 'dateFormat', label: 'Dates', options: DATE_FORMATS.map((value) => ({ value, words: DATE_WORDS[value] })) },
    { name: 'timeZone', label: 'Time zone', options: timeZones.map((value) => ({ value, words: value })) },
  ] as const
  return (
    <form method="post" action={action} className="flex flex-wrap items-end gap-3 text-[13px]">
      {fields.map(({ name, label, options }) => (
        <label key={name} className="flex min-w-0 max-w-full flex-col gap-1 font-medium">
          {label}
          <select name={name} defaultValue={stored[name] ?? ''} className="field h-8 max-w-full font-normal max-md:h-9">
            {first.map(({ value, say }) => (
              <option key={value} value={value}>
                {say(name)}
              </option>
            ))}
            {options.map(({ value, words }) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </select>
        </label>
      ))}
      <button type="submit" className={buttonClass()}>
        Save
      </button>
    </form>
  )
}

/** How a format looks, for the words of a choice that stands for another. */
export function toFormatWords(field: keyof StoredFormats, value: string): string {
  const words: Record<string, string> =
    field === 'numberFormat' ? NUMBER_WORDS : field === 'dateFormat' ? DATE_WORDS : {}
  return words[value] ?? value
}
