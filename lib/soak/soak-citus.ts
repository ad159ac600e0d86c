/**
 * `npm run soak -- citus [folders…]`: the integration tests of the ledger, the syncs, the
 * connections and the accounts on a cluster that runs already; with names of stories (`e2e/…`),
 * these in a browser, on the whole app. DATABASE_URL is the superuser's at the coordinator, and the
 * cluster is one to try things on: databases are made and dropped there.
 * What the tests meet is told by reason (docs/decisions/067-one-form-for-two-engines.md).
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildWebApp } from '#lib/cli/builds/web-build.ts'
import { CommandError } from '#lib/cli/run/command-error.ts'
import type { Lifetime } from '#lib/cli/run/lifetime.ts'
import { packageFile, projectRoot } from '#lib/cli/run/project-root.ts'
import { say } from '#lib/cli/run/terminal.ts'
import { provideBrowser } from '#lib/cli/test/test-browser.ts'
import { countPlaywright, countVitest, listPlaywrightFailures, listVitestFailures } from '#lib/cli/test/test-counts.ts'
import { runTestTool } from '#lib/cli/test/test-run.ts'
import { settings } from '#lib/env.ts'

const FOLDERS = ['lib/ledger', 'lib/sync', 'lib/connections', 'lib/auth', 'lib/worker/across.test.ts']

/** What cannot hold on a cluster as it is, by what it says, and why. */
const REASONS: { says: RegExp; why: string }[] = [
  {
    says: /COPY FROM not supported with row-level security/,
    why: 'rows in bulk: what a SELECT adds and gives nothing back of is copied in, which no role under policies may',
  },
  {
    says: /cannot execute a distributed query from a query on a shard/,
    why: 'a trigger on a shard asks without naming one organization',
  },
  {
    says: /(correlated|complex|multi-shard|joins) .*(not|only) supported|could not run distributed query|lateral outer join|must be colocated|requires repartitioning/i,
    why: 'a question over several organizations, or beside a temporary table, that the cluster cannot divide',
  },
  {
    says: /non-IMMUTABLE functions are not allowed|STABLE functions used in|must not be VOLATILE|must be marked IMMUTABLE/,
    why: 'a function that answers differently each time, in a statement that writes',
  },
  {
    says: /parameterized queries for SQL functions|could not create distributed plan/,
    why: 'a function in SQL that asks a table by its parameters',
  },
  {
    says: /direct joins between distributed and local tables|relation "?(pg_temp\.)?\w*"? does not exist/,
    why: 'a temporary table beside the ledger: it is on the coordinator alone',
  },
  {
    says: /row-level security does not hold for the role "tieout_test"/,
    why: 'a test that takes the owner for a process: on a cluster its owner reads past the policies',
  },
  { says: /"(citus_tables|citus_schemas)"/, why: 'a test of the whole catalog, which has the engine’s own views' },
]

/** Failures by their reason, most first; `null` for those that no reason of ours explains. */
export function sortByReason(failures: readonly string[]): { why: string | null; failures: string[] }[] {
  const sorted = new Map<string | null, string[]>()
  for (const failure of failures) {
    const why = REASONS.find(({ says }) => says.test(failure))?.why ?? null
    sorted.set(why, [...(sorted.get(why) ?? []), failure])
  }
  return [...sorted]
    .map(([why, each]) => ({ why, failures: each }))
    .sort((a, b) => b.failures.length - a.failures.length)
}

/** @throws CommandError without a cluster, and when a test fails for a reason that is not named. */
export async function soakCitus(lifetime: Lifetime, args: string[]): Promise<void> {
  const { databaseUrl } = settings()
  if (databaseUrl === null)
    throw new CommandError('Usage: DATABASE_URL=<superuser at the coordinator> npm run soak -- citus [folders…]')
  const report = join(projectRoot, 'test-results', 'citus.json')
  rmSync(report, { force: true })
  if (args.some((name) => name.startsWith('e2e/'))) return tellStories(lifetime, args, { databaseUrl, report })
  // each statement goes to another server and back: twice the time of one PostgreSQL
  const limits = ['--testTimeout=240000', '--hookTimeout=240000']
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const { code } = await runTestTool({
    args: [packageFile('vitest/vitest.mjs'), 'run', ...limits, ...reporters, ...(args.length === 0 ? FOLDERS : args)],
    env: { TEST_CLUSTER_URL: databaseUrl },
    signal: lifetime.signal,
    isShown: true,
  })
  const { passed, failed, skipped } = countVitest(report, code)
  const sorted = sortByReason(listVitestFailures(report))
  for (const { why, failures } of sorted) {
    say(`\n${failures.length} × ${why ?? 'for a reason that is not named'}`)
    if (why === null) for (const failure of failures) say(`  ${failure}`)
  }
  say(`\n${passed} passed, ${failed} failed, ${skipped} not begun on the cluster`)
  if (failed > 0 && sorted.length === 0) throw new CommandError('The tests did not begin on the cluster.')
  if (sorted.some(({ why }) => why === null))
    throw new CommandError('On the cluster, tests fail for a reason that is not named (lib/soak/soak-citus.ts).')
}

/** One app at a time: the cluster has one template of databases. */
async function tellStories(
  { signal }: Lifetime,
  names: string[],
  { databaseUrl, report }: { databaseUrl: string; report: string },
): Promise<void> {
  await buildWebApp(signal)
  await provideBrowser('headless', signal)
  const options = ['--config', 'e2e/playwright.config.ts', '--project=stories', '--workers=1']
  const { code } = await runTestTool({
    args: [packageFile('@playwright/test/cli.js'), 'test', ...options, ...names],
    env: { TEST_CLUSTER_URL: databaseUrl, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
    signal,
    isShown: true,
  })
  const { passed, failed, skipped } = countPlaywright(report, code)
  for (const failure of listPlaywrightFailures(report)) say(`  ${failure}`)
  say(`\n${passed} passed, ${failed} failed, ${skipped} not begun on the cluster`)
  if (failed > 0 || passed === 0) throw new CommandError('Not all stories hold on the cluster.')
}
