import type { ConnectionVisit } from '#lib/auth/doors/desk-page.ts'
import { DeskScope } from '../../../desk-scope.tsx'
import { leadToOwnScope } from '../../../own-scope.ts'

/** The scope that one came with: the calendar has all months, and passes it on. */
export async function CoverageScope({ session, connection, searchParams }: ConnectionVisit) {
  const path = `/connections/${connection.id}/coverage`
  await leadToOwnScope(path, { session, searchParams })
  return (
    <DeskScope path={path} session={session} searchParams={searchParams} accounts={[]} profiles={[]} currencies={[]}>
      <p className="text-[12px] text-ink3">All months of issue of this account are shown</p>
    </DeskScope>
  )
}
