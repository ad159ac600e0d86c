'use client'

import type { ColumnsChoice } from '#components/table/columns/column-state.ts'
import { ColumnsButton } from '#components/table/columns/columns-button.client.tsx'
import { LINE_COLUMNS } from './line-columns.tsx'

/** The columns of the lines. */
export function LineColumnsButton(choice: ColumnsChoice) {
  return <ColumnsButton columns={LINE_COLUMNS} {...choice} />
}
