import type { Breakage } from '../../model.ts'

const SHARED = ['lib/auth/limits/share-counts.test.ts']

/** Several web servers of one installation. */
export const FLEET: Breakage[] = [
  {
    id: 'budget-of-each-process',
    row: 'A18',
    promise: 'What a person asked of one web server counts in the others.',
    file: 'lib/auth/limits/throttle.ts',
    before: 'fill(rows.get(key) as Row, limit, tries)',
    after: 'fill(rows.get(key) as Row, limit, tries * 0)',
    tests: SHARED,
    title: 'what a person asked of one web server',
  },
  {
    id: 'shared-count-forgets-meanwhile',
    row: 'A18',
    promise: 'What is asked while counts are shared is counted.',
    file: 'lib/auth/limits/request-budget.ts',
    before: 'level: level + (unshared.get(key)?.tries ?? 0)',
    after: 'level',
    tests: SHARED,
    title: 'what is asked while counts are shared',
  },
  {
    id: 'shared-twice',
    row: 'A18',
    promise: 'A request counts once, however often counts are shared.',
    file: 'lib/auth/limits/request-budget.ts',
    before: '  counts().unshared = new Map()\n',
    after: '',
    tests: SHARED,
    title: 'nothing is counted twice',
  },
  {
    id: 'network-in-the-clear',
    row: 'A18',
    promise: 'Counts in the database name no address.',
    file: 'lib/auth/limits/share-counts.ts',
    before: "who.of === 'network' ? toThrottleHash('network', who.name) : who.name",
    after: "who.of === 'network' ? toThrottleHash('network', who.name).slice(0, 0) + who.name : who.name",
    tests: SHARED,
    title: 'keyed hash',
  },
  {
    id: 'downloads-of-each-process',
    row: 'A18',
    promise: 'Files of a person and of an organization are counted over all web servers.',
    file: 'lib/ledger/sql/tenant-cursor.ts',
    before: '        await takeSharedPlace(sql, organizationId, reader.userId, limits)\n',
    after: '        void takeSharedPlace\n',
    tests: ['lib/ledger/sql/tenant-cursor.test.ts'],
    title: 'files of other web servers',
  },
  {
    id: 'proxy-sends-changes-again',
    row: 'fleet',
    promise: 'A change that reached a web server which then died is not sent to another one.',
    file: 'docs/deploy/nginx.conf',
    before: 'proxy_next_upstream error timeout;',
    after: 'proxy_next_upstream error timeout non_idempotent;',
    tests: ['lib/cli/deploy-files.test.ts'],
    title: 'sends no change twice',
  },
]
