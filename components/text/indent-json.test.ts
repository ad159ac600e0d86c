import fc from 'fast-check'
import { expect, test } from 'vitest'
import { indentJson } from './indent-json.ts'

test('keeps digits and strings as they were written', () => {
  expect(indentJson('{"trip_id":9007199254740993,"a":"0E-8","b":[],"c":[1,{"d":"x, \\"y\\": {"}]}')).toBe(
    '{\n  "trip_id": 9007199254740993,\n  "a": "0E-8",\n  "b": [],\n  "c": [\n    1,\n    {\n      "d": "x, \\"y\\": {"\n    }\n  ]\n}',
  )
})

test('keeps the meaning of any JSON', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(JSON.parse(indentJson(text))).toEqual(JSON.parse(text))
    }),
  )
})
