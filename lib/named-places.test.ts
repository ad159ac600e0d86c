/** The places that decisions name and reviews check: nothing joins them without a line here. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Who sees the rows of all organizations, and why (docs/decisions/002-organization-first.md). */
const SEES_ALL: Record<string, string> = {
  'lib/auth/people/organizations.ts': 'commands name organizations, and list all of them',
  'lib/auth/directory-token.ts': 'a token names an organization before anything else does',
  'lib/auth/people/users.ts': 'commands name users by email address, or before they have an organization',
  'lib/auth/sign-in/sign-in-attempt.ts': 'sign-in looks a person up by email address',
  'lib/auth/account/reset-password.ts': 'a link names a person by its secret, and an address may be nobody’s',
  'lib/auth/limits/throttle.ts': 'attempts to sign in and requests of directories belong to nobody yet',
  'lib/auth/sso/sso-settings.ts': 'single sign-on finds an organization by a claimed domain',
  'lib/auth/factors/passkey-challenges.ts': 'who signs in with a passkey has no organization yet',
  'lib/auth/people/first-admin.ts': 'the first organization is made before there is one',
  'lib/connections/life/connect-intents.ts': 'a browser’s cookie names an intent, not its organization',
  'lib/connections/life/disconnect-work.ts': 'the worker claims the disconnect that has waited longest',
  'lib/connections/life/keep-alive-warnings.ts': 'the worker records and mails what is about to run out',
  'lib/connections/tokens/keep-alive.ts': 'the worker renews unused tokens',
  'lib/connections/tokens/key-canary.ts': 'whether this process has the keys that sealed rows need',
  'lib/connections/tokens/key-reseal.ts': 'everything sealed to an old key is resealed',
  'lib/connections/tokens/key-use.ts': 'what is sealed to a key, before it is retired or given up',
  'lib/connections/life/reconnect-work.ts': 'the worker claims the consent that has waited longest',
  'lib/connections/tokens/remove-old-attempts.ts': 'housekeeping',
  'lib/connections/scim/scim-checks.ts': 'the worker claims the SCIM check that has waited longest',
  'lib/connections/tokens/spool-replay.ts': 'kept answers are recovered for all connections',
  'lib/digest/digest-rows.ts': 'the worker finds the digests that are due, and claims the one that has waited longest',
  'lib/ledger/certify/follow-rules.ts': 'workers follow the rules of any organization',
  'lib/ledger/certify/run-trials.ts': 'workers try the rules of any organization on its past',
  'lib/ledger/review/apply-decision.ts': 'workers apply large decisions of any organization',
  'lib/ledger/rules/judgings.ts': 'workers judge the lines of any organization whose rules changed',
  'lib/pack/make-packs.ts': 'the worker claims the evidence pack that has waited longest',
  'lib/sync/reading/fill-fields.ts': 'housekeeping reads the country and custom fields of older lines',
  'lib/ledger/apply/fill-search-texts.ts': 'housekeeping makes the search texts of older lines',
  'lib/ledger/kept/comparisons/compare-lines.ts': 'housekeeping compares the lines of all accounts',
  'lib/ledger/apply/next-account.ts': 'housekeeping judges the invoices of all accounts',
  'lib/metrics/worker-metrics.ts': 'counts over all accounts, without a name or id',
  'lib/sync/platform/partner-host.ts': 'the platform and its limits are shared by all',
  'lib/sync/pages/remove-old-pages.ts': 'housekeeping',
  'lib/sync/documents/document-wishes.ts': 'the worker claims wishes to see a document',
  'lib/sync/reading/reparse-wishes.ts': 'the worker claims wishes to read rejected records again',
  'lib/sync/runs/give-way.ts': 'a sync pauses while anybody is here, who share the machine',
  'lib/sync/runs/schedule.ts': 'the worker finds syncs that are due',
  'lib/sync/runs/take-hint.ts': 'a hint of the platform names an account, not an organization',
  'lib/talk/sweep-files.ts': 'housekeeping removes files that no comment has, and bytes that no file is of',
  'lib/worker/connection-job.ts': 'consents that nobody kept are destroyed',
  'lib/worker/due-runs.ts': 'the worker finds runs that are due',
  'lib/worker/invitation-mail.ts': 'the worker claims the invitation that has waited longest for its mail',
  'lib/worker/password-mail.ts': 'the worker claims the wish for a link that has waited longest',
}

/** Which statements write `connection.state`, and why (docs/decisions/008-connection-states.md). */
const WRITES_STATE: Record<string, string[]> = {
  'lib/connections/tokens/move-connection.ts': ['every other move of one connection'],
  'lib/connections/tokens/refresh-outcome.ts': [
    'a stopped worker brings tokens after their loss was declared',
    'a refused refresh token ends the link, in the transaction that notes it',
  ],
  'lib/connections/tokens/key-use.ts': ['a lost key ends the links of many connections at once'],
  'lib/connections/life/reconnect-choice.ts': ['a consent for another account becomes a connection of its own'],
  'lib/connections/life/store-connection.ts': ['a new connection'],
}

/** What runs in production. `lib/db` is the door itself; people start commands by hand. */
function listProduct(): { path: string; text: string }[] {
  return execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'app', 'components', 'lib'], { cwd: root })
    .toString()
    .split('\n')
    .filter(
      (path) =>
        /\.tsx?$/.test(path) && !/\.test\.tsx?$|\/test-support\/|^lib\/(cli|soak|bench|world|sandbox|db)\//.test(path),
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

test('exactly the files named here see all organizations', () => {
  const found = listProduct().filter(seesAll)
  expect(found.map(({ path }) => path).sort()).toEqual(Object.keys(SEES_ALL).sort())
})

test("exactly the statements named here write a connection's state", () => {
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
