import fc from 'fast-check'
import { expect, test } from 'vitest'
import { writeMark } from './row-mark.ts'
import { createRowList, createRowWriter } from './staged-rows.ts'

const STAGE = {
  table: 'staged_for_a_test',
  columns: [{ name: 'text', type: 'text', value: (text: string) => text }],
  isMarked: true as const,
}
const LARGEST_INTEGER = 2 ** 31 - 1

test('every mark is written into its own row, and leaves what the row carries alone', () => {
  const row = fc.record({
    text: fc.stringMatching(/^[a-zé]{0,20}$/),
    part: fc.oneof(fc.integer({ min: 0, max: 500 }), fc.integer({ min: 0, max: LARGEST_INTEGER })),
    isNew: fc.option(fc.boolean(), { nil: undefined }),
    isTaken: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 20 }), (rows) => {
      const writer = createRowWriter(STAGE)
      for (const { text } of rows) writer.add(text)
      const staged = writer.end()
      const list = createRowList()
      for (const [at, { isTaken, ...mark }] of rows.entries()) {
        if (!isTaken) continue
        writeMark(staged.bytes, staged.ends[at] as number, mark)
        list.add(staged, at)
      }
      const lines = Buffer.concat(list.end()).toString().split('\n').slice(0, -1)
      const read = lines.map((line) => line.split('\t')).map(([text, part, isNew]) => [text, Number(part), isNew])
      const taken = rows.filter(({ isTaken }) => isTaken)
      expect(read).toEqual(taken.map(({ text, part, isNew }) => [text, part, isNew === true ? 't' : 'f']))
    }),
  )
})
