'use client'

import { useState } from 'react'
import { LINE_COLUMNS } from '#components/lines/line-columns.tsx'
import { buttonClass } from '#components/primitives/button.ts'
import type { ListView } from '#components/query/view-address.ts'
import type { Selection } from '#components/table/selection.ts'
import { toTabText } from '#components/table/tab-text.ts'
import type { LineRow } from '#lib/ledger/model.ts'
import type { LineSortKey } from '#lib/ledger/query/line-query.ts'
import { formatCount } from '#lib/reconcile/format.ts'
import { MOST_COPIED, readSelected } from './selected-lines.ts'

type CopyLinesProps = { selection: Selection<LineRow>; count: number; view: ListView<LineSortKey> }

/** Copies the selected lines with the columns on screen, for a spreadsheet. */
export function CopyLines({ selection, count, view }: CopyLinesProps) {
  const [outcome, setOutcome] = useState<{ of: Selection<LineRow>; words: string } | null>(null)
  const copy = async () => {
    const words = await copyLines(selection, view).catch(() => 'Nothing was copied.')
    setOutcome({ of: selection, words })
  }
  if (count > MOST_COPIED) return <span>Copies at most {formatCount(MOST_COPIED)} lines; the CSV has all.</span>
  return (
    <>
      <button type="button" onClick={copy} className={buttonClass({ look: 'plain', size: 'small' })}>
        Copy
      </button>
      {outcome?.of === selection && <span role="status">{outcome.words}</span>}
    </>
  )
}

async function copyLines(selection: Selection<LineRow>, view: ListView<LineSortKey>): Promise<string> {
  const lines = await readSelected(selection, view)
  await navigator.clipboard.writeText(toTabText(LINE_COLUMNS, view.columns, lines))
  return `${formatCount(lines.length)} copied.`
}
