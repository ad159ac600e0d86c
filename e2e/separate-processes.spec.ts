import { existsSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { test as base, expect } from '@playwright/test'
import { downloadCsv } from './csv.ts'
import {
  ADMIN,
  type Command,
  canRead,
  listTree,
  prepareSeparateProcesses,
  readProcess,
  type SeparateProcesses,
} from './separate-processes.ts'

type Running = { apart: SeparateProcesses; web: Command; worker: Command }

/**
 * As in docs/operations.md, "Web server and worker apart": migrate, worker, its public keys, web
 * server.
 */
const test = base.extend<object, { running: Running }>({
  running: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter's pattern
    async ({}, use) => {
      const apart = await prepareSeparateProcesses()
      try {
        const worker = apart.start(['worker'], apart.worker)
        await expect.poll(worker.output, { timeout: 120_000 }).toContain('The worker runs')
        const TOKEN_PUBLIC_KEYS = (await apart.run(['keys', 'public'], apart.worker)).trim()
        const web = apart.start(['web'], apart.web, { TOKEN_PUBLIC_KEYS })
        await expect.poll(web.output, { timeout: 120_000 }).toContain('Ready: ')
        await use({ apart, web, worker })
      } finally {
        await apart.stop()
      }
    },
    { scope: 'worker', timeout: 300_000 },
  ],
})

test.describe.configure({ mode: 'serial' })
test.setTimeout(180_000)

test('A24: web server and worker apart, with three roles and only public keys, connect, sync and export', async ({
  page,
  running: { apart },
}) => {
  await page.goto(`${apart.appUrl}/sign-in`)
  await page.getByLabel('Email').fill(ADMIN.ADMIN_EMAIL)
  await page.getByLabel('Password').fill(ADMIN.ADMIN_PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('link', { name: 'Connections', exact: true }).click()
  await page.getByRole('button', { name: 'Connect account' }).first().click()
  await page.getByRole('button', { name: 'Allow', exact: true }).click()
  const totals = await apart.sandbox.controlTotals('nordlicht')
  const account = page.getByRole('row').filter({ hasText: 'Nordlicht' })
  await expect(account).toContainText(String(totals.lineCount), { timeout: 60_000 })
  await page.goto(`${apart.appUrl}/lines?period=all`)
  expect(await downloadCsv(page)).toHaveLength(totals.lineCount)
})

test('A24: neither the web server nor the command that started it holds a private key or another role’s password', ({
  running: { apart, web, worker },
}) => {
  test.skip(process.platform !== 'linux', 'only Linux shows the environment of a process in /proc')
  const file = join(apart.worker.dataDir, 'keys', 'token-private-keys.json')
  const [{ d }] = JSON.parse(readFileSync(file, 'utf8')).keys as [{ d: string }]
  const secrets = [
    d,
    new URL(apart.ownerUrl).password,
    new URL(apart.worker.environment.DATABASE_URL as string).password,
  ]
  const tree = listTree(web.child.pid as number)
  expect(tree.length).toBeGreaterThan(1)
  for (const pid of tree) {
    const text = readProcess(pid)
    expect(text).toContain('TOKEN_PUBLIC_KEYS')
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
    expect(text).not.toContain('"d"')
  }
  // the same search finds it where it belongs
  expect(listTree(worker.child.pid as number).some((pid) => readProcess(pid).includes(d))).toBe(true)
  expect(existsSync(join(apart.web.dataDir, 'keys', 'token-private-keys.json'))).toBe(false)
})

test('A16: the web server’s system user can read neither private key, spool, log nor environment of the worker', ({
  running: { apart, worker },
}) => {
  test.skip(apart.web.account === null, 'only root can start the two processes as two system users: NOT SHOWN HERE')
  const { dataDir } = apart.worker
  const own = apart.web.dataDir
  expect(canRead(own, apart.web)).toBe(true)
  const [processId] = listTree(worker.child.pid as number).slice(-1)
  for (const path of [
    dataDir,
    join(dataDir, 'keys', 'token-private-keys.json'),
    join(dataDir, 'logs', 'worker.log'),
    `/proc/${processId}/environ`,
  ]) {
    expect(existsSync(path), path).toBe(true)
    expect(canRead(path, apart.worker), path).toBe(true)
    expect(canRead(path, apart.web), path).toBe(false)
  }
  expect(canRead(own, apart.worker)).toBe(false)
  // the spool exists from the first refresh on, for its account alone
  // (lib/cli/run/private-files.test.ts), and behind this folder
  const spool = join(dataDir, 'spool')
  if (existsSync(spool)) expect(canRead(spool, apart.web)).toBe(false)
})

test('without LISTEN_HOST only this machine reaches the web server', async ({ running: { apart } }) => {
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
  expect(await answers('127.0.0.1', apart.port)).toBe(true)
  for (const { address } of addresses.filter(({ internal, family }) => !internal && family === 'IPv4'))
    expect(await answers(address, apart.port), address).toBe(false)
})

function answers(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port })
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}
