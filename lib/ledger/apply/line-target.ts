import { toKeptReasons } from '#lib/reconcile/reason.ts'
import { LINE_FIELDS, type ProvedLine } from '#lib/reconcile/records.ts'
import { PROOF_FIELDS } from '../fields/line-fields.ts'
import { toStagedColumns } from '../fields/record-columns.ts'
import { toSearchText } from '../fields/search-text.ts'
import { toApplyTarget } from './apply-target.ts'
import { PROOF_VERSION } from './proof-version.ts'

/** How each column of the proof is filled. */
const PROOF_VALUES: { [Name in keyof typeof PROOF_FIELDS]: (line: ProvedLine) => unknown } = {
  expectedTotal: ({ proof }) => proof.expectedTotal,
  difference: ({ proof }) => proof.difference,
  expectedTax: ({ proof }) => proof.expectedTax,
  taxDifference: ({ proof }) => proof.taxDifference,
  findingCodes: ({ proof }) => proof.findings.map(({ code }) => code),
  noteCodes: ({ notes }) => notes,
  explainedCodes: ({ explanations }) => toKeptReasons(explanations)?.explained ?? null,
  reasonCodes: ({ explanations }) => toKeptReasons(explanations)?.reasons ?? null,
}

/** Where proved lines are written. */
export const LINES = toApplyTarget<ProvedLine>({
  table: 'line',
  key: 'id',
  keyOf: (line) => line.id,
  textHashOf: (line) => line.textHash,
  namesOf: ({ costCenter, vendorName, bookerName, travelerNames, labels }) =>
    [costCenter, vendorName, bookerName, ...travelerNames, ...labels].filter((name) => name !== null),
  compared: ['content_hash', 'text_hash', 'proof_version'],
  columns: [
    ...toStagedColumns(LINE_FIELDS, (name) => (line: ProvedLine) => line[name]),
    { name: 'content_hash', type: 'text', value: (line) => line.contentHash },
    { name: 'text_hash', type: 'bytea', value: (line) => line.textHash },
    { name: 'proof_version', type: 'smallint', value: () => PROOF_VERSION },
    ...toStagedColumns(PROOF_FIELDS, (name) => PROOF_VALUES[name]),
    { name: 'search_text', type: 'text', value: toSearchText },
  ],
  // only the panel, history and re-parse read it
  apart: {
    table: 'line_payload',
    key: 'line_id',
    column: 'raw',
    textOf: (line) => line.raw,
  },
})
