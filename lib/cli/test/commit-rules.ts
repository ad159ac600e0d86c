import { execFileSync } from 'node:child_process'
import { projectRoot } from '../run/project-root.ts'

export type Commit = { hash: string; subject: string; body: string }

/** The last commit before the rules. */
const RULES_BEGIN_AFTER = '7655913802e65023f50f9c4202241c83d9100ad8'
const LONGEST_SUBJECT = 72
const TYPES = 'feat|fix|refactor|perf|test|docs|build|ci|chore'
const SUBJECT = new RegExp(`^(${TYPES})(\\([a-z0-9-]+(,[a-z0-9-]+)*\\))?: [^A-Z\\s].*[^.]$`)
const UNFINISHED = /^(wip|fixup!|squash!|amend!)/i

/** One sentence per rule that a commit's message breaks (CONTRIBUTING.md, "Commits"). */
export function findCommitProblems({ hash, subject, body }: Commit): string[] {
  const problems: string[] = []
  if (UNFINISHED.test(subject)) problems.push('is unfinished work, which does not belong on main')
  else if (!SUBJECT.test(subject))
    problems.push(`needs a subject of the form "type(scope): imperative subject", type one of ${TYPES}`)
  if (subject.length > LONGEST_SUBJECT) problems.push(`has a subject of ${subject.length} characters, at most 72`)
  if (body.trim() === '') problems.push('needs a body: why, and what was rejected')
  return problems.map((problem) => `${hash.slice(0, 7)} "${subject}" ${problem}`)
}

/**
 * The commits under the rules, newest first, without merges; none without history (an unpacked
 * archive).
 */
export function listNewCommits(folder = projectRoot): Commit[] {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  try {
    const format = '--format=%H%x00%s%x00%b%x01'
    const range = hasCommit(git) ? [`${RULES_BEGIN_AFTER}..HEAD`] : ['HEAD', '--max-count=1']
    return git('log', '--no-merges', format, ...range)
      .split('\x01')
      .map((entry) => entry.trim().split('\0'))
      .filter((fields) => fields.length === 3)
      .map(([hash = '', subject = '', body = '']) => ({ hash, subject, body }))
  } catch {
    return []
  }
}

/** False in a shallow clone. */
function hasCommit(git: (...args: string[]) => string): boolean {
  try {
    git('merge-base', '--is-ancestor', RULES_BEGIN_AFTER, 'HEAD')
    return true
  } catch {
    return false
  }
}
