/**
 * `npm run bench -- pivots [--lines 20000] [--questions 1000] [--seed 29]`: random matrices of
 * groups beside DuckDB's answers over the product's own file of lines, and how long they take.
 */
import { parseArgs } from 'node:util'
import { CommandError } from '#lib/cli/run/command-error.ts'
import type { Lifetime } from '#lib/cli/run/lifetime.ts'
import { say } from '#lib/cli/run/terminal.ts'
import { withSystemSql } from '#lib/db/tenant.ts'
import { fillNameLooks } from '#lib/ledger/kept/name-looks/name-looks.ts'
import { fillLedger } from '#lib/world/fill-ledger.ts'
import { openOwnWorld } from '#lib/world/own-world.ts'
import { medianOf } from '#lib/world/process-figures.ts'
import { writeReport } from './bench-report.ts'
import { comparePivots, openLinesFile } from './compare-pivots.ts'
import { toMs } from './desk/desk-answers.ts'
import { percentile95 } from './desk/desk-pages.ts'

const USAGE = 'Usage: npm run bench -- pivots [--lines 20000] [--questions 1000] [--seed 29]'

/** One name in seven is written in a way that nobody can tell from the plain one. */
const SPELL_ODDLY = `
  update line set cost_center = case n % 3 when 0 then cost_center || ' ' when 1 then replace(cost_center, ' ', U&'\\00a0')
      else cost_center || U&'\\200b' end,
    vendor_name = ' ' || vendor_name, traveler_names = array(select each || U&'\\2009' from unnest(traveler_names) each)
  from (select id as odd, row_number() over (order by id) as n from line where organization_id = $1) o
  where organization_id = $1 and id = odd and n % 7 = 0`

/** @throws Error with the question, when an answer is not DuckDB's. */
export async function benchPivots(lifetime: Lifetime, args: string[]): Promise<void> {
  const options = { lines: { type: 'string' }, questions: { type: 'string' }, seed: { type: 'string' } } as const
  const { values } = parseArgs({ args, options })
  const [lines, questions, seed] = [
    Number(values.lines ?? 20_000),
    Number(values.questions ?? 1000),
    Number(values.seed ?? 29),
  ]
  if (!(lines >= 1000 && questions >= 1 && seed >= 0)) throw new CommandError(USAGE)
  const world = await openOwnWorld(lifetime, { account: 'nordlicht', pageSize: 50, workerFlags: [] })
  say(`  ${lines} lines are made`)
  await fillLedger(world, lines)
  await withSystemSql((sql) => sql(SPELL_ODDLY, [world.organizationId]))
  // what was noted of the invoices' words is of the names before
  await withSystemSql((sql) => sql('delete from invoice_words where organization_id = $1', [world.organizationId]))
  await withSystemSql((sql) => fillNameLooks(sql, world.organizationId))
  const duck = await openLinesFile(world.organizationId, 'bench', world.folder)
  say(`  ${questions} pivots`)
  const { asked, cells, rows, ms } = await comparePivots(world.organizationId, duck, { questions, seed })
  duck.closeSync()
  const count = (number: number) => number.toLocaleString('en')
  const figure = (what: string, measured: string) => ({ goal: '–', what, measured, target: '–', isMet: null })
  writeReport({
    subject: 'pivots',
    data: { lines, questions, seed, ms },
    figures: [
      {
        goal: '–',
        what: 'random pivots equal to DuckDB over the file of lines',
        measured: count(asked),
        target: count(questions),
        isMet: asked === questions,
      },
      figure('rows and cells compared', `${count(rows)} and ${count(cells)}`),
      figure('a pivot and its open groups, median', toMs(medianOf(ms))),
      figure('the same, p95', toMs(percentile95(ms))),
    ],
    notes: [
      `${count(lines)} lines made by the database. Keys of rows and columns, measures, filters, days, comparisons and orders at random (seed ${seed}); each question's cells, rows, totals, lines and compared totals are equal to the last digit.`,
    ],
  })
}
