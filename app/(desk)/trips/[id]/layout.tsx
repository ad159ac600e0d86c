import { existingOnly } from '#lib/auth/doors/desk-page.ts'
import { hasTrip } from '#lib/ledger/read/get-trip.ts'

export default existingOnly(({ organizationId }, { id = '' }) => hasTrip(organizationId, id))
