import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isSameContent, toCanonicalText } from './canonical-text.ts'
import { JsonError } from './json-error.ts'
import { parseLossless, parseOrNull } from './parse.ts'
import { sliceRecords } from './slice-records.ts'
import { isJsonObject, type JsonValue, NumberText } from './value.ts'

/** What a body says, if slicing works or throws a body error; anything else fails the test. */
function sliceOrNull(text: string) {
  try {
    return sliceRecords(text, 'invoice_lines')
  } catch (thrown) {
    if (thrown instanceof JsonError) return null
    throw thrown
  }
}

const numberTexts = fc.stringMatching(/^-?(0|[1-9]\d{0,40})(\.\d{1,40})?([eE][+-]?\d{1,3})?$/)

describe('parseLossless', () => {
  test('F24: keeps every digit of any number', () => {
    fc.assert(
      fc.property(numberTexts, (digits) => {
        expect(parseLossless(`{"a":[${digits}, ${digits}]}`)).toEqual({
          a: [new NumberText(digits), new NumberText(digits)],
        })
        expect(parseLossless(digits)).toEqual(new NumberText(digits))
      }),
      { numRuns: 1000 },
    )
    // alone: other numbers a double cannot hold would save it
    expect(parseLossless('[9007199254740993]')).toEqual([new NumberText('9007199254740993')])
    expect(parseLossless('[9007199254740993,20.10,-0,1E-8]')).toEqual(
      ['9007199254740993', '20.10', '-0', '1E-8'].map((digits) => new NumberText(digits)),
    )
  })

  test('F24: keeps every digit of a few members, whatever their names, spaces and neighbors', () => {
    const digits = fc.constantFrom('1', '1.0', '10', '1e0', '-0', '-7', '0', '1234567890123456', '9007199254740993')
    const name = fc.constantFrom('a', 'ba', 'a b', '\\"a', '\\\\', '__proto__')
    const value = fc.oneof(digits, fc.constantFrom('"a"', '":1,"', '"\\"a\\":1,"', '[1.0]', '{"a":1}', '{"a":1.0}'))
    const member = fc.tuple(name, fc.constantFrom(':', ': ', ' :', ' : '), value, fc.constantFrom('', ' ', '\n'))
    fc.assert(
      fc.property(fc.array(member, { minLength: 1, maxLength: 5 }), (members) => {
        const text = `{${members.map(([key, colon, written, end]) => `"${key}"${colon}${written}${end}`).join(',')}}`
        // the fraction before it sends the same text through the parser that reads digit by digit
        const [, expected] = parseLossless(`[0.5,${text}]`) as JsonValue[]
        expect(toCanonicalText(parseLossless(text))).toBe(toCanonicalText(expected as JsonValue))
      }),
      { numRuns: 5000 },
    )
  })

  test('agrees with JSON.parse on any JSON except numbers', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        const text = JSON.stringify(value)
        expect(toCanonicalText(parseLossless(text))).toBe(toCanonicalText(toNumberTexts(JSON.parse(text))))
      }),
    )
  })

  test('A19: a __proto__ key is inert data, also as a number', () => {
    const parsed = parseLossless('{"__proto__":{"isAdmin":true},"a":{"__proto__":1},"b":{"__proto__":1.50}}')
    expect(({} as Record<string, unknown>).isAdmin).toBeUndefined()
    expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype)
    expect(toCanonicalText(parsed)).toBe('{"__proto__":{"isAdmin":true},"a":{"__proto__":1},"b":{"__proto__":1.50}}')
  })

  test('takes the last of repeated keys, fast or slow', () => {
    expect(parseLossless('{"a":1,"a":2}')).toEqual({ a: new NumberText('2') })
    expect(parseLossless('{"a":1.0,"a":"x"}')).toEqual({ a: 'x' })
  })

  test('F22: refuses a depth bomb, fast or slow, without overflowing', () => {
    for (const bomb of [
      '['.repeat(1_000_000),
      `[1.5,${'['.repeat(1_000_000)}`,
      `${'{"a":'.repeat(100)}1${'}'.repeat(100)}`,
    ]) {
      expect(() => parseLossless(bomb)).toThrow(JsonError)
    }
    expect(() => parseLossless(`${'['.repeat(64)}1.5${']'.repeat(64)}`)).not.toThrow()
    expect(() => parseLossless(`${'['.repeat(64)}1${']'.repeat(64)}`)).not.toThrow()
  })

  test('refuses what JSON.parse refuses', () => {
    for (const text of [
      '',
      '{',
      '{"a"}',
      '[1,]',
      '01',
      '01.0',
      'nul',
      '1 2',
      '1.0 2',
      '{"a":1,}',
      '{"a":1.0,}',
      '"\\x"',
      "{'a':1}",
    ]) {
      expect(() => parseLossless(text), text).toThrow(JsonError)
      expect(parseOrNull(text), text).toBeNull()
    }
  })

  test('throws only JSON errors, whose messages quote nothing of the text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        try {
          parseLossless(text)
        } catch (thrown) {
          expect(thrown).toBeInstanceOf(JsonError)
          expect((thrown as Error).message).toMatch(/^JSON is (cut off after \d+ characters|broken .*|nested .*)$/)
        }
      }),
    )
    expect(() => parseLossless('{"access_token":"secret')).toThrow('JSON is cut off after 23 characters')
  })
})

describe('sliceRecords', () => {
  const page = '{ "total": "3", "offset":0,\n"invoice_lines" : [ {"a": 1.50} ,{"b":"]}\\\\\\"{["}, 7 ], "limit":10 }'

  test('cuts records out byte for byte and reads the members around them', () => {
    expect(sliceRecords(page, 'invoice_lines')).toEqual({
      envelope: { total: '3', offset: new NumberText('0'), limit: new NumberText('10') },
      records: ['{"a": 1.50}', '{"b":"]}\\\\\\"{["}', '7'],
    })
    expect(sliceRecords('{"invoice_lines":[]}', 'invoice_lines').records).toEqual([])
    expect(sliceRecords('{"invoice\\u005flines":[1]}', 'invoice_lines').records).toEqual(['1'])
  })

  test('returns the source text of any records, in order', () => {
    const anyRecords = fc.array(fc.jsonValue({ maxDepth: 5 }))
    const anySpace = fc.string({ unit: fc.constantFrom(' ', '\n', '\t', '\r'), maxLength: 2 })
    fc.assert(
      fc.property(anyRecords, anySpace, fc.nat({ max: 4 }), (values, space, indent) => {
        const records = values.map((value) => JSON.stringify(value, null, indent))
        const text = `${space}{${space}"total":${space}1${space},"invoice_lines"${space}:[${space}${records.join(`${space},${space}`)}${space}]}${space}`
        expect(sliceRecords(text, 'invoice_lines').records).toEqual(records)
      }),
    )
  })

  test('F22: refuses a body cut off anywhere', () => {
    for (let length = 0; length < page.length; length++)
      expect(sliceOrNull(page.slice(0, length)), `${length}`).toBeNull()
  })

  test.each([
    ['no list', '{"total":0}'],
    ['a list under another name', '{"lines":[]}'],
    ['a list that is null', '{"invoice_lines":null}'],
    ['two lists', '{"invoice_lines":[],"invoice_lines":[1]}'],
    ['a bare array', '[]'],
    ['HTML', '<html>{"invoice_lines":[]}</html>'],
    ['text after the end', '{"invoice_lines":[]}]'],
    ['brackets that do not match', '{"invoice_lines":[{"a":[}]}]}'],
    ['a record closed by the wrong bracket', '{"invoice_lines":[{"a":1]]}'],
    ['an element too few', '{"invoice_lines":[1,]}'],
    ['nothing', ''],
    ['a depth bomb', `{"invoice_lines":[${'['.repeat(100_000)}`],
  ])('F22: refuses a body with %s', (_name, text) => {
    expect(() => sliceRecords(text, 'invoice_lines')).toThrow(JsonError)
  })

  test('throws only JSON errors on mutated bodies', () => {
    fc.assert(
      fc.property(
        fc.nat({ max: page.length }),
        fc.nat({ max: 5 }),
        fc.string({ maxLength: 4 }),
        (at, removed, added) => {
          sliceOrNull(page.slice(0, at) + added + page.slice(at + removed))
        },
      ),
      { numRuns: 2000 },
    )
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        (text) => sliceOrNull(text) === null || text.includes('invoice_lines'),
      ),
    )
  })
})

test('content ignores key order and white space, but not a changed digit', () => {
  expect(isSameContent('{"b":[1.50,"x"],"a":null}', '{ "a": null, "b": [ 1.50, "x" ] }')).toBe(true)
  expect(isSameContent('{"a":1.5}', '{"a":1.50}')).toBe(false)
  expect(isSameContent('{"a":"1"}', '{"a":1}')).toBe(false)
})

test('the canonical text is JSON of the same value', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(JSON.parse(toCanonicalText(parseLossless(text)))).toEqual(JSON.parse(text))
    }),
  )
})

function toNumberTexts(value: unknown): JsonValue {
  if (typeof value === 'number') return new NumberText(JSON.stringify(value))
  if (Array.isArray(value)) return value.map(toNumberTexts)
  if (!isJsonObject(value)) return value as JsonValue
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, toNumberTexts(member)]))
}
