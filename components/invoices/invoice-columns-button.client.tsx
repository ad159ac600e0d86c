'use client'

import type { ColumnsChoice } from '#components/table/columns/column-state.ts'
import { ColumnsButton } from '#components/table/columns/columns-button.client.tsx'
import { INVOICE_COLUMNS } from './invoice-columns.tsx'

/** The columns of the invoices. */
export function InvoiceColumnsButton(choice: ColumnsChoice) {
  return <ColumnsButton columns={INVOICE_COLUMNS} {...choice} />
}
