import { existingOnly } from '#lib/auth/desk-page.ts'
import { hasRole } from '#lib/auth/model.ts'

export default existingOnly(async ({ role }) => hasRole(role, 'admin'))
