import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findCommitProblems, listNewCommits } from './commit-rules.ts'

const commit = (subject: string, body = 'Because.') => ({ hash: '0123456789', subject, body })

test.each([
  'feat(export): stream files at the speed of COPY',
  'fix: refuse an empty key',
  'test(db,partner): compare policies exactly',
])('accepts "%s" with a body', (subject) => {
  expect(findCommitProblems(commit(subject))).toEqual([])
})

test.each([
  ['Export: files are streamed', 'type(scope)'],
  ['feat(export): Stream files', 'type(scope)'],
  ['feat(export): stream files.', 'type(scope)'],
  ['wip', 'unfinished'],
  ['fixup! feat(export): stream files', 'unfinished'],
  [`feat(export): stream ${'files '.repeat(10)}at once`, 'at most 72'],
])('refuses "%s" with the reason', (subject, reason) => {
  expect(findCommitProblems(commit(subject)).join()).toContain(reason)
})

test('refuses a commit that does not say why', () => {
  expect(findCommitProblems(commit('fix: refuse an empty key', '\n'))).toEqual([
    '0123456 "fix: refuse an empty key" needs a body: why, and what was rejected',
  ])
})

test('checks the newest commit when the first one under the rules is unknown, and none without history', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tieout-commits-'))
  try {
    expect(listNewCommits(folder)).toEqual([])
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.com', ...args], { cwd: folder })
    git('init', '-q')
    for (const subject of ['old', 'fix: new'])
      git('commit', '-q', '--allow-empty', '-m', `${subject}\n\nWhy: so.\n\nAnd more.`)
    expect(listNewCommits(folder)).toMatchObject([{ subject: 'fix: new', body: 'Why: so.\n\nAnd more.' }])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
