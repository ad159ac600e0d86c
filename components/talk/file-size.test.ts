import { expect, test } from 'vitest'
import { formatSize } from './file-size.ts'

test.each([
  [1, '1 byte'],
  [812, '812 bytes'],
  [1024, '1 kB'],
  [49_000, '48 kB'],
  [1024 * 1024 - 1, '1 MB'],
  [1_258_291, '1.2 MB'],
  [10 * 1024 * 1024, '10 MB'],
])('%i bytes are read as %s', (bytes, text) => {
  expect(formatSize(bytes)).toBe(text)
})
