import { open } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { type ChainPoint, verifyChain } from '#lib/audit/chain.ts'
import type { Organization } from '#lib/auth/people/organizations.ts'
import { endPool, switchPool } from '#lib/db/pool.ts'
import { settings as readSettings } from '#lib/env.ts'
import { openAuditFile } from '#lib/export/audit-csv.ts'
import { DEFAULT_AUDIT_QUERY } from '#lib/ledger/query/audit-query.ts'
import { findOrganizations } from './people-parts.ts'
import { CommandError } from './run/command-error.ts'
import { provideDataDir } from './run/data-dir.ts'
import { provideDatabase } from './run/database.ts'
import type { Lifetime } from './run/lifetime.ts'
import { say } from './run/terminal.ts'

const USAGE = `Usage: npm run audit -- <what>
  verify  [--organization <name or id>] [--expect <number>:<hash>]
  export <file>  [--organization <name or id>]
verify prints how many entries each organization has, and the number and hash of the last one: note them elsewhere,
and give them with --expect later. export writes CSV into a new file.`

type Options = { organization?: string; expect?: string }

/**
 * Verifies the chain of the audit, or writes all of it as CSV.
 * @throws CommandError for a wrong call, and with its first broken entry for a chain that does not
 * hold.
 */
export async function audit(lifetime: Lifetime, args: string[]): Promise<void> {
  const { file, options } = parseCall(args)
  const settings = readSettings()
  if (!settings.databaseUrl) provideDataDir(settings.dataDir)
  const { web: databaseUrl } = await provideDatabase(settings, lifetime, ['web'])
  await switchPool(databaseUrl)
  try {
    const organizations = await findOrganizations(options.organization)
    if (file === null) await verify(organizations, options.expect)
    else await exportAll(organizations, file, lifetime.signal)
  } finally {
    await endPool()
  }
}

/** `file`: where to export to; null to verify. */
function parseCall(args: string[]): { file: string | null; options: Options } {
  const { values, positionals } = parseOptions(args)
  const [verb, file, ...others] = positionals
  const isVerify = verb === 'verify' && file === undefined
  const isExport = verb === 'export' && file !== undefined && others.length === 0 && values.expect === undefined
  if (!isVerify && !isExport) throw new CommandError(USAGE, { exitCode: 2 })
  return { file: file ?? null, options: values }
}

function parseOptions(args: string[]) {
  const text = { type: 'string' } as const
  try {
    return parseArgs({ args, allowPositionals: true, options: { organization: text, expect: text } })
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    throw new CommandError(USAGE, { exitCode: 2, details: problem, cause: error })
  }
}

async function verify(organizations: Organization[], noted: string | undefined): Promise<void> {
  const expect = noted === undefined ? undefined : parsePoint(noted)
  if (expect !== undefined && organizations.length !== 1)
    throw new CommandError('What was noted belongs to one organization: name it with --organization.', { exitCode: 2 })
  const problems: string[] = []
  for (const { id, name } of organizations) {
    const report = await verifyChain(id, { expect })
    if (report.kind === 'holds')
      say(`${name}  entries: ${report.count}  last: ${report.head.number}:${report.head.hash}`)
    else problems.push(`${name}: the audit is broken at entry ${report.at}: ${report.problem}.`)
  }
  if (problems.length > 0) throw new CommandError(problems.join('\n'))
}

function parsePoint(text: string): ChainPoint {
  const [, number, hash] = /^(\d{1,15}):([0-9a-f]{64})$/i.exec(text) ?? []
  if (number === undefined || hash === undefined)
    throw new CommandError('--expect takes what verify printed: <number>:<hash>.', { exitCode: 2 })
  return { number: Number(number), hash: hash.toLowerCase() }
}

/** One new file of all of them, for this account alone; each row names its organization. */
async function exportAll(organizations: Organization[], path: string, signal: AbortSignal): Promise<void> {
  const actor = { kind: 'operator', name: 'npm run audit' } as const
  const file = await open(path, 'wx', 0o600).catch((error: Error) => {
    throw new CommandError(`${path} cannot be made: ${error.message}`, { cause: error })
  })
  try {
    for (const [at, { id }] of organizations.entries()) {
      let isHeader = true
      for await (const bytes of await openAuditFile(id, { userId: 'operator', signal }, DEFAULT_AUDIT_QUERY, actor)) {
        // the header comes alone, before any row
        if (!isHeader || at === 0) await file.write(bytes)
        isHeader = false
      }
    }
  } finally {
    await file.close()
  }
  say(`Written: ${path}`)
}
