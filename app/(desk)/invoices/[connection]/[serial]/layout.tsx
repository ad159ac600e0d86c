import { existingOnly } from '#lib/auth/doors/desk-page.ts'
import { hasInvoice } from '#lib/ledger/read/get-invoice.ts'

export default existingOnly(({ organizationId }, { connection = '', serial = '' }) =>
  hasInvoice(organizationId, connection, serial),
)
