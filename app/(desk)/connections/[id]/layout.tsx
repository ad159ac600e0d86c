import { existingOnly, readConnection } from '#lib/auth/doors/desk-page.ts'

export default existingOnly(
  async ({ organizationId }, { id = '' }) => (await readConnection(organizationId, id)) !== null,
)
