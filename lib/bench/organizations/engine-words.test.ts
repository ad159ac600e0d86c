import { expect, test } from 'vitest'
import { findWords } from './engine-words.ts'

const READY = '{"level":30,"msg":"Ready"}'

test.each([
  ['{"level":50,"reason":"complex joins are not supported","msg":"request failed"}', 'complex joins are not supported'],
  ['{"level":50,"msg":"⨯ error: invalid snapshot: \\"7\\"\\n    at async g"}', 'invalid snapshot: "7"'],
  ['Ready', null],
])('of a log that goes on with %j the words are %j', (line, words) => {
  expect(findWords(`${READY}\n${line}\n`)).toBe(words)
})
