/** `npm start` with no setting at all, as on a machine that has nothing but Node.js. */
import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { projectRoot } from '#lib/cli/run/project-root.ts'
import { findFreePort } from '#lib/db/embedded-postgres.ts'

test('npm start is one embedded PostgreSQL, and says no word of poolers, proxies and clusters', async () => {
  test.setTimeout(240_000)
  const dataDir = mkdtempSync(join(tmpdir(), 'tieout-plain-'))
  // PostgreSQL's own account must pass: its data would otherwise land elsewhere
  chmodSync(dataDir, 0o711)
  const port = String(await findFreePort())
  const child = spawn(process.execPath, ['lib/cli/bootstrap.mjs', 'start'], {
    cwd: projectRoot,
    env: { PATH: process.env.PATH, HOME: dataDir, DATA_DIR: dataDir, PORT: port } as unknown as NodeJS.ProcessEnv,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  const exited = new Promise((resolve) => child.once('close', resolve))
  try {
    await expect.poll(() => output, { timeout: 180_000 }).toContain('Ready in ')
    expect((await fetch(`http://localhost:${port}/sign-in`)).status).toBe(200)
    expect(readdirSync(dataDir).filter((name) => existsSync(join(dataDir, name, 'server.json')))).toEqual(['postgres'])
  } finally {
    child.kill('SIGTERM')
    await exited
    rmSync(dataDir, { recursive: true, force: true })
  }
  expect(output).toContain('Database')
  expect(output).not.toMatch(/pgbouncer|pooler|DATABASE_|citus|cluster|nginx|proxy|several|replica/i)
})
