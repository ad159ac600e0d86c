import { buttonClass } from '#components/primitives/button.ts'
import { Link } from '#components/query/link.client.tsx'
import { toActionWords } from '#lib/audit/model.ts'
import { type AuditQuery, isAuditFiltered } from '#lib/ledger/query/audit-query.ts'

type AuditFiltersProps = { query: AuditQuery; people: string[]; actions: string[]; subjects: string[] }

/** Who, what, to what and when: a plain form, whose address is the page's state. */
export function AuditFilters({ query, people, actions, subjects }: AuditFiltersProps) {
  return (
    <form
      key={JSON.stringify(query)}
      action="/audit"
      aria-label="Filters"
      className="flex flex-wrap items-end gap-x-3 gap-y-2 px-5 pb-2.5 text-[12.5px] max-md:px-4 print:hidden"
    >
      <Choice name="who" label="Who" value={query.who} choices={people} />
      <Choice name="action" label="Action" value={query.action} choices={actions} toWords={toActionWords} />
      <Choice name="subject" label="About" value={query.subject} choices={subjects} />
      <label className="grid text-ink2">
        From (UTC)
        <input type="date" name="from" defaultValue={query.from ?? ''} className="field h-7 text-ink" />
      </label>
      <label className="grid text-ink2">
        To (UTC)
        <input type="date" name="to" defaultValue={query.to ?? ''} className="field h-7 text-ink" />
      </label>
      <button type="submit" className={buttonClass({ size: 'small' })}>
        Filter
      </button>
      {isAuditFiltered(query) && (
        <Link href="/audit" className={buttonClass({ look: 'quiet', size: 'small' })}>
          Clear filters
        </Link>
      )}
    </form>
  )
}

type ChoiceProps = {
  name: string
  label: string
  value: string
  choices: string[]
  toWords?: (choice: string) => string
}

function Choice({ name, label, value, choices, toWords = (choice) => choice }: ChoiceProps) {
  const known = value === '' || choices.includes(value) ? choices : [value, ...choices]
  return (
    <label className="grid max-w-[240px] grid-cols-[minmax(0,1fr)] text-ink2">
      {label}
      <select name={name} defaultValue={value} className="field h-7 w-full text-ink">
        <option value="">Any</option>
        {known.map((choice) => (
          <option key={choice} value={choice}>
            {toWords(choice)}
          </option>
        ))}
      </select>
    </label>
  )
}
