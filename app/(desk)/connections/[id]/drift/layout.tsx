import { existingOnly } from '#lib/auth/doors/desk-page.ts'
import { isAllowed } from '#lib/auth/permissions.ts'

export default existingOnly(async ({ role }) => isAllowed(role, 'see-evidence'))
