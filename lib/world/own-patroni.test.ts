/** The files in docs/deploy that keep the database, as they are run here. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from '#lib/cli/run/project-root.ts'
import { toHaproxyFile } from './own-haproxy.ts'
import { toPatroniFile } from './own-patroni.ts'

const read = (name: string) => readFileSync(join(projectRoot, 'docs', 'deploy', name), 'utf8')
const patroni = read('patroni.yml')
const haproxy = read('haproxy.cfg')
const numberOf = (name: string) => Number(new RegExp(`^ +${name}: (\\d+)$`, 'm').exec(patroni)?.[1])

const PLACE = {
  name: 'db2',
  folder: '/run/db2',
  port: 6001,
  checkPort: 6002,
  etcdPort: 6003,
  tools: '/pg/bin',
  database: 'tieout',
  group: null,
}
const PASSWORDS = { superuser: 'one', replication: 'two', restapi: 'three' }

test('no address, folder or password of the documented files is left in those that are run', () => {
  const own = toPatroniFile(patroni, { ...PLACE, passwords: PASSWORDS })
  expect(own.replace(/^ *#.*$/gm, '')).not.toMatch(/10\.0\.0\.|PASSWORD|\/var\/|mode: automatic|db1/)
  expect(own).toContain('superuser:\n      username: postgres\n      password: one\n')
  expect(own).toContain('replication:\n      username: replicator\n      password: two\n')
  expect(own).toContain('authentication:\n    username: patroni\n    password: three\n')
  expect(own).toContain('  connect_address: 127.0.0.1:6002\n')
  expect(own).toContain('  connect_address: 127.0.0.1:6001\n')
  const servers = [{ name: 'db1', port: 6001, checkPort: 6002 }]
  const file = toHaproxyFile(haproxy, 6004, servers)
  expect(file).toContain('  bind 127.0.0.1:6004\n')
  expect(file.match(/^ {2}server .*$/gm)).toEqual(['  server db1 127.0.0.1:6001 check port 6002'])
})

test('what is acknowledged is on two servers, and a server that was cut off is not written to', () => {
  expect(patroni).toMatch(/^ {4}synchronous_mode: true$/m)
  // before Patroni 3.0.3 a machine that was frozen takes the lock back by etcd's third interface
  expect(patroni).toMatch(/^etcd:$/m)
  expect(numberOf('ttl')).toBeGreaterThanOrEqual(numberOf('loop_wait') + 2 * numberOf('retry_timeout'))
  expect(haproxy).toMatch(/^ {2}default-server .* on-marked-down shutdown-sessions$/m)
  expect(haproxy).toContain('option httpchk GET /primary')
})
