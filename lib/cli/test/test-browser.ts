import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chromium } from '@playwright/test'
import { CommandError } from '../run/command-error.ts'
import { packageFile } from '../run/project-root.ts'
import { say } from '../run/terminal.ts'
import { runTestTool } from './test-run.ts'

/**
 * `headless`: the browser's engine without its window, which is what stories need and takes half
 * the work. `whole`: what people have in front of them, for figures of what they wait for.
 */
type Kind = 'headless' | 'whole'

/** Debian's packages, the best one first. */
const DEBIAN: Record<Kind, string[]> = { headless: ['chromium-headless-shell', 'chromium'], whole: ['chromium'] }

/**
 * The tests' browser: CHROMIUM_PATH, else Debian's, else (null) the one that Playwright downloaded.
 * @returns undefined when there is none.
 */
export function findBrowser(kind: Kind): string | null | undefined {
  const configured = process.env.CHROMIUM_PATH
  if (configured) return configured
  const installed = DEBIAN[kind].map((name) => `/usr/bin/${name}`).find((file) => existsSync(file))
  if (installed !== undefined) return installed
  return existsSync(chromium.executablePath()) ? null : undefined
}

const provided = new Map<Kind, Promise<void>>()

/**
 * Makes sure that there is a browser: as root on Debian through apt-get, otherwise Playwright's
 * own. Whoever asks again waits for the same one.
 * @throws CommandError when neither works.
 */
export function provideBrowser(kind: Kind, signal: AbortSignal): Promise<void> {
  const begun = provided.get(kind) ?? installBrowser(kind, signal)
  provided.set(kind, begun)
  return begun
}

async function installBrowser(kind: Kind, signal: AbortSignal): Promise<void> {
  const configured = process.env.CHROMIUM_PATH
  if (configured && !existsSync(configured)) throw new CommandError(`CHROMIUM_PATH: there is no ${configured}.`)
  if (findBrowser(kind) !== undefined) return
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    const [name = ''] = DEBIAN[kind]
    say(`  No browser was found: installing Debian’s ${name} (apt-get).`)
    await installWithApt(name, signal)
  } else {
    say('  No browser was found: downloading Playwright’s chromium.')
    await runTestTool({ args: [packageFile('@playwright/test/cli.js'), 'install', 'chromium'], signal, isShown: true })
  }
  if (findBrowser(kind) === undefined)
    throw new CommandError('There is no browser to test with: install chromium, or name one with CHROMIUM_PATH.')
}

async function installWithApt(name: string, signal: AbortSignal): Promise<void> {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', name]]) {
    const child = spawn('apt-get', ['-q', ...args], { stdio: ['ignore', 'pipe', 'pipe'], env, signal })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
    const [code] = await once(child, 'close')
    if (code === 0) continue
    say(`${output.trimEnd()}\n  apt-get ${args[0]} failed (exit code ${code}).`)
    return
  }
}
