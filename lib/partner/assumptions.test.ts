import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { ASSUMPTIONS } from './assumptions.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The document as it must read; `npx vitest run lib/partner/assumptions.test.ts -u` writes it. */
function toMarkdown(): string {
  const sections = ASSUMPTIONS.map(({ number, title, statement, noticedBy, reliedOnBy }) => {
    const files = reliedOnBy.map((file) => `\`${file}\``).join(', ') || 'nothing yet'
    return `## ${number}. ${title}\n\n${statement}\n\n- Noticed by: ${noticedBy}\n- Relied on by: ${files}\n`
  })
  const intro =
    'What the partner’s contract leaves open and Tieout decides anyway. The same list is code in\n' +
    '`lib/partner/assumptions.ts`; a test keeps the two equal. Code refers to these numbers, so they are never reused.\n'
  return ['# Assumptions about the partner\n', intro, ...sections].join('\n')
}

test('the document and the code hold the same assumptions', async () => {
  await expect(toMarkdown()).toMatchFileSnapshot('../../docs/assumptions.md')
})

test('numbers run from 1 without gaps, and every file that is named exists', () => {
  expect(ASSUMPTIONS.map(({ number }) => number)).toEqual(ASSUMPTIONS.map((_, index) => index + 1))
  for (const file of ASSUMPTIONS.flatMap(({ reliedOnBy }) => reliedOnBy))
    expect(existsSync(root + file), file).toBe(true)
})

test('code refers only to assumptions that exist, and those name the file', () => {
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'lib/reconcile', 'lib/partner'], {
    cwd: root,
  })
  for (const file of files
    .toString()
    .split('\n')
    .filter((name) => name.endsWith('.ts') && !/\.test|test-/.test(name))) {
    if (file === 'lib/partner/assumptions.ts') continue
    const mentions = readFileSync(root + file, 'utf8').matchAll(/assumptions? (\d+)(?: and (\d+))?/g)
    for (const number of [...mentions].flatMap(([, first, second]) => [first, second]).filter(Boolean)) {
      const assumption = ASSUMPTIONS[Number(number) - 1]
      expect(assumption, `${file} refers to assumption ${number}`).toBeDefined()
      if (file !== 'lib/partner/records.ts') expect(assumption?.reliedOnBy, `assumption ${number}`).toContain(file)
    }
  }
})
