import { runStep } from '../run/steps.ts'
import { bold, say } from '../run/terminal.ts'
import type { Prepared } from './prepare.ts'

/** The first admin's address where none is configured. */
export const DEFAULT_EMAIL = 'admin@example.com'

const NOBODY =
  'There is no user yet: `npm run organization -- create "<name>" --admin <email>` makes the first organization and its admin.'

/** Says how somebody signs in. */
export type SayAccess = () => void

/**
 * Creates the first admin when there is no user yet. A generated password is shown at once and
 * never again. With a database elsewhere none is generated, since what is said here may be kept by
 * whoever keeps the output of services.
 */
export async function provideAdmin(prepared: Prepared): Promise<SayAccess> {
  const { databaseUrl, adminPassword } = prepared.settings
  if (databaseUrl !== null && adminPassword === null) return lookForUsers(prepared)
  const { email, password, hint } = await makeAdmin(prepared)
  return () => say(`Sign in as ${bold(email)} ${password ? `with the password ${bold(password)}` : hint}.`)
}

async function lookForUsers({ databaseUrls }: Prepared): Promise<SayAccess> {
  const [{ hasUsers }, { endPool, switchPool }] = await Promise.all([
    import('#lib/auth/people/first-admin.ts'),
    import('#lib/db/pool.ts'),
  ])
  await switchPool(databaseUrls.web)
  const isAnybodyHere = await hasUsers().finally(endPool)
  return () => (isAnybodyHere ? undefined : say(NOBODY))
}

async function makeAdmin({ settings, databaseUrls }: Prepared) {
  let access = { email: '', password: null as string | null, hint: '' }
  await runStep('First admin', async () => {
    // loaded here, because it needs the generated client
    const [{ provideFirstAdmin }, { endPool, switchPool }] = await Promise.all([
      import('#lib/auth/people/first-admin.ts'),
      import('#lib/db/pool.ts'),
    ])
    await switchPool(databaseUrls.web)
    try {
      const wanted = { email: settings.adminEmail ?? DEFAULT_EMAIL, password: settings.adminPassword?.reveal() ?? null }
      const { created, email, password } = await provideFirstAdmin(wanted, new Date())
      const hint = created ? 'with ADMIN_PASSWORD' : 'with the password of the first start'
      access = { email, password, hint }
      return created ? `made ${email}` : email
    } finally {
      await endPool()
    }
  })
  // shown before the steps that may still fail, and again at their end
  if (access.password) say(`    Password of ${access.email}, shown this once: ${bold(access.password)}`)
  return access
}
