import { parseArgs } from 'node:util'
import { withSystemSql } from '#lib/db/tenant.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import {
  compareFigures,
  type FigureDifference,
  isHistory,
  listFigureKinds,
  repairFigures,
} from '#lib/ledger/kept/compare-figures.ts'
import { toOperator } from './people-parts.ts'
import { CommandError } from './run/command-error.ts'
import type { Lifetime } from './run/lifetime.ts'
import { bold, dim, green, red, say } from './run/terminal.ts'

const USAGE = 'Usage: npm run doctor -- figures [--connection <id>] [--repair]'

type Account = { organizationId: OrganizationId; id: ConnectionId; name: string }

/**
 * Compares every kept figure of every account, or of one, with its records, while the product runs.
 * Names each that differs, with both values; with `--repair` makes those of its account anew.
 * @returns the exit code: 1 while a figure is wrong.
 * @throws CommandError for a wrong call.
 */
export async function lookAtFigures(lifetime: Lifetime, args: string[]): Promise<number> {
  const { connection, repair } = parse(args)
  const accounts = await listAccounts(connection)
  if (accounts.length === 0) throw new CommandError('There is no such connection.', { exitCode: 2 })
  let wrong = 0
  for (const account of accounts) {
    lifetime.signal.throwIfAborted()
    const differences = await compareFigures(account.organizationId, account.id)
    sayAccount(account, differences)
    if (differences.length === 0) continue
    const history = differences.filter(isHistory)
    wrong += repair ? history.length : differences.length
    if (!repair) continue
    if (history.length < differences.length) {
      await repairFigures(account.organizationId, account.id, toOperator('doctor'), differences)
      say(`      ${green('made anew from its records, with an entry in the audit')}`)
    }
    if (history.length > 0) say(`      ${red('what lines were in the past stays as it is: nobody makes history anew')}`)
  }
  const kinds = await withSystemSql(listFigureKinds)
  say(
    `${accounts.length} ${accounts.length === 1 ? 'account' : 'accounts'}, ${kinds.length} kinds of figures: ${wrong} wrong`,
  )
  if (wrong > 0 && !repair) say(dim('`npm run doctor -- figures --repair` makes the figures of these accounts anew.'))
  return wrong === 0 ? 0 : 1
}

function parse(args: string[]): { connection: string | undefined; repair: boolean } {
  try {
    const { values } = parseArgs({ args, options: { connection: { type: 'string' }, repair: { type: 'boolean' } } })
    return { connection: values.connection, repair: values.repair ?? false }
  } catch {
    throw new CommandError(USAGE, { exitCode: 2 })
  }
}

function listAccounts(id: string | undefined): Promise<Account[]> {
  return withSystemSql((sql) =>
    sql<Account>(
      `select organization_id as "organizationId", id, coalesce(name, platform_name, 'an account without a name') as name
       from connection where $1::text is null or id::text = $1 order by organization_id, created_at`,
      [id ?? null],
    ),
  )
}

function sayAccount({ id, name }: Account, differences: readonly FigureDifference[]): void {
  const mark = differences.length === 0 ? green('✓') : red('✗')
  say(`  ${mark} ${name} ${dim(`(${id})`)}${differences.length === 0 ? '' : ':'}`)
  for (const { name: kind, key, kept, computed } of differences)
    say(`      ${bold(kind)} ${key}: kept ${kept ?? 'nothing'}, records come to ${computed ?? 'nothing'}`)
}
