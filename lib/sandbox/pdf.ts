/** A complete one-page PDF 1.4 document with one line of text. */
export function tinyPdf(text: string): Buffer {
  const safe = text.replace(/[\\()]/g, '')
  const content = `BT /F1 18 Tf 72 740 Td (${safe}) Tj ET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  let document = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const offset = document.length
    document += `${index + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const start = document.length
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  document += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries}`
  document += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`
  return Buffer.from(document, 'latin1')
}
