import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ERROR_CATALOG, OperationalError, toOperationalError } from './errors.ts'

const document = readFileSync(new URL('../docs/errors.md', import.meta.url), 'utf8')

/** The sections of docs/errors.md: code, quoted text, and how "Tried again by itself" begins. */
const sections = document
  .split(/^## /m)
  .slice(1)
  .map((section) => ({
    code: section.slice(0, section.indexOf('\n')),
    text: /^> (.*)$/m.exec(section)?.[1],
    again: /^Tried again by itself: (yes|no)/m.exec(section)?.[1],
    advice: section.trim().split('\n').at(-1),
  }))

test('docs/errors.md has one section per code of the catalog, in the same order and words', () => {
  expect(sections.map(({ code, text }) => ({ code, text }))).toEqual(
    Object.entries(ERROR_CATALOG).map(([code, { text }]) => ({ code, text })),
  )
})

test('docs/errors.md says of each code whether the program tries again', () => {
  // retried within the run; then the run itself ends
  const endsTheRun = ['sync-incomplete']
  // a person asked, and asks again
  const byHand = [
    'attachments-unavailable',
    'database-slow',
    'decision-under-way',
    'export-busy',
    'export-too-slow',
    'lake-busy',
    'lake-store',
  ]
  for (const { code, again, advice } of sections) {
    const { retryable } = ERROR_CATALOG[code as keyof typeof ERROR_CATALOG]
    expect({ code, again }).toEqual({
      code,
      again: retryable && ![...endsTheRun, ...byHand].includes(code) ? 'yes' : 'no',
    })
    expect(advice).not.toMatch(/^(>|Tried again)/)
  }
})

test('the text for people is the catalog’s and never the message', () => {
  const error = new OperationalError('partner-throttled', 'GET https://partner.example answered 429')
  expect(error.userText).toBe(ERROR_CATALOG['partner-throttled'].text)
  expect(error.retryable).toBe(true)
})

test('anything thrown becomes an operational error that keeps its cause', () => {
  const thrown = new TypeError('x is not a function')
  const error = toOperationalError(thrown)
  expect(error).toMatchObject({ code: 'internal', cause: thrown })
  expect(toOperationalError(error)).toBe(error)
  expect(toOperationalError('plain text')).toMatchObject({ code: 'internal', message: 'plain text' })
})
