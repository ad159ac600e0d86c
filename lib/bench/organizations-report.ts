/** The paper of `npm run bench -- organizations`. */
import { medianOf } from '#lib/world/process-figures.ts'
import { rowsOf, writeReport } from './bench-report.ts'
import { toMs } from './desk/desk-answers.ts'
import { percentile95 } from './desk/desk-pages.ts'
import type { Grown } from './organizations/grow.ts'
import type { Measured } from './organizations/measured.ts'

type Sitting = {
  lines: number
  sizes: number[]
  rounds: number
  pageRequests: number
  backfills: { count: number; lines: number }
  /** Until all lines were there, and until the tables of the cluster had their places. */
  fillSeconds: number
  placedSeconds: number | null
  measured: Measured[]
  grown: Grown | null
}

const row = rowsOf('organizations')
const number = (value: number) => Math.round(value).toLocaleString('en')
/** What a cluster of one machine may cost (P19). */
const MOST = 2

export function reportOrganizations(sitting: Sitting): void {
  const { lines, sizes, rounds, pageRequests, backfills, fillSeconds, placedSeconds, measured, grown } = sitting
  writeReport({
    subject: 'organizations',
    data: { ...sitting, measured: measured.map(toRaw) },
    figures: [
      ...measured.flatMap(toSummaryRows),
      ...measured.flatMap(toFileRows),
      ...toPageRows(measured),
      ...measured.flatMap((each) => toBackfillRows(each, backfills.count)),
      ...(grown === null ? [] : toGrownRows(grown)),
      ...measured.flatMap(toRefusalRows),
    ],
    notes: [
      `${number(lines)} lines over ${sizes.length} organizations: ${sizes.slice(0, 4).map(number).join(', ')} … ${number(sizes.at(-1) ?? 0)}; the largest has a fifth, half of the organizations have ${Math.round((100 * sum(sizes.slice(sizes.length / 2))) / lines)} %. Made by the database in ${fillSeconds.toFixed(0)} s, without their records as sent.${placedSeconds === null ? '' : ` The one PostgreSQL is the coordinator, before \`npm run migrate -- --citus\` gave the tables their places with all that was in them, in ${placedSeconds.toFixed(0)} s.`}`,
      'One machine: on both engines the database, on the cluster a coordinator and two nodes, shares two cores with web server, workers, platform and who asks. The cluster shows what it costs, and not what more machines give. Other programs kept the same cores busy (the load says how much). Both engines are the same PostgreSQL of Debian with the same settings, and what is written need not reach the disk (fsync off).',
      `Before a time counts, each answer has the cells of DuckDB, and the file the cells of \`psql\`, in the same order, on both engines. Medians of ${rounds} in turn; pages ${pageRequests} times each, by people of the organizations named: the largest one's all of them, the others' those without a question.`,
      `Backfills: ${backfills.count} organizations connect an account of ${number(backfills.lines)} lines at once; two workers; the platform has no budget here.`,
      ...(grown === null
        ? ['No shards were moved.']
        : [
            'Growing: while those who read go on through all pages that were whole before, and all who connected sync again and again (changes and everything in turn, lines that are new and changed at the platform each time, two new organizations each time), an operator moves shards one after another. Then everybody reads everything once more, and all is compared.',
          ]),
    ],
  })
}

const sum = (values: readonly number[]) => values.reduce((total, each) => total + each, 0)

function toSummaryRows({ engine, summaries: { answers, refused } }: Measured) {
  if (answers.length === 0) return []
  const ratios = answers.map(({ ours, duck }) => medianOf(ours) / medianOf(duck))
  const worst = answers[ratios.indexOf(Math.max(...ratios))]
  const times = answers.map(({ ours }) => medianOf(ours))
  return [
    row(
      `P3, ${engine}: summaries of the largest organization against DuckDB, equal first`,
      `${answers.length} of ${answers.length + refused.size}: ${toMs(Math.min(...times))} to ${toMs(Math.max(...times))}; median ${medianOf(ratios).toFixed(2)}x of its time, at most ${Math.max(...ratios).toFixed(2)}x (${worst?.question.name})`,
    ),
  ]
}

function toFileRows({ engine, file: { ours, copies } }: Measured) {
  if (ours.length === 0) return []
  const [mine, theirs] = [medianOf(ours.map(({ seconds }) => seconds)), medianOf(copies)]
  return [
    row(
      `P5, ${engine}: file of the largest organization against \`psql \\copy\`, equal first`,
      `${(theirs / mine).toFixed(2)}x of its speed (${mine.toFixed(2)} s against ${theirs.toFixed(2)} s); first byte ${toMs(medianOf(ours.map(({ firstByteMs }) => firstByteMs)))}`,
    ),
  ]
}

/** p95 of all answers by the reader; slower than on one PostgreSQL by how much, page by page. */
function toPageRows(measured: Measured[]) {
  const [plain, cluster] = measured as [Measured, Measured | undefined]
  return [...plain.pages].flatMap(([reader, { times: ofPlain }]) => {
    const ofCluster = cluster?.pages.get(reader)?.times
    // the same pages on both: what one refuses is in neither figure
    const names = [...ofPlain.keys()].filter((name) => ofCluster?.has(name) ?? true)
    const p95 = (times: Map<string, number[]>) => percentile95(names.flatMap((name) => times.get(name) ?? []))
    if (names.length === 0) return []
    if (ofCluster === undefined) return [row(`pages of ${reader}: p95`, toMs(p95(ofPlain)))]
    const ratioOf = (name: string) => medianOf(ofCluster.get(name) ?? []) / medianOf(ofPlain.get(name) ?? [])
    const slowest = names.toSorted((a, b) => ratioOf(b) - ratioOf(a))[0] as string
    const ratio = p95(ofCluster) / p95(ofPlain)
    const median = medianOf(names.map(ratioOf))
    return [
      row(
        `P19, pages of ${reader}: p95 on PostgreSQL and on Citus, of ${names.length} that are whole on both`,
        `${toMs(p95(ofPlain))}, ${toMs(p95(ofCluster))}: ${ratio.toFixed(2)}x; by page, medians: ${median.toFixed(2)}x, at most ${ratioOf(slowest).toFixed(2)}x (${slowest})`,
        `<= ${MOST}x`,
        ratio <= MOST,
      ),
    ]
  })
}

function toBackfillRows({ engine, backfills: { seconds, ended, runs, figures } }: Measured, count: number) {
  const isCompared = /^\d+$/.test(figures)
  return [
    row(
      `${engine}: first backfills of ${count} organizations at once`,
      `${seconds.toFixed(0)} s, ${number(runs.lines / seconds)} lines a second; ${toCounts(ended)}`,
      `all succeeded`,
      runs.succeeded === count,
    ),
    row(
      `${engine}: lines that are there, and that the platform has`,
      `${number(runs.lines)}, ${number(runs.stated)}`,
      'equal',
      runs.lines === runs.stated,
    ),
    row(
      `${engine}: kept figures of three of them that differ from their records`,
      isCompared ? figures : `not compared: ${figures}`,
      '0',
      isCompared ? figures === '0' : null,
    ),
  ]
}

function toGrownRows({ moves, readings, synced, compared, different, places }: Grown) {
  const good = readings.filter(({ said }) => said === '')
  const failed = readings.filter(({ said }) => said !== '')
  const slowestWithin = (began: number, ended: number) => {
    const within = good.filter(({ at, ms }) => at >= began && at - ms <= ended)
    return within.toSorted((a, b) => b.ms - a.ms)[0]
  }
  const [from, to] = [Math.min(...moves.map(({ began }) => began)), Math.max(...moves.map(({ ended }) => ended))]
  const before = good.filter(({ at }) => at < from).map(({ ms }) => ms)
  const during = good.filter(({ at }) => at >= from && at <= to).map(({ ms }) => ms)
  const slowest = slowestWithin(from, to)
  return [
    ...moves.map(({ what, began, ended, refused }) => {
      const page = slowestWithin(began, ended)
      const meanwhile = page === undefined ? '' : `; slowest page ${toMs(page.ms)}`
      return row(
        `growing: ${what}`,
        refused === null ? `${((ended - began) / 1000).toFixed(1)} s${meanwhile}` : `refused: ${refused}`,
        'moved',
        refused === null,
      )
    }),
    row('growing: where shards stand, before and after', places.join('; then ')),
    row(
      'growing: pages while nothing moves, and while shards move',
      `p95 ${toMs(percentile95(before.length === 0 ? [0] : before))} of ${before.length}, p95 ${toMs(percentile95(during.length === 0 ? [0] : during))} of ${during.length}`,
    ),
    row(
      'growing: the slowest page meanwhile',
      slowest === undefined ? 'none' : `${toMs(slowest.ms)} (${slowest.page}, ${slowest.reader})`,
    ),
    row(
      'growing: pages that failed',
      `${failed.length} of ${readings.length}${failed.length === 0 ? '' : `: ${toCounts(countBy(failed.map(({ said }) => said)))}`}`,
      '0',
      failed.length === 0,
    ),
    row(
      `growing: syncs of ${compared.accounts} organizations in ${synced.waves} waves, by how they ended`,
      toCounts(synced.ended),
      'all succeeded',
      Object.keys(synced.ended).every((status) => status === 'succeeded'),
    ),
    row(
      'growing: lines of the platform that are not there, that are there twice, that have an old text',
      `${compared.lost}, ${compared.twice}, ${compared.old} of ${number(compared.lines)}`,
      '0',
      compared.lost + compared.twice + compared.old === 0,
    ),
    row(
      'growing: organizations that nobody syncs, whose lines are others than before',
      `${different}`,
      '0',
      different === 0,
    ),
  ]
}

/** Each refusal once, with how many met it. */
function toRefusalRows({ engine, summaries, file, pages }: Measured) {
  const refusals = [
    ...[...summaries.refused].map(([name, words]) => ({ name: `summary "${name}"`, words })),
    ...(file.refused === null ? [] : [{ name: 'the file of lines', words: file.refused }]),
    ...[...pages.values()].flatMap(({ refused }) => [...refused].map(([name, words]) => ({ name, words }))),
  ]
  const byWords = new Map<string, Set<string>>()
  for (const { name, words } of refusals) byWords.set(words, (byWords.get(words) ?? new Set()).add(name))
  return [...byWords].map(([words, names]) =>
    row(`${engine} refuses: ${[...names].join('; ')}`, words.replaceAll('|', '\\|'), 'nothing', false),
  )
}

function countBy(values: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1
  return counts
}

function toCounts(counts: Record<string, number>): string {
  return Object.entries(counts)
    .map(([what, count]) => `${what} ${count}`)
    .join(', ')
}

function toRaw({ pages, summaries, ...rest }: Measured) {
  return {
    ...rest,
    summaries: {
      refused: Object.fromEntries(summaries.refused),
      answers: summaries.answers.map(({ question, ...times }) => ({ name: question.name, ...times })),
    },
    pages: Object.fromEntries(
      [...pages].map(([reader, { times, refused }]) => [
        reader,
        { times: Object.fromEntries(times), refused: Object.fromEntries(refused) },
      ]),
    ),
  }
}
