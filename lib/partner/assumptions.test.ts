/** docs/assumptions.md and the code that cites its numbers agree. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The sections of docs/assumptions.md, by number, with whether anything relies on them yet. */
const sections = readFileSync(`${root}docs/assumptions.md`, 'utf8')
  .split(/^## /m)
  .slice(1)
  .map((section) => ({ number: Number.parseInt(section, 10), section }))

/** The numbers that production code cites in comments: "assumption 5", "assumptions 6, 7 and 8". */
function listCited(): Set<number> {
  const tracked = execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'app', 'components', 'lib'], {
    cwd: root,
  })
  const files = tracked
    .toString()
    .split('\n')
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|\/test-|^lib\/(sandbox|db\/generated)\//.test(file))
  return new Set(
    files
      .map((file) => readFileSync(root + file, 'utf8').replace(/\n\s*(?:\*|\/\/) /g, ' '))
      .flatMap((text) => [...text.matchAll(/\bassumptions? (\d+(?:(?:, | and )\d+)*)/gi)])
      .flatMap(([, numbers = '']) => numbers.match(/\d+/g) ?? [])
      .map(Number),
  )
}

test('assumptions are numbered from 1 without gaps, and each says how we would notice that it is wrong', () => {
  expect(sections.map(({ number }) => number)).toEqual(sections.map((_, index) => index + 1))
  for (const { section } of sections) expect(section).toMatch(/^- Noticed by: .+$/m)
})

test('code cites exactly the documented assumptions, except those that nothing relies on yet', () => {
  const reliedOn = sections.filter(({ section }) => !section.includes('\n- Nothing relies on it yet.\n'))
  expect([...listCited()].sort((a, b) => a - b)).toEqual(reliedOn.map(({ number }) => number))
})
