import { expect, test } from 'vitest'
import { findFileKind, findTrouble, MOST_FILE_BYTES, toFileName, toKeptName } from './file-kind.ts'

const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'))
const PNG = '\x89PNG\r\n\x1a\n'

test.each([
  ['pdf', '%PDF-1.7\n'],
  ['png', PNG],
  ['jpeg', '\xff\xd8\xff\xe0'],
  ['webp', 'RIFF\x10\0\0\0WEBPVP8 '],
] as const)('the first bytes say that it is a %s', (kind, beginning) => {
  expect(findFileKind(bytes(beginning))).toBe(kind)
})

test.each([
  ['a page', '<!DOCTYPE html><script>alert(1)</script>'],
  ['a picture that runs', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
  ['a GIF', 'GIF89a'],
  ['a program', 'MZ\x90\0'],
  ['an archive, as office files are', 'PK\x03\x04'],
  ['a PDF behind a page', '<html><!-- %PDF-1.7'],
  ['a PDF behind a blank', ' %PDF-1.7'],
  ['the half of a sign', '\x89PNG'],
  ['another RIFF', 'RIFF\x10\0\0\0WAVEfmt '],
  ['nothing', ''],
])('%s is of no kind that is taken', (_, beginning) => {
  expect(findFileKind(bytes(beginning))).toBeNull()
})

test('what begins as one kind is that kind, whatever else follows', () => {
  expect(findFileKind(bytes('%PDF-1.7\n<script>alert(1)</script>'))).toBe('pdf')
  expect(findFileKind(bytes(`${PNG}<svg onload="alert(1)">`))).toBe('png')
})

test('a file is too large from one byte over 10 MB on, and empty without any', () => {
  const pdf = bytes('%PDF-')
  expect([0, 1, MOST_FILE_BYTES, MOST_FILE_BYTES + 1].map((size) => findTrouble(size, pdf))).toEqual([
    'empty',
    null,
    null,
    'too-large',
  ])
  expect(findTrouble(10, bytes('GIF89a'))).toBe('wrong-kind')
})

test.each([
  ['Rechnung März 2026.pdf', 'Rechnung März 2026.pdf'],
  ['../../etc/passwd', 'passwd'],
  ['C:\\Users\\ana\\bill.pdf', 'bill.pdf'],
  ['/', 'file'],
  ['', 'file'],
  [' .. ', 'file'],
  ['.htaccess', 'htaccess'],
  ['bill\u202efdp.exe', 'billfdp.exe'],
  ['a\u2066b\u2069c\u200fd\ufeffe\u00ad.pdf', 'abcde.pdf'],
  ['a\r\nset-cookie: x\0.pdf', 'a set-cookie: x.pdf'],
  ['a\ud800b.pdf', 'ab.pdf'],
  ['עברית.pdf', 'עברית.pdf'],
  ['<b onclick="x">.png', '<b onclick="x">.png'],
])('the name %j is kept as %j', (given, kept) => {
  expect(toFileName(given)).toBe(kept)
})

test('a long name keeps its ending, and a name has at most 120 characters', () => {
  const long = toFileName(`${'ä'.repeat(500)}.webp`)
  expect([...long]).toHaveLength(120)
  expect(long).toMatch(/ä…\.webp$/)
  expect([...toFileName('😀'.repeat(500))]).toHaveLength(120)
})

test('a browser keeps it under a name that ends as its kind does', () => {
  expect(toKeptName('bill.PDF', 'pdf')).toBe('bill.PDF')
  expect(toKeptName('bill.html', 'pdf')).toBe('bill.html.pdf')
  expect(toKeptName('photo.jpeg', 'jpeg')).toBe('photo.jpeg')
  expect(toKeptName('photo', 'jpeg')).toBe('photo.jpg')
})
