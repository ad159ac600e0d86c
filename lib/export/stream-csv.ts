import type { Actor } from '#lib/audit/model.ts'
import type { OrganizationId, UserId } from '#lib/ids.ts'
import { openCloseFile } from '#lib/ledger/close/close-file.ts'
import { parseCloseQuery, writeCloseQuery } from '#lib/ledger/close/close-query.ts'
import { findLastMonth } from '#lib/ledger/close/read-close.ts'
import { GROUP_QUERY } from '#lib/ledger/query/group-query.ts'
import { INVOICE_QUERY } from '#lib/ledger/query/invoice-query.ts'
import { LINE_QUERY, readAs } from '#lib/ledger/query/line-query.ts'
import { MATRIX_QUERY, toMatrixQuery } from '#lib/ledger/query/matrix-query.ts'
import type { RawSearchParams } from '#lib/ledger/query/search-params.ts'
import { openGroupExport } from '#lib/ledger/read/export-groups.ts'
import { openInvoiceExport } from '#lib/ledger/read/export-invoices.ts'
import { openLineExport } from '#lib/ledger/read/export-lines.ts'
import { openMatrixExport } from '#lib/ledger/read/matrix/matrix-cursor.ts'
import type { BatchCursor, CursorReader } from '#lib/ledger/sql/tenant-cursor.ts'
import { GROUP_KEYS } from '#lib/reconcile/group-keys.ts'
import { LIST_FILE, openAudited } from './audited-file.ts'
import { CLOSE_COLUMNS } from './close-columns.ts'
import { type CsvKind, type CsvWriter, createCsvWriter } from './csv.ts'
import { type FileEnd, toCsvStream } from './csv-stream.ts'
import { toFileSubject } from './file-name.ts'
import { toGroupColumns } from './group-columns.ts'
import { INVOICE_COLUMNS } from './invoice-columns.ts'
import { LINE_COLUMNS } from './line-columns.ts'
import { createMatrixWriter, MATRIX_COLUMNS } from './matrix-csv.ts'
import { createRawCsvWriter } from './raw-csv.ts'

type ListOfFile<Query, Batch extends { length: number }> = {
  name: string
  /** `now`: what an address that names no month means. */
  parse: (raw: RawSearchParams, now: Date) => Query
  write: (query: Query) => string
  open: (organizationId: OrganizationId, reader: CursorReader, query: Query) => Promise<BatchCursor<Batch>>
  /** Every column the file can have, in order (docs/csv.md). */
  columns: readonly { name: string; kind: CsvKind }[]
  toWriter: (query: Query) => CsvWriter<Batch>
}

/** Who takes a file, and how their organization reads names. */
type Reader = { organizationId: OrganizationId; userId: UserId; foldsNames: boolean }

const LINE_FIELDS = LINE_COLUMNS.map(({ field }) => field)
const LINE_WRITER = createRawCsvWriter(LINE_COLUMNS)

/** What an address that names no columns is answered with. */
const OF_MONTHS = { ...MATRIX_QUERY.empty, across: 'month' as const }

/** The lists that can be downloaded, by the name in the file's address. */
export const CSV_FILES = {
  lines: toCsvFile({
    name: 'lines',
    ...LINE_QUERY,
    open: (organizationId, reader, query) => openLineExport(organizationId, reader, query, LINE_FIELDS),
    columns: LINE_COLUMNS,
    toWriter: () => LINE_WRITER,
  }),
  invoices: toCsvFile({
    name: 'invoices',
    ...INVOICE_QUERY,
    open: openInvoiceExport,
    columns: INVOICE_COLUMNS,
    toWriter: () => createCsvWriter(INVOICE_COLUMNS),
  }),
  groups: toCsvFile({
    name: 'groups',
    ...GROUP_QUERY,
    open: openGroupExport,
    columns: toGroupColumns(GROUP_KEYS),
    toWriter: ({ by }) => createCsvWriter(toGroupColumns(by)),
  }),
  matrix: toCsvFile({
    name: 'matrix',
    ...MATRIX_QUERY,
    open: (organizationId, reader, query) =>
      openMatrixExport(organizationId, reader, toMatrixQuery(query) ?? OF_MONTHS),
    columns: MATRIX_COLUMNS,
    toWriter: (query) => createMatrixWriter((toMatrixQuery(query) ?? OF_MONTHS).across),
  }),
  close: toCsvFile({
    name: 'close',
    parse: (raw, now) => ({ ...parseCloseQuery(raw), until: findLastMonth(parseCloseQuery(raw), now) }),
    write: (query) => writeCloseQuery({ ...query, chosen: null }),
    open: (organizationId, _, query) => openCloseFile(organizationId, query),
    columns: CLOSE_COLUMNS,
    toWriter: () => createCsvWriter(CLOSE_COLUMNS),
  }),
}

export type CsvFileName = keyof typeof CSV_FILES

export function isCsvFile(name: string): name is CsvFileName {
  return Object.hasOwn(CSV_FILES, name)
}

function toCsvFile<Query, Batch extends { length: number }>({
  name,
  parse,
  write,
  open,
  columns,
  toWriter,
}: ListOfFile<Query, Batch>) {
  /**
   * All filtered rows as CSV, in the list's order, ignoring the query's page. The query has started
   * when the promise resolves: earlier failures are ordinary errors, later ones break the stream. A
   * stream that is neither read nor canceled ends with the reader's signal, or by its limits.
   * @throws OperationalError `export-busy`; Error when the database cannot answer.
   */
  const stream = async (
    organizationId: OrganizationId,
    reader: CursorReader,
    query: Query,
    onEnd?: (end: FileEnd) => Promise<void>,
  ) => toCsvStream(await open(organizationId, reader, query), toWriter(query), { onEnd })
  return {
    columns: columns.map(({ name, kind }) => ({ name, kind })),
    stream,
    /** What the file of an address is called, without the day: `lines-2026-09-EUR`. */
    subjectOf: (raw: RawSearchParams, now: Date) => toFileSubject(name, write(parse(raw, now))),
    /** As `stream`, by the query of an address, for somebody who takes it away: audited. */
    streamOf: (
      { organizationId, userId, foldsNames }: Reader,
      raw: RawSearchParams,
      actor: Actor,
      { signal, now }: { signal: AbortSignal; now: Date },
    ) => {
      const query = readAs({ foldsNames }, parse(raw, now) as Query & object)
      const asked = { format: 'csv', filters: write(query) }
      const file = { actor, asked, actions: LIST_FILE, subject: { kind: 'file', name } }
      return openAudited(organizationId, file, (onEnd) => stream(organizationId, { userId, signal }, query, onEnd))
    },
  }
}
