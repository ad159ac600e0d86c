import type { Breakage } from '../../model.ts'

const READINESS = ['lib/db/cluster/readiness.test.ts']

/** One form for one PostgreSQL and for a cluster (decision 067). */
export const CLUSTER: Breakage[] = [
  {
    id: 'key-without-organization',
    row: 'cluster',
    promise: 'Every unique index of an organization’s table contains the organization.',
    file: 'prisma/migrations/20261127110000_talk/migration.sql',
    before: 'assignment_one_at_a_time ON assignment (organization_id, thread_id)',
    after: 'assignment_one_at_a_time ON assignment (thread_id)',
    tests: READINESS,
    title: 'every unique index',
  },
  {
    id: 'policy-with-subquery',
    row: 'cluster',
    promise: 'No policy asks a table.',
    file: 'lib/db/kept-answers.sql',
    before: "OR (SELECT current_setting('tieout.scope', true)) = 'system')",
    after:
      "OR (SELECT current_setting('tieout.scope', true)) = 'system' OR organization_id IN (SELECT id FROM organization))",
    tests: READINESS,
    title: 'no policy has a subquery',
  },
  {
    id: 'writes-from-transition-table',
    row: 'cluster',
    promise: 'A trigger function reduces its rows to a value before it writes.',
    file: 'lib/ledger/kept/comparisons/comparisons.sql',
    before: `FOR account IN SELECT * FROM unnest(organizations, connections) AS t (organization_id, connection_id) ORDER BY 1, 2 LOOP
    PERFORM FROM connection c WHERE`,
    after: `FOR account IN SELECT * FROM unnest(organizations, connections) AS t (organization_id, connection_id) ORDER BY 1, 2 LOOP
    PERFORM FROM connection c JOIN touched ON touched.connection_id = c.id WHERE`,
    tests: READINESS,
    title: 'reads its transition table',
  },
  {
    id: 'scope-by-function',
    row: 'cluster',
    promise: 'Whose rows a transaction may see is set by the statement that every node hears of.',
    file: 'lib/db/tenant.ts',
    before: "`set local ${setting} = '${value}'`",
    after: "`select set_config('${setting}', '${value}', true)`",
    tests: READINESS,
    title: 'is set by SET LOCAL',
  },
  {
    id: 'clock-chooses-rows',
    row: 'cluster',
    promise: 'No clock that runs on within a statement says which rows are meant.',
    file: 'lib/pack/make-packs.ts',
    before: "coalesce(lease_until, '-infinity') <= statement_timestamp()",
    after: "coalesce(lease_until, '-infinity') <= clock_timestamp()",
    tests: READINESS,
    title: 'no function that may answer differently',
  },
  {
    id: 'rows-copied-in',
    row: 'cluster',
    promise: 'Rows that a SELECT adds are given back, so that no cluster copies them in.',
    file: 'lib/ledger/apply/apply-target.ts',
    before: 'from pg_temp.${stage} returning 1`',
    after: 'from pg_temp.${stage}`',
    tests: READINESS,
    title: 'rows that a SELECT adds',
  },
  {
    id: 'time-chosen-as-written',
    row: 'cluster',
    promise: 'No time is chosen by CASE or COALESCE where it is written.',
    file: 'lib/sync/windows/window-store.ts',
    before: 'started_at = least(started_at, now())',
    after: 'started_at = coalesce(started_at, now())',
    tests: READINESS,
    title: 'no time is chosen',
  },
  {
    id: 'blind-function-of-trigger',
    row: 'cluster',
    promise: 'What a trigger asks of a table by parameters is asked in PL/pgSQL.',
    file: 'lib/ledger/close/close-decisions.sql',
    before: `LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN EXISTS (
    SELECT FROM period_lock k`,
    after: `LANGUAGE sql STABLE AS $$
  SELECT EXISTS (
    SELECT FROM period_lock k`,
    tests: READINESS,
    title: 'asked in PL/pgSQL',
  },
  {
    id: 'clock-of-each-row-written',
    row: 'cluster',
    promise: 'A time that is written is the statement’s.',
    file: 'lib/pack/pack-links.ts',
    before: 'opened_at = statement_timestamp()',
    after: 'opened_at = clock_timestamp()',
    tests: READINESS,
    title: 'a time that is written is the statement',
  },
  {
    id: 'time-worked-out-as-given-back',
    row: 'cluster',
    promise: 'What a statement that writes gives back is as it stands there.',
    file: 'lib/ledger/close/sign-off.ts',
    before: 'returning id, at`',
    after: 'returning id, to_json(at) as at`',
    tests: READINESS,
    title: 'gives back is as it stands',
  },
  {
    id: 'copy-held-by-trigger',
    row: 'cluster',
    promise: 'No trigger locks a row that every node has.',
    file: 'lib/audit/chain.sql',
    before: '  INSERT INTO audit_head VALUES',
    after: '  PERFORM FROM organization WHERE id = NEW.organization_id FOR KEY SHARE;\n  INSERT INTO audit_head VALUES',
    tests: READINESS,
    title: 'no trigger locks a row that every node has',
  },
  {
    id: 'function-asks-for-each-row',
    row: 'cluster',
    promise: 'A function calls none that asks a table for each row of another.',
    file: 'lib/ledger/close/close-decisions.sql',
    before: '      WHERE a.organization_id = owner\n    LOOP',
    after:
      '      WHERE a.organization_id = owner AND is_locked_for(owner, a.connection_id, i.profile_id, i.issuing_date, d.actor_id)\n    LOOP',
    tests: READINESS,
    title: 'for each row of another',
  },
  {
    id: 'row-handed-to-function',
    row: 'cluster',
    promise: 'No statement hands a row of a table to a function.',
    file: 'lib/ledger/close/read-seal.ts',
    before: 'select encode(seal_of_invoice(${SEALED_OF_INVOICE}, seen.seen',
    after: 'select sealed_of_invoice(i), encode(seal_of_invoice(${SEALED_OF_INVOICE}, seen.seen',
    tests: READINESS,
    title: 'hands a row of a table',
  },
]
