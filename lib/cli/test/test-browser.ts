import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chromium } from '@playwright/test'
import { CommandError } from '../run/command-error.ts'
import { packageFile } from '../run/project-root.ts'
import { say } from '../run/terminal.ts'
import { runTestTool } from './test-run.ts'

const DEBIAN_CHROMIUM = '/usr/bin/chromium'

/**
 * The tests' browser: CHROMIUM_PATH, else Debian's chromium, else (null) the one that Playwright
 * downloaded.
 * @returns undefined when there is none.
 */
export function findBrowser(): string | null | undefined {
  const configured = process.env.CHROMIUM_PATH
  if (configured) return configured
  if (existsSync(DEBIAN_CHROMIUM)) return DEBIAN_CHROMIUM
  return existsSync(chromium.executablePath()) ? null : undefined
}

/**
 * Makes sure that there is a browser: as root on Debian through apt-get, otherwise Playwright's
 * own.
 * @throws CommandError when neither works.
 */
export async function provideBrowser(signal: AbortSignal): Promise<void> {
  const configured = process.env.CHROMIUM_PATH
  if (configured && !existsSync(configured)) throw new CommandError(`CHROMIUM_PATH: there is no ${configured}.`)
  if (findBrowser() !== undefined) return
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    say('  No browser was found: installing Debian’s chromium (apt-get).')
    installWithApt()
  } else {
    say('  No browser was found: downloading Playwright’s chromium.')
    await runTestTool({ args: [packageFile('@playwright/test/cli.js'), 'install', 'chromium'], signal, isShown: true })
  }
  if (findBrowser() === undefined)
    throw new CommandError('There is no browser to test with: install chromium, or name one with CHROMIUM_PATH.')
}

function installWithApt(): void {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', 'chromium']]) {
    const { status } = spawnSync('apt-get', ['-q', ...args], { stdio: ['ignore', 'inherit', 'inherit'], env })
    if (status === 0) continue
    say(`  apt-get ${args[0]} failed (exit code ${status}).`)
    return
  }
}
