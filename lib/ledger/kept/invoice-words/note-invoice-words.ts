/** Notes what the lines of each invoice say, in short: a search then need not look at all lines. */
import { type Sql, withTenantSql } from '#lib/db/tenant.ts'
import type { ConnectionId } from '#lib/ids.ts'
import type { DecimalText } from '#lib/reconcile/money.ts'
import { type Account, findNextAccount } from '../../apply/next-account.ts'
import { OTHER_AMOUNTS } from '../../conditions/text-conditions.ts'
import { tryHoldAccount } from '../tally/hold-account.ts'
import { LINES_OF_INVOICE, listUnnoted } from './may-say.ts'
import { ALL_TOTALS, toTotalRanges } from './total-ranges.ts'
import { ALL_WORD_BITS, toWordBits, WORD_BITS_VERSION, type WordBits } from './word-bits.ts'

/** Lines per transaction: half a second's work at most, for which a writer may have to wait. */
const BATCH_LINES = 10_000
const BATCH_INVOICES = 1_000

/** An invoice with more lines has nearly all bits: it is noted with all, and not looked at. */
const MOST_LINES = 10_000

/** Stands between two texts, as between the fields of one (lib/ledger/fields/search-text.ts). */
const SEAM = '\u001f'

type Query = <Row extends Record<string, unknown>>(text: string, values: unknown[]) => Promise<Row[]>
type Place = [organizationId: string, connectionId: string, after: string]
type Batch = { noted: number; last: string | null }

/**
 * Notes the invoices of an account that have lines and no note, in batches, until none is left or
 * `signal` fires. Leaves them as they are while another transaction changes lines. Resolves to how
 * many it noted.
 */
export async function noteInvoiceWords(account: Account, signal?: AbortSignal): Promise<number> {
  let noted = 0
  let after: string | null = ''
  while (after !== null && signal?.aborted !== true) {
    const batch: Batch = await noteBatch(account, after)
    noted += batch.noted
    after = batch.last
  }
  return noted
}

/** As `noteInvoiceWords`, for the account after this one, of any organization; null for none. */
export async function noteInvoiceWordsOfNext(
  after: ConnectionId | null,
  signal: AbortSignal,
): Promise<{ connectionId: ConnectionId; noted: number } | null> {
  const account = await findNextAccount(after)
  if (account === null) return null
  return { connectionId: account.connectionId, noted: await noteInvoiceWords(account, signal) }
}

function noteBatch(account: Account, after: string): Promise<Batch> {
  const { organizationId, connectionId } = account
  return withTenantSql(organizationId, async (sql) => {
    // see forget_invoice_words: the statement after the lock sees all that was changed before it
    if (!(await tryHoldAccount(sql, account))) return { noted: 0, last: null }
    const invoices = await readSaid(
      sql,
      listUnnoted('r.organization_id = $1::uuid and r.connection_id = $2::uuid and r.invoice_serial_number > $3'),
      [organizationId, connectionId, after],
    )
    if (invoices.length > 0) await storeNotes(sql, [organizationId, connectionId], invoices)
    return { noted: invoices.length, last: invoices.at(-1)?.serial ?? null }
  })
}

/**
 * Without texts: too many lines. One text is read three times as quickly as a list of them; its
 * seams set a few bits more.
 */
type SaidOfInvoice = {
  serial: string
  lineCount: number
  texts: string | null
  totals: DecimalText[]
  /** Other than zero. */
  otherAmounts: DecimalText[]
}

/** What a line says beside its search text, as a search asks for it. */
const SAID_OF_LINE = `l.search_text || '${SEAM}' || lower(l.currency) || coalesce('${SEAM}' || l.credit_card_last_4_digits, '')`
const AMOUNTS_OF_LINE = `concat_ws(' ', ${OTHER_AMOUNTS.map((amount) => `nullif(${amount}, 0)`).join(', ')})`

/** What the next invoices of these keys say: as many as a batch has lines. */
function readSaid(sql: Query, keys: string, [organizationId, connectionId, after]: Place): Promise<SaidOfInvoice[]> {
  return sql<SaidOfInvoice>(
    `with batch as materialized (
       select serial_number as serial, line_count, sum(line_count) over (order by serial_number) as running
       from (select k.serial_number, ${LINES_OF_INVOICE} as line_count
             from (${keys} order by serial_number limit ${BATCH_INVOICES}) k) next)
     select b.serial, b.line_count as "lineCount", said.texts,
       string_to_array(said.totals, ' ') as totals, string_to_array(said.other_amounts, ' ') as "otherAmounts"
     from batch b left join lateral (
       select string_agg(said, '${SEAM}') as texts, string_agg(total_amount::text, ' ') as totals,
         coalesce(string_agg(nullif(other_amounts, ''), ' '), '') as other_amounts
       from (select ${SAID_OF_LINE} as said, l.total_amount, ${AMOUNTS_OF_LINE} as other_amounts from line l
             where l.organization_id = $1::uuid and l.connection_id = $2::uuid and l.invoice_serial_number = b.serial
             limit ${MOST_LINES + 1}) l
       having count(*) <= ${MOST_LINES}) said on true
     where b.running - b.line_count < ${BATCH_LINES}
     order by b.serial`,
    [organizationId, connectionId, after],
  )
}

/**
 * The invoices of an account whose note says less than their lines: a search would pass them over.
 * Reads all lines, a batch at a time. A note that says more costs time alone.
 */
export async function listNotesThatSayLess(sql: Query, account: [string, string], limit: number): Promise<string[]> {
  const found: string[] = []
  for (let after: string | undefined = ''; after !== undefined && found.length < limit; ) {
    const invoices: SaidOfInvoice[] = await readSaid(
      sql,
      `select r.connection_id, r.serial_number from invoice_words r
       where r.organization_id = $1::uuid and r.connection_id = $2::uuid and r.serial_number > $3
         and r.version = ${WORD_BITS_VERSION}`,
      [...account, after],
    )
    // line by line: which texts stand beside each other, and so what their seams set, is by chance
    const notes = invoices.map((invoice) => toNote(invoice, (texts) => texts.split(SEAM)))
    const less = await sql<{ serial: string }>(
      `select w.serial_number as serial from invoice_words w
       join unnest($3::text[], $4::text[], $5::text[], $6::text[]) n (serial, trigrams, amounts, totals)
         on w.serial_number = n.serial
       where w.organization_id = $1::uuid and w.connection_id = $2::uuid
         and (w.trigrams & n.trigrams::bit(4096) <> n.trigrams::bit(4096)
              or w.amounts & n.amounts::bit(2048) <> n.amounts::bit(2048)
              or not w.totals @> n.totals::int4multirange)
       order by 1`,
      [...account, ...toColumns(notes)],
    )
    found.push(...less.map(({ serial }) => serial))
    after = invoices.at(-1)?.serial
  }
  return found.slice(0, limit)
}

async function storeNotes(sql: Sql, account: readonly string[], invoices: readonly SaidOfInvoice[]): Promise<void> {
  const notes = invoices.map((invoice) => toNote(invoice, (texts) => [texts]))
  await sql(
    `insert into invoice_words (organization_id, connection_id, version, serial_number, line_count, trigrams, amounts, totals)
     select $1::uuid, $2::uuid, $3::smallint, n.serial, n.line_count, n.trigrams::bit(4096), n.amounts::bit(2048),
       n.totals::int4multirange
     from unnest($4::int[], $5::text[], $6::text[], $7::text[], $8::text[]) n (line_count, serial, trigrams, amounts, totals)
     on conflict (organization_id, connection_id, serial_number) do update
     set version = excluded.version, line_count = excluded.line_count, trigrams = excluded.trigrams,
       amounts = excluded.amounts, totals = excluded.totals`,
    [...account, WORD_BITS_VERSION, invoices.map(({ lineCount }) => lineCount), ...toColumns(notes)],
  )
}

type Note = WordBits & { serial: string; totals: string }

function toNote(
  { serial, texts, totals, otherAmounts }: SaidOfInvoice,
  split: (texts: string) => readonly string[],
): Note {
  if (texts === null) return { serial, ...ALL_WORD_BITS, totals: ALL_TOTALS }
  const amounts = [...new Set([...totals, ...otherAmounts])]
  return { serial, ...toWordBits(split(texts), amounts), totals: toTotalRanges(totals) }
}

function toColumns(notes: readonly Note[]): string[][] {
  return (['serial', 'trigrams', 'amounts', 'totals'] as const).map((name) => notes.map((note) => note[name]))
}
