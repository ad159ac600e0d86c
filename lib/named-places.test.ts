/** Places that decisions name and that reviews look at: nobody joins them without a line here. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * Who sees the rows of all organizations, and what for (docs/decisions/002-organization-first.md).
 */
const SEES_ALL: Record<string, string> = {
  'lib/auth/users.ts': 'users by command, who have no organization yet or are named by email address',
  'lib/auth/sign-in-attempt.ts': 'sign-in looks a person up by email address',
  'lib/auth/sign-in-throttle.ts': 'failed sign-ins count by address and by the network they come from',
  'lib/auth/first-admin.ts': 'the first organization is made before there is one',
  'lib/connections/life/connect-intents.ts': 'intents that have run out go, whoever had them',
  'lib/connections/life/disconnect-work.ts': 'the worker takes the disconnect that waits longest',
  'lib/connections/life/keep-alive-warnings.ts': 'the worker records and mails what is about to run out',
  'lib/connections/tokens/keep-alive.ts': 'the worker renews tokens that nobody uses',
  'lib/connections/tokens/key-canary.ts': 'whether this process has the keys that the database was sealed for',
  'lib/connections/tokens/key-reseal.ts': 'everything that an old key has sealed is sealed anew',
  'lib/connections/tokens/key-use.ts': 'what a key has sealed, before it is given up',
  'lib/connections/life/reconnect-work.ts': 'the worker takes the consent that waits longest',
  'lib/connections/tokens/remove-old-attempts.ts': 'housekeeping',
  'lib/connections/scim/scim-checks.ts': 'the worker takes the SCIM check that waits longest',
  'lib/connections/tokens/spool-replay.ts': 'answers on disk name their connection, and may be of any organization',
  'lib/sync/platform/partner-host.ts': 'the platform and its limits are shared by all',
  'lib/sync/pages/remove-old-pages.ts': 'housekeeping',
  'lib/sync/reading/reparse-wishes.ts': 'the worker takes wishes to read rejected records again',
  'lib/sync/runs/schedule.ts': 'the worker finds syncs that are due',
  'lib/sync/runs/take-hint.ts': 'a hint of the platform names an account, not an organization',
  'lib/worker/connection-job.ts': 'consents that nobody took up are destroyed',
  'lib/worker/due-runs.ts': 'the worker finds runs that are due',
}

/**
 * Which statements write `connection.state`, and what for
 * (docs/decisions/008-connection-states.md).
 */
const WRITES_STATE: Record<string, string[]> = {
  'lib/connections/tokens/move-connection.ts': ['every move of one connection that waits for nothing else'],
  'lib/connections/tokens/refresh-outcome.ts': [
    'tokens that a stopped worker brings after their loss had been declared',
    'tokens that are no longer good, in the transaction that says so',
  ],
  'lib/connections/tokens/key-use.ts': ['a lost key ends the links of many connections at once'],
  'lib/connections/life/reconnect-choice.ts': ['a consent for another account becomes a connection of its own'],
  'lib/connections/life/store-connection.ts': ['a new connection'],
}

/**
 * What runs in production; `lib/db` is the door itself, and benchmarks and the like (`lib/cli`) are
 * started by hand.
 */
function listProduct(): { path: string; text: string }[] {
  return execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'app', 'components', 'lib'], { cwd: root })
    .toString()
    .split('\n')
    .filter(
      (path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$|\/(test-|seed)[\w-]*\.ts$|^lib\/(cli|sandbox|db)\//.test(path),
    )
    .map((path) => ({ path, text: readFileSync(root + path, 'utf8') }))
}

const seesAll = ({ text }: { text: string }) => /\bwithSystem(Sql)?\b/.test(text)

function listStateWrites({ text }: { text: string }): string[] {
  const updates = [...text.matchAll(/update\s+connection\s+(?:\w+\s+)?set\b(.*?)(?:\bwhere\b|[`'])/gis)]
    .map(([, set = '']) => set)
    .filter((set) => /\bstate\s*=/.test(set))
  const inserts = [...text.matchAll(/insert\s+into\s+connection\s*\(([^)]*)\)/gi)]
    .map(([, columns = '']) => columns)
    .filter((columns) => /\bstate\b/.test(columns))
  const records = [...text.matchAll(/\bconnection\.(?:update|create|upsert)\w*\(/g)].map(([call]) => call)
  return [...updates, ...inserts, ...records]
}

test('exactly the files that are named here see all organizations', () => {
  const found = listProduct().filter(seesAll)
  expect(found.map(({ path }) => path).sort()).toEqual(Object.keys(SEES_ALL).sort())
})

test("exactly the statements that are named here write a connection's state", () => {
  const counts = listProduct().map((file) => [file.path, listStateWrites(file).length] as const)
  expect(Object.fromEntries(counts.filter(([, count]) => count > 0))).toEqual(
    Object.fromEntries(Object.entries(WRITES_STATE).map(([path, reasons]) => [path, reasons.length])),
  )
})

test.each([
  ['update', "sql(`update connection c set name = $1, state = 'active' where id = $2`)"],
  ['insert', 'sql(`insert into connection (organization_id, state) values ($1, $2)`)'],
  ['record', "db.connection.updateMany({ data: { state: 'active' } })"],
])('notices one more state written by an %s', (_, text) => {
  expect(listStateWrites({ text })).toHaveLength(1)
  expect(listStateWrites({ text: 'update connection_event set state = 1 where id = 2' })).toEqual([])
})
