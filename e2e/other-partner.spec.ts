import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test as base, expect } from '@playwright/test'
import { findFreePort } from '#lib/db/embedded-postgres.ts'
import { downloadCsv, sumByCurrency, toUnits } from './csv.ts'
import { type OtherPartner, startOtherPartner } from './other-partner.ts'
import { readTotalsStrip } from './screen.ts'

const ADMIN = { ADMIN_EMAIL: 'owner@example.com', ADMIN_PASSWORD: 'a password of the second test' }

type Started = { url: string; dataDir: string; output: () => string; other: OtherPartner }

/** `npm start` in a new data folder, with only another platform configured. */
const test = base.extend<{ started: Started }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter's pattern
  started: async ({}, use) => {
    const port = await findFreePort()
    const url = `http://localhost:${port}`
    const other = await startOtherPartner(`${url}/api/auth/callback/partner`)
    const dataDir = mkdtempSync(join(tmpdir(), 'tieout-other-'))
    chmodSync(dataDir, 0o711) // PostgreSQL may run as another account and must pass
    const settings = { APP_URL: url, DATA_DIR: dataDir, ...ADMIN, ...other.environment }
    const bootstrap = fileURLToPath(new URL('../lib/cli/bootstrap.mjs', import.meta.url))
    const program = spawn(process.execPath, [bootstrap, 'start'], {
      env: { ...process.env, ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [program.stdout, program.stderr]) stream.on('data', (chunk) => (output += chunk))
    const ended = new Promise<number | null>((resolve) => program.on('exit', resolve))
    try {
      await expect.poll(() => output, { timeout: 120_000 }).toContain('Ready in')
      await use({ url, dataDir, output: () => output, other })
    } finally {
      program.kill('SIGTERM')
      expect(await ended, output).toBe(0)
      await other.close()
      rmSync(dataDir, { recursive: true, force: true })
    }
  },
})

test.setTimeout(240_000)

test('another platform that keeps the contract needs only its settings, and no sandbox starts', async ({
  page,
  started,
}) => {
  const { url, other } = started
  await page.goto(`${url}/sign-in`)
  await page.getByLabel('Email').fill(ADMIN.ADMIN_EMAIL)
  await page.getByLabel('Password').fill(ADMIN.ADMIN_PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('link', { name: 'Connections' }).click()
  await page.getByRole('button', { name: 'Connect account' }).first().click()
  const account = page.getByRole('row').filter({ hasText: 'Second Works Inc' })
  await expect(account).toContainText(String(other.lines.length), { timeout: 60_000 })
  expect(other.tokenCalls).toEqual(['authorization_code'])

  await page.goto(`${url}/lines`)
  const strip = await readTotalsStrip(page)
  const rows = await downloadCsv(page)
  const total = other.lines.reduce((sum, line) => sum + toUnits(line.total_amount), 0n)
  expect(rows.map((row) => row.id).sort()).toEqual(other.lines.map(({ id }) => id).sort())
  expect(rows.filter((row) => row.finding_codes !== '')).toEqual([])
  expect(sumByCurrency(rows, 'total_amount')).toEqual({ USD: total })
  expect(strip.USD?.total).toBe(total)
  await page.goto(`${url}/groups?by=trip`)
  await expect(page.getByRole('main')).toContainText('Total of 11 trips, 137 lines')

  expect(started.output()).not.toContain('Sandbox')
  expect(readdirSync(join(started.dataDir, 'logs')).sort()).toEqual(['web.log', 'worker.log'])
})
