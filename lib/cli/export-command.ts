import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { settings as readSettings } from '#lib/env.ts'
import { OperationalError } from '#lib/errors.ts'
import { openFolderStore } from '#lib/export/lake/folder-store.ts'
import type { LakeStore } from '#lib/export/lake/lake-store.ts'
import { openS3Store } from '#lib/export/lake/s3-store.ts'
import { type LakeReport, writeLake } from '#lib/export/lake/write-lake.ts'
import { findOrganizations, toOperator, withDatabase } from './people-parts.ts'
import { CommandError } from './run/command-error.ts'
import type { Lifetime } from './run/lifetime.ts'
import { say } from './run/terminal.ts'

const USAGE = `Usage: npm run export -- parquet <folder or s3://bucket/prefix>  [--organization <name or id>]
writes lines, invoices, findings and reviews as Parquet, a file for each organization, table and month, with a manifest
of counts, sums and hashes. Only what has changed since the last run is written again.`

/**
 * Brings a lake of Parquet files up to date, for one organization or for all of them.
 * @throws CommandError for a wrong call, and with one sentence for what could not be written.
 */
export async function exportFiles(lifetime: Lifetime, args: string[]): Promise<void> {
  const { target, organization } = parseCall(args)
  const store = openStore(target)
  await withDatabase(lifetime, async () => {
    for (const owner of await findOrganizations(organization)) {
      const order = { store, actor: toOperator('export'), signal: lifetime.signal }
      say(`${owner.name}  ${toWords(await writeLake(owner, order).catch(toCommandError))}`)
    }
  })
}

function parseCall(args: string[]): { target: string; organization: string | undefined } {
  try {
    const options = { organization: { type: 'string' } } as const
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options })
    const [what, target, ...others] = positionals
    if (what === 'parquet' && target !== undefined && others.length === 0)
      return { target, organization: values.organization }
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    throw new CommandError(USAGE, { exitCode: 2, details: problem, cause: error })
  }
  throw new CommandError(USAGE, { exitCode: 2 })
}

/** @throws CommandError for an address that is none, and for a store that nobody has set up. */
function openStore(target: string): LakeStore {
  if (!/^\w+:\/\//.test(target)) return openFolderStore(resolve(target))
  const [, bucket, prefix = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w!.*'()/-]*))?$/.exec(target) ?? []
  if (bucket === undefined)
    throw new CommandError(`${target} is neither a folder nor s3://bucket/prefix.`, { exitCode: 2 })
  const { lake } = readSettings()
  if (lake !== null) return openS3Store(lake, bucket, prefix.replace(/^\/+|\/+$/g, ''))
  throw new CommandError('s3:// needs LAKE_S3_ACCESS_KEY_ID and LAKE_S3_SECRET_ACCESS_KEY in the environment.', {
    exitCode: 2,
  })
}

function toWords({ written, kept, removed }: LakeReport): string {
  const rows = written.reduce((sum, each) => sum + each.rows, 0)
  return `written: ${written.length} (${rows} rows)  unchanged: ${kept.length}  removed: ${removed.length}`
}

/** What an operator can do something about; the rest is a fault, and shown as one. */
function toCommandError(error: unknown): never {
  if (error instanceof OperationalError) throw new CommandError(`${error.message}.`, { cause: error })
  const { code, message } = error as NodeJS.ErrnoException
  if (['EACCES', 'ENOSPC', 'ENOTDIR', 'EROFS', 'EPERM', 'EXDEV'].includes(code ?? ''))
    throw new CommandError(`${message}.`, { cause: error })
  throw error
}
