import { MissingPage } from '#components/states/missing-page.tsx'
import { RefusedPage } from '#components/states/refused-page.client.tsx'
import { readSession } from '#lib/auth/doors/page-session.ts'
import { isAllowed, type Permission } from '#lib/auth/permissions.ts'

/** Pages of the desk that not every role may see. That they exist is no secret. */
const LIMITED: Record<string, Permission> = { '/audit': 'see-audit', '/settings': 'manage-organization' }

export default async function DeskNotFound() {
  const session = await readSession()
  const refused = Object.keys(LIMITED).filter(
    (path) => session !== null && !isAllowed(session.role, LIMITED[path] as Permission),
  )
  return (
    <RefusedPage refused={refused}>
      <MissingPage />
    </RefusedPage>
  )
}
