'use client'

import type { RowData } from '@tanstack/react-table'
import type { ComponentType } from 'react'
import { buttonClass } from '#components/primitives/button.ts'
import { Icon } from '#components/primitives/icons.tsx'
import { type Opened, Opener } from '#components/primitives/opener.client.tsx'
import type { Columns } from '#components/table/table-features.ts'
import type { ColumnsChoice } from './column-state.ts'

const load = async () => (await import('./columns-box.client.tsx')).ColumnsBox as ComponentType<Opened & object>

/** Opens the columns of a list: which, in which order, how wide, and how tall the rows. */
export function ColumnsButton<Row extends RowData>(own: ColumnsChoice & { columns: Columns<Row> }) {
  return (
    <Opener
      role="dialog"
      load={load}
      own={own}
      trigger={
        <button type="button" data-verb="Choose columns" className={buttonClass()}>
          <Icon size={16} d="M4 4h16v16H4zM10 4v16M15 4v16" />
          <span className="max-[420px]:sr-only">Columns</span>
        </button>
      }
    />
  )
}
