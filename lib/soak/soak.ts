import { CommandError } from '#lib/cli/run/command-error.ts'
import type { Lifetime } from '#lib/cli/run/lifetime.ts'

type Soak = (lifetime: Lifetime, args: string[]) => Promise<void>

/** The long forms of tests that `npm test` runs shortened. */
const SOAKS: Record<string, () => Promise<Soak>> = {
  citus: async () => (await import('./soak-citus.ts')).soakCitus,
  'citus-canaries': async () => (await import('./soak-citus-canaries.ts')).soakCitusCanaries,
  'citus-moves': async () => (await import('./soak-citus-moves.ts')).soakCitusMoves,
  'citus-stopped': async () => (await import('./soak-citus-stopped.ts')).soakCitusStopped,
  downloads: async () => (await import('./soak-downloads.ts')).soakDownloads,
  mutations: async () => (await import('./soak-mutations.ts')).soakMutations,
  reasons: async () => (await import('./soak-reasons.ts')).soakReasons,
  refresh: async () => (await import('./soak-refresh.ts')).soakRefresh,
  restore: async () => (await import('./soak-restore.ts')).soakRestore,
  scan: async () => (await import('./soak-scan.ts')).soakScan,
  'sign-in': async () => (await import('./soak-sign-in.ts')).soakSignIn,
  sync: async () => (await import('./soak-sync.ts')).soakSync,
}

/**
 * Runs one of the long tests by name. @throws CommandError for an unknown name, and when the
 * promise does not hold.
 */
export async function soak(lifetime: Lifetime, [name = '', ...args]: string[]): Promise<void> {
  const load = SOAKS[name]
  if (!load) throw new CommandError(`Usage: npm run soak -- ${Object.keys(SOAKS).join(' | ')}`)
  await (await load())(lifetime, args)
}
