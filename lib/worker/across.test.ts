/**
 * Every statement over several organizations, on a ledger of two: `npm run soak -- citus` runs it
 * on a cluster, which plans each of them or refuses it (decision 067).
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { claimDisconnect } from '#lib/connections/life/disconnect-work.ts'
import { claimWarningMail, recordWarnings } from '#lib/connections/life/keep-alive-warnings.ts'
import { destroyStaleCandidates } from '#lib/connections/life/reconnect-settle.ts'
import { claimCandidate } from '#lib/connections/life/reconnect-work.ts'
import { claimScimCheck } from '#lib/connections/scim/scim-checks.ts'
import { listIdleConnections } from '#lib/connections/tokens/keep-alive.ts'
import { countKeyUse, giveUpKey } from '#lib/connections/tokens/key-use.ts'
import { removeAttemptBatch } from '#lib/connections/tokens/remove-old-attempts.ts'
import { recoverKeptAnswers } from '#lib/connections/tokens/spool-replay.ts'
import { listAcross, listSources } from '#lib/db/cluster/test-support/test-readiness.ts'
import { withSystemSql } from '#lib/db/tenant.ts'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import { claimDigest, planDigests } from '#lib/digest/digest-rows.ts'
import { fillSearchTextsBatch } from '#lib/ledger/apply/fill-search-texts.ts'
import { findNextAccount } from '#lib/ledger/apply/next-account.ts'
import { followRules } from '#lib/ledger/certify/follow-rules.ts'
import { runTrials } from '#lib/ledger/certify/run-trials.ts'
import { compareLinesOfNext } from '#lib/ledger/kept/comparisons/compare-lines.ts'
import { applyDecisions } from '#lib/ledger/review/apply-decision.ts'
import { judgeWished, wishJudgingAfterUpgrade } from '#lib/ledger/rules/judgings.ts'
import { makePacks } from '#lib/pack/make-packs.ts'
import { claimDocument } from '#lib/sync/documents/document-wishes.ts'
import { removePageBatch } from '#lib/sync/pages/remove-old-pages.ts'
import { fillFieldsBatch } from '#lib/sync/reading/fill-fields.ts'
import { listOpenReparses, requestReparseAfterUpgrade } from '#lib/sync/reading/reparse-wishes.ts'
import { arePeopleHere } from '#lib/sync/runs/give-way.ts'
import { requestDueSyncs } from '#lib/sync/runs/schedule.ts'
import { takeInvoiceHint } from '#lib/sync/runs/take-hint.ts'
import { sweepFiles } from '#lib/talk/sweep-files.ts'
import { listDueRuns } from './due-runs.ts'

let database: TestDatabase
const never = new AbortController().signal

beforeAll(async () => {
  database = await createTestDatabase()
  for (const name of ['first', 'second']) await database.query('insert into organization (name) values ($1)', [name])
})
afterAll(() => database.drop())

/** What the worker asks of all organizations at once, by file. */
const TRIED: Record<string, Record<string, () => Promise<unknown>>> = {
  'lib/connections/life/disconnect-work.ts': { claimDisconnect },
  'lib/connections/life/keep-alive-warnings.ts': { recordWarnings, claimWarningMail },
  'lib/connections/life/reconnect-work.ts': { claimCandidate },
  'lib/connections/scim/scim-checks.ts': { claimScimCheck },
  'lib/connections/tokens/keep-alive.ts': { listIdleConnections },
  'lib/connections/tokens/key-use.ts': { countKeyUse, giveUpKey: () => giveUpKey('lost', 'active') },
  'lib/connections/tokens/remove-old-attempts.ts': { removeAttemptBatch },
  'lib/connections/tokens/spool-replay.ts': { recoverKeptAnswers },
  'lib/digest/digest-rows.ts': {
    planDigests: () => planDigests(new Date()),
    claimDigest: () => claimDigest(new Date()),
  },
  'lib/ledger/apply/fill-search-texts.ts': { fillSearchTextsBatch },
  'lib/ledger/apply/next-account.ts': { findNextAccount: () => findNextAccount(null) },
  'lib/ledger/certify/follow-rules.ts': { followRules: () => followRules(never, () => true) },
  'lib/ledger/certify/run-trials.ts': { runTrials: () => runTrials(never) },
  'lib/ledger/kept/comparisons/compare-lines.ts': { compareLinesOfNext: () => compareLinesOfNext(null) },
  'lib/ledger/review/apply-decision.ts': { applyDecisions: () => applyDecisions(never) },
  'lib/ledger/rules/judgings.ts': { wishJudgingAfterUpgrade, judgeWished: () => judgeWished(never) },
  'lib/pack/make-packs.ts': { makePacks: () => makePacks(never) },
  'lib/sync/documents/document-wishes.ts': { claimDocument },
  'lib/sync/pages/remove-old-pages.ts': { removePageBatch },
  'lib/sync/reading/fill-fields.ts': { fillFieldsBatch },
  'lib/sync/reading/reparse-wishes.ts': { requestReparseAfterUpgrade, listOpenReparses },
  'lib/sync/runs/give-way.ts': { arePeopleHere },
  'lib/sync/runs/schedule.ts': { requestDueSyncs: () => requestDueSyncs(new Date()) },
  'lib/sync/runs/take-hint.ts': { takeInvoiceHint: () => takeInvoiceHint({ serialNumber: 'S', profileId: 'P' }) },
  'lib/talk/sweep-files.ts': { sweepFiles },
  'lib/worker/connection-job.ts': { destroyStaleCandidates: () => withSystemSql(destroyStaleCandidates) },
  'lib/worker/due-runs.ts': { listDueRuns },
}

/** What the coordinator answers alone: tables of nobody, or that a secret or an address names. */
const COORDINATORS = [
  'lib/auth/account/reset-password.ts',
  'lib/auth/directory-token.ts',
  'lib/auth/factors/passkey-challenges.ts',
  'lib/auth/limits/throttle.ts',
  'lib/auth/people/first-admin.ts',
  'lib/auth/people/organizations.ts',
  'lib/auth/people/users.ts',
  'lib/auth/sign-in/sign-in-attempt.ts',
  'lib/auth/sso/sso-settings.ts',
  'lib/connections/life/connect-intents.ts',
  'lib/connections/tokens/key-canary.ts',
  'lib/sync/platform/partner-host.ts',
  'lib/worker/invitation-mail.ts',
  'lib/worker/password-mail.ts',
]

/** Tried where they are tested: they need keys, or a port. */
const ELSEWHERE = ['lib/connections/tokens/key-reseal.ts', 'lib/metrics/worker-metrics.ts']

test('statements over several organizations stand in the files that are tried', () => {
  expect(listAcross(listSources())).toEqual([...Object.keys(TRIED), ...COORDINATORS, ...ELSEWHERE].sort())
})

test.each(Object.values(TRIED).flatMap((calls) => Object.entries(calls)))(
  'asks all organizations: %s',
  async (_, call) => {
    await expect(call().then(() => 'answered')).resolves.toBe('answered')
  },
)
