import { CommandError } from '#lib/cli/run/command-error.ts'
import type { Lifetime } from '#lib/cli/run/lifetime.ts'

type Bench = (lifetime: Lifetime, args: string[]) => Promise<void>

const SUBJECTS: Record<string, () => Promise<Bench>> = {
  sync: async () => (await import('./bench-sync.ts')).benchSync,
  export: async () => (await import('./bench-export.ts')).benchExport,
  ui: async () => (await import('./bench-ui.ts')).benchUi,
  desk: async () => (await import('./bench-desk.ts')).benchDesk,
  'ten-million': async () => (await import('./bench-ten-million.ts')).benchTenMillion,
  figures: async () => (await import('./bench-figures.ts')).benchFigures,
  pivots: async () => (await import('./bench-pivots.ts')).benchPivots,
  review: async () => (await import('./bench-review.ts')).benchReview,
  close: async () => (await import('./bench-close.ts')).benchClose,
  lake: async () => (await import('./bench-lake.ts')).benchLake,
  fleet: async () => (await import('./bench-fleet.ts')).benchFleet,
  failover: async () => (await import('./bench-failover.ts')).benchFailover,
  'citus-failover': async () => (await import('./bench-failover.ts')).benchCitusFailover,
  organizations: async () => (await import('./bench-organizations.ts')).benchOrganizations,
  recovery: async () => (await import('./bench-recovery.ts')).benchRecovery,
}

/**
 * Measures a subject beside its peer, in the same run, and keeps the figures under docs/benchmarks.
 * @throws CommandError for an unknown name, and when results that must be equal are not.
 */
export async function bench(lifetime: Lifetime, [name = '', ...args]: string[]): Promise<void> {
  const load = SUBJECTS[name]
  if (!load) throw new CommandError(`Usage: npm run bench -- ${Object.keys(SUBJECTS).join(' | ')}`)
  await (await load())(lifetime, args)
}
