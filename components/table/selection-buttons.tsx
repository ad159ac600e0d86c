import { buttonClass } from '#components/primitives/button.ts'
import { formatCount } from '#lib/reconcile/format.ts'
import { NOTHING_SELECTED, type Selection } from './selection.ts'

type SelectAllProps<Row> = { count: number; onChange: (selection: Selection<Row>) => void }

/** Selects all rows of the list, also those that were never here. */
export function SelectAll<Row>({ count, onChange }: SelectAllProps<Row>) {
  return (
    <button
      type="button"
      onClick={() => onChange({ isAll: true, rows: new Map() })}
      className={buttonClass({ look: 'plain', size: 'small' })}
    >
      Select all {formatCount(count)} of this list
    </button>
  )
}

export function ClearSelection<Row>({ onChange }: Pick<SelectAllProps<Row>, 'onChange'>) {
  return (
    <button
      type="button"
      onClick={() => onChange(NOTHING_SELECTED)}
      className={buttonClass({ look: 'quiet', size: 'small' })}
    >
      Clear
    </button>
  )
}
