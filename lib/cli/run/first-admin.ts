import type { Prepared } from './prepare.ts'
import { runStep } from './steps.ts'
import { bold, say } from './terminal.ts'

/** The first admin's address where none is configured. */
export const DEFAULT_EMAIL = 'admin@example.com'

/** How the first admin signs in: with a `password` generated now, otherwise as `hint` says. */
export type AdminAccess = { email: string; password: string | null; hint: string }

/**
 * Creates the first admin when there is no user yet. A generated password is shown at once and
 * never again.
 */
export async function provideAdmin({ settings, databaseUrls }: Prepared): Promise<AdminAccess> {
  let access: AdminAccess = { email: '', password: null, hint: '' }
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
