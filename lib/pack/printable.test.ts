import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makePdf } from './make-pdf.ts'
import { toPrintable, toPrintableData } from './printable.ts'

test('every sign that is let through has a shape in the document’s typeface', async () => {
  const all = Array.from({ length: 0x3000 }, (_, code) => String.fromCodePoint(code))
  const shown = all.filter((sign) => toPrintable(`a${sign}b`) === `a${sign}b`)
  expect(shown.length).toBeGreaterThan(900)
  const folder = await mkdtemp(join(tmpdir(), 'tieout-printable-'))
  try {
    const facts = [['All', shown.join('')]]
    const empty = {
      totals: [],
      signatures: [],
      findings: [],
      findingCount: 0,
      invoiceFindings: [],
      notImported: [],
      notImportedCount: 0,
      invoices: [],
      invoiceCount: 0,
    }
    const said = {
      title: 'All',
      organization: 'All',
      seal: 'a'.repeat(64),
      keyword: `tieout-sha256:${'0'.repeat(64)}`,
      made: '',
      fileName: 'x',
      checkerLines: 1,
    }
    await writeFile(join(folder, 'x'), '')
    const document = { ...empty, ...said, facts, attached: [], files: [] }
    expect((await makePdf(folder, document, new Date(0), new AbortController().signal)).length).toBeGreaterThan(1000)
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('a box stands for what the typeface lacks, also deep in plain data', () => {
  expect(toPrintable('Zoë  \u1680 日本 𝒳\u0301 e\u0301\n=1')).toBe('Zoë □□ □□ é =1')
  expect(toPrintableData({ a: [{ b: 'שלום' }], c: 1, d: null })).toEqual({ a: [{ b: '□□□□' }], c: 1, d: null })
})
